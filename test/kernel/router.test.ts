import { expect, test } from 'vitest';
import { createRouter } from '../../shared/http/router.ts';

const router = createRouter([
  { method: 'POST', path: '/chats/new', target: 'create' },
  { method: 'POST', path: '/chats/{id}', target: 'update' },
  { method: 'GET', path: '/chats/{id}', target: 'read' },
  { method: 'GET', path: '/chats/{id}/messages/{messageId}', target: 'message' },
  { method: 'GET', path: '/chats/{id}/tags/all', target: 'tags' },
  { method: 'GET', path: '/files/', target: 'files' },
  { method: 'GET', path: '/proxy/{rest+}', target: 'proxy' },
  { method: 'GET', path: '/proxy/version', target: 'version' },
]);

test.each([
  ['POST', '/chats/new', 'create', {}],
  ['POST', '/chats/newer', 'update', { id: 'newer' }],
  ['GET', '/chats/7/', 'read', { id: '7' }],
  ['GET', '/chats/a%2Fb', 'read', { id: 'a/b' }],
  ['GET', '/chats/7/messages/9', 'message', { id: '7', messageId: '9' }],
  ['GET', '/chats/7/tags/all', 'tags', { id: '7' }],
  ['GET', '/files', 'files', {}],
  ['GET', '/proxy/api/tags', 'proxy', { rest: 'api/tags' }],
  ['GET', '/proxy/version', 'version', {}],
] as const)('%s %s reaches %s', (method, path, target, params) => {
  const match = router.match(path);
  expect(match?.byMethod.get(method)).toBe(target);
  expect(match?.params).toEqual(params);
});

test.each(['/chats', '/chats/7/tags', '/chats//messages/9', '/nothing', '/', '/proxy'])(
  '%s reaches nothing',
  (path) => {
    expect(router.match(path)?.byMethod.size ?? 0).toBe(0);
  },
);

test('a literal path without the wanted method still answers for that path, so 405 can name what is allowed', () => {
  expect([...(router.match('/chats/new')?.byMethod.keys() ?? [])]).toEqual(['POST']);
});

test('declaring a route twice refuses to start', () => {
  const twice = { method: 'GET', path: '/a/{b}', target: 1 } as const;
  expect(() => createRouter([twice, { ...twice, path: '/a/{c}' }])).toThrow('declared twice');
});
