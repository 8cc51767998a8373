import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTokens } from '../../shared/identity/token.ts';
import { atOnce, login, newAddress, PASSWORD } from '../support/accounts.ts';
import { call } from '../support/call.ts';
import { spawnHost, TEST_ENVIRONMENT, type SpawnedHost } from '../support/spawn-host.ts';
import { verifies } from '../support/verifies.ts';

/** A host behind a proxy, with quick hashes and a rotated secret. */
const ENVIRONMENT = {
  ENV: 'test',
  BCRYPT_COST: '4',
  TRUSTED_PROXY_HOPS: '1',
  JWT_SECRET: 'the-newer-secret-0123456789-abcdefghijklmnopqrstuvwxyz-0123456789-xyz',
  JWT_SECRET_PREVIOUS: TEST_ENVIRONMENT.JWT_SECRET,
  JWT_EXPIRES_IN: '1h30m',
  SVC_AUTH_COOKIE_SECURE: 'true',
};

let host: SpawnedHost;
beforeAll(async () => {
  host = await spawnHost({ env: ENVIRONMENT });
});
afterAll(() => host.stop());

const from = (ip: string) => ({ url: host.url, headers: { 'x-forwarded-for': `6.6.6.6, ${ip}` } });
const register = (email: string, ip = '127.0.0.1') =>
  call('POST /api/auth/register', { name: 'Ada', email, password: PASSWORD }, from(ip));

test('of twenty registrations of one address at once, exactly one wins', async () => {
  const email = newAddress();
  const { statuses, answers } = await atOnce(20, () => register(email));
  expect(statuses).toEqual({ 201: 1, 409: 19 });
  const winner = answers.find(({ status }) => status === 201)?.body.user;
  expect(await login(email, PASSWORD, host.url)).toMatchObject({ status: 200, body: { user: { id: winner.id } } });
});

describe('limits are exact under parallel requests', () => {
  test('ten failures of an account from everywhere', async () => {
    const email = newAddress();
    const attempt = (at: number) =>
      call('POST /api/auth/login', { email, password: 'wrong password' }, from(`198.51.100.${at}`));
    expect((await atOnce(20, attempt)).statuses).toEqual({ 401: 10, 429: 10 });
  });

  test('ten registrations from one place', async () => {
    const { statuses } = await atOnce(20, () => register(newAddress(), '203.0.113.9'));
    expect(statuses).toEqual({ 201: 10, 429: 10 });
    expect(await register(newAddress(), '203.0.113.10')).toMatchObject({ status: 201 });
  });

  test('sixty questions a minute about the way of signing in, from one network', async () => {
    const ask = (at: number) =>
      call('GET /api/auth/resolve-login-mode?email=a@b.example', undefined, from(`2001:db8::${at}`));
    expect((await atOnce(65, ask)).statuses).toEqual({ 200: 60, 429: 5 });
  });
});

verifies('limits/jwt-expires-in', 'JWT_EXPIRES_IN sets how long tokens and their cookie live', async () => {
  const email = newAddress();
  await register(email);
  const answer = await login(email, PASSWORD, host.url);
  const { iat = 0, exp } = decodeJwt(answer.body.token);
  expect(exp).toBe(iat + 5400);
  const cookie = answer.headers.getSetCookie().find((one) => one.startsWith('token='));
  expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Lax; Max-Age=5400; Secure$/);
});

test('tokens of the secret before the rotation stay good until they end', async () => {
  const { body } = await register(newAddress());
  const before = createTokens({ ...TEST_ENVIRONMENT, JWT_SECRET_PREVIOUS: '', SVC_URL: host.url });
  const iat = Math.floor(Date.now() / 1000);
  const claims = { sub: body.user.id as string, acct: 'user', org: null, tv: 1, jti: randomUUID(), iat } as const;
  const me = async (exp: number) =>
    call('GET /api/auth/me', undefined, { url: host.url, token: await before.sign({ ...claims, exp }) });
  expect(await me(iat + 60)).toMatchObject({ status: 200, body: { id: body.user.id } });
  expect(await me(iat - 60)).toMatchObject({ status: 401 });
});
