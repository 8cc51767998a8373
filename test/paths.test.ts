import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { CONTRACTS } from '../functions/contracts.ts';
import type { Route, Routes } from '../shared/http/route.ts';
import { call } from './support/call.ts';
import { aUser } from './support/people.ts';
import { verifies } from './support/verifies.ts';

const routes = Object.values<Routes>(CONTRACTS).flatMap((family) => Object.values<Route>(family));
const JSON_TYPE = { 'content-type': 'application/json' };

verifies('paths/open-auth', 'every open path under /api/auth answers a caller without a token', async () => {
  const open = routes.filter(({ path, auth }) => path.startsWith('/api/auth/') && auth === 'open');
  expect(open.length).toBeGreaterThan(10);
  for (const { method, path } of open) {
    const { status, body } = await call(`${method} ${path.replace(/\{\w+\}/, 'x')}`, method === 'GET' ? undefined : {});
    expect([path, status === 401 && body.error.code === 'unauthenticated']).toEqual([path, false]);
  }
});

verifies(
  ['paths/v1-prefix', 'paths/unversioned'],
  'older routes have no version segment, newer ones live under /api/v1',
  async () => {
    const { token } = await aUser();
    const served = async (target: string, body?: unknown) => (await call(target, body, { token })).status;
    for (const target of [
      'GET /api/auth/me',
      'GET /api/models',
      'GET /api/v1/chats',
      'GET /api/v1/events',
      'GET /api/v1/agent-workflows',
    ]) {
      expect([target, await served(target)]).toEqual([target, 200]);
    }
    expect(
      await served('POST /api/chat/completions', { model: 'demo', messages: [{ role: 'user', content: 'Hello' }] }),
    ).toBe(200);
    const known = await call('GET /api/org/me', undefined, { token });
    expect(known.body.error.code).toBe('no_organization');
    const versioned =
      /^\/api\/(v1\/|auth\/|admin\/|org\/|chat\/|public\/|models|message$|responses$|tasks|version$|config$)/;
    expect(routes.map(({ path }) => path).filter((path) => path.startsWith('/api/') && !versioned.test(path))).toEqual(
      [],
    );
  },
);

verifies('paths/json-bodies', 'every route that takes JSON refuses malformed JSON by position', async () => {
  const { token } = await aUser();
  const taking = routes.filter(
    ({ auth, body, bodyType }) => auth === 'user' && body && (bodyType ?? 'json') === 'json',
  );
  for (const { method, path } of taking) {
    const answer = await call(`${method} ${path.replaceAll(/\{\w+\+?\}/g, 'x')}`, '{"a": nope}', {
      token,
      headers: JSON_TYPE,
    });
    expect([path, answer.status, JSON.stringify(answer.body)]).toEqual([
      path,
      422,
      expect.stringContaining('json_invalid'),
    ]);
  }
});

verifies('paths/open-public', 'every path under /api/public answers a caller without a token', async () => {
  const shown = routes.filter(({ path }) => path.startsWith('/api/public/'));
  expect(shown.length).toBeGreaterThan(0);
  for (const { method, path } of shown) {
    const { status } = await call(
      `${method} ${path.replace(/\{\w+\}/, randomUUID())}`,
      method === 'GET' ? undefined : {},
    );
    expect([path, [404, 422].includes(status)]).toEqual([path, true]);
  }
});
