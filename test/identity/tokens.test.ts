import { createHmac, randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { call } from '../support/call.ts';
import { host } from '../support/host.ts';
import { aUser } from '../support/people.ts';
import { TEST_ENVIRONMENT } from '../support/spawn-host.ts';
import { verifies } from '../support/verifies.ts';

const secret = new TextEncoder().encode(TEST_ENVIRONMENT.JWT_SECRET);
const now = Math.floor(Date.now() / 1000);
const me = (token: string) => call('GET /api/auth/me', undefined, { token });

interface Forgery {
  readonly alg?: string;
  readonly header?: Record<string, unknown>;
  readonly claims?: Record<string, unknown>;
  readonly key?: Uint8Array;
}

/** A token like ours except where the forgery says otherwise. */
const forge = async ({ alg = 'HS512', header = {}, claims = {}, key = secret }: Forgery, sub: string) => {
  const base = {
    sub,
    jti: randomUUID(),
    tv: 1,
    acct: 'user',
    org: null,
    iat: now,
    exp: now + 600,
    iss: host.url,
    aud: 'svc',
  };
  const payload = Object.fromEntries(Object.entries({ ...base, ...claims }).filter(([, value]) => value !== undefined));
  return new SignJWT(payload).setProtectedHeader({ alg, typ: 'at+jwt', ...header }).sign(key);
};

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a login token', () => {
  test('like ours, signed with our secret, is accepted: the forgeries below fail for their one difference', async () => {
    expect(await me(await forge({}, (await aUser()).userId))).toMatchObject({ status: 200 });
  });

  const forgeries: [string, Forgery][] = [
    ['another algorithm of the family', { alg: 'HS256' }],
    ['the middle one of the family', { alg: 'HS384' }],
    ['another type', { header: { typ: 'JWT' } }],
    ['no type', { header: { typ: undefined } }],
    ['another audience', { claims: { aud: 'other' } }],
    ['no audience', { claims: { aud: undefined } }],
    ['another issuer', { claims: { iss: 'https://evil.example' } }],
    ['no expiry', { claims: { exp: undefined } }],
    ['no version', { claims: { tv: undefined } }],
    ['an old version', { claims: { tv: 0 } }],
    ['a newer version', { claims: { tv: 2 } }],
    ['no account kind', { claims: { acct: undefined } }],
    ['the operators’ account kind', { claims: { acct: 'admin' } }],
    ['a start in the future', { claims: { nbf: now + 600 } }],
    ['an unknown critical header', { header: { crit: ['x'], x: 1 } }],
  ];
  verifies('auth/jwt-hmac', 'with any other header or claim is refused', async () => {
    const { userId } = await aUser();
    for (const [why, forgery] of forgeries) {
      const token = await forge(forgery, userId).catch(() => undefined);
      if (token) expect((await me(token)).status, why).toBe(401);
    }
  });

  verifies('auth/jwt-signature', 'with another signature is refused', async () => {
    const { userId, token } = await aUser();
    const other = new TextEncoder().encode('x'.repeat(64));
    expect(await me(await forge({ key: other }, userId))).toMatchObject({ status: 401 });
    const [header = '', payload = '', signature = ''] = token.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
    const tampered = [
      `${header}.${encode({ ...claims, role: 'ROLE_ORG_ADMIN' })}.${signature}`,
      `${header}.${payload}.${signature.slice(0, -4)}AAAA`,
      `${header}.${payload}.`,
      `${header}.${payload}`,
      `${encode({ alg: 'none', typ: 'at+jwt' })}.${payload}.`,
      `${encode({ alg: 'NONE', typ: 'at+jwt' })}.${payload}.${signature}`,
      `${encode({ alg: 'RS256', typ: 'at+jwt' })}.${payload}.${signature}`,
    ];
    for (const forged of tampered) expect(await me(forged), forged.slice(0, 60)).toMatchObject({ status: 401 });
    const unsecured = `${encode({ alg: 'HS512', typ: 'at+jwt' })}.${payload}`;
    const empty = createHmac('sha512', '').update(unsecured).digest('base64url');
    expect(await me(`${unsecured}.${empty}`)).toMatchObject({ status: 401 });
  });

  verifies('auth/jwt-server-decides', 'past its end is refused with a reason of its own', async () => {
    const { userId } = await aUser();
    const ended = await forge({ claims: { iat: now - 100, exp: now - 10 } }, userId);
    expect(await me(ended)).toMatchObject({ status: 401, body: { error: { code: 'token_expired' } } });
    const hopeful = await forge({ claims: { exp: now - 10, client_exp: now + 10_000 } }, userId);
    expect(await me(hopeful)).toMatchObject({ status: 401 });
  });

  test('of a user opens no operator route and is no API key', async () => {
    const { token } = await aUser();
    expect(await call('GET /api/auth/me', undefined, { headers: { 'x-api-key': token } })).toMatchObject({
      status: 401,
    });
    expect(
      await call('GET /api/auth/me', undefined, { headers: { cookie: `token=%zz; token=${token}` } }),
    ).toMatchObject({ status: 401 });
    expect(
      await call('GET /api/auth/me', undefined, { headers: { cookie: `xtoken=1; token=${token}` } }),
    ).toMatchObject({ status: 200 });
  });

  test('that has ended is nobody in a cookie where nobody need be known, and an error everywhere else', async () => {
    const ended = await forge({ claims: { iat: now - 100, exp: now - 10 } }, (await aUser()).userId);
    const config = (headers: Record<string, string>) => call('GET /api/config', undefined, { headers });
    expect(await config({ cookie: `token=${ended}` })).toMatchObject({ status: 200 });
    expect(await config({ authorization: `Bearer ${ended}` })).toMatchObject({ status: 401 });
    const me = await call('GET /api/auth/me', undefined, { headers: { cookie: `token=${ended}` } });
    expect(me).toMatchObject({ status: 401 });
  });
});
