import { expect, test } from 'vitest';
import { call } from '../support/call.ts';

const page = await call('GET /');
const [main = ''] = /\/assets\/[\w-]+\/main\.js/.exec(String(page.body)) ?? [];
const [, , version = ''] = main.split('/');

test('the page may run its own files and what plugins execute, and nobody may frame it', () => {
  expect(page.status).toBe(200);
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy.split('; ')).toEqual(
    expect.arrayContaining([
      "default-src 'none'",
      "script-src 'self' 'unsafe-eval'",
      "style-src 'self'",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]),
  );
  expect(policy).not.toContain('unsafe-inline');
  expect(Object.fromEntries(page.headers)).toMatchObject({
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
  });
});

test.each(['/', main])('%s is not sent again to whoever has it', async (path) => {
  const first = await call(`GET ${path}`);
  const etag = first.headers.get('etag') ?? '';
  expect(etag).toMatch(/^"[\w-]+"$/);
  const second = await call(`GET ${path}`, undefined, { headers: { 'if-none-match': `"other", ${etag}` } });
  expect(second).toMatchObject({ status: 304, body: '' });
});

test('files never change under one version, and those of an older page are found', async () => {
  const file = await call(`GET ${main}`);
  expect(Object.fromEntries(file.headers)).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
  });
  const old = await call('GET /assets/older/main.js');
  expect(old.status).toBe(307);
  expect(Object.fromEntries(old.headers)).toMatchObject({ location: main, 'cache-control': 'no-store' });
});

test.each(['nothing.js', 'index.html', '..%2fhandler.ts', 'constructor'])('there is no file %s', async (name) => {
  expect(await call(`GET /assets/${version}/${name}`)).toMatchObject({
    status: 404,
    body: { error: { code: 'not_found' } },
  });
});

test('the page around an embed has an origin of its own and stands only in our own page', async () => {
  const { headers } = await call(`GET /assets/${version}/embed.html`);
  expect(headers.get('content-security-policy')).toBe(
    "sandbox allow-scripts allow-popups allow-downloads; frame-ancestors 'self'",
  );
  expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
});
