import { expect, test } from 'vitest';
import { anAccount, aSignedIn, cookieOf, newAddress, PASSWORD } from '../support/accounts.ts';
import { call } from '../support/call.ts';
import { awaitMail, codeIn } from '../support/mailbox.ts';

const session = (options: object) => call('GET /api/v1/auths/', undefined, options);

test('existing clients sign up, read their session, and sign out by POST or GET', async () => {
  const email = newAddress();
  const up = await call('POST /api/v1/auths/signup', { name: 'Ada', email, password: PASSWORD, profile_image_url: '' });
  expect(up).toMatchObject({ status: 200, body: { token_type: 'Bearer', email, name: 'Ada', role: 'user' } });
  expect(up.body).toHaveProperty('permissions');
  const { token } = up.body;
  expect(await session({ token })).toMatchObject({
    status: 200,
    body: { token, id: up.body.id, expires_at: up.body.expires_at },
  });
  expect(await call('GET /api/v1/auths/signout', undefined, { token })).toMatchObject({
    status: 200,
    body: { status: true },
  });
  expect(await session({ token })).toMatchObject({ status: 401 });
  const again = await call('POST /api/v1/auths/signin', { email, password: PASSWORD });
  expect(await call('POST /api/v1/auths/signout', undefined, { token: again.body.token })).toMatchObject({
    body: { status: true },
  });
});

test('a wrong sign-in is refused, and one that needs a code says which', async () => {
  const { email } = await anAccount({ otpEnabled: true });
  expect(await call('POST /api/v1/auths/signin', { email, password: 'wrong' })).toMatchObject({ status: 401 });
  const half = await call('POST /api/v1/auths/signin', { email, password: PASSWORD });
  expect(half).toMatchObject({ status: 403, body: { error: { code: 'otp_required', channel: 'EMAIL' } } });
  const code = codeIn(await awaitMail(email, /login code/));
  const body = { challengeId: half.body.error.challengeId, code };
  expect(await call('POST /api/auth/verify-login-otp', body)).toMatchObject({ status: 200 });
});

test('the session cookie is set, refreshed, and not to be ended by other sites', async () => {
  const { email } = await anAccount();
  const signedIn = await call('POST /api/v1/auths/signin', { email, password: PASSWORD });
  const cookie = cookieOf(signedIn, 'token') ?? '';
  const refreshed = await session({ headers: { cookie } });
  expect(cookieOf(refreshed, 'token')).toBe(cookie);
  const out = (site: string) =>
    call('GET /api/v1/auths/signout', undefined, { headers: { cookie, 'sec-fetch-site': site } });
  expect(await out('cross-site')).toMatchObject({ status: 403, body: { error: { code: 'csrf_rejected' } } });
  expect(await session({ headers: { cookie } })).toMatchObject({ status: 200 });
  expect(await out('same-origin')).toMatchObject({ status: 200 });
  expect(await session({ headers: { cookie } })).toMatchObject({ status: 401 });
});

test('there is one key of this interface beside all others, replaced when asked for again', async () => {
  const { token } = await aSignedIn();
  const key = (method: string) => call(`${method} /api/v1/auths/api_key`, undefined, { token });
  expect(await key('GET')).toMatchObject({ status: 404 });
  await call('POST /api/auth/api-keys', { name: 'Another' }, { token });
  const first = (await key('POST')).body.api_key as string;
  const second = (await key('POST')).body.api_key as string;
  expect(await session({ token: first })).toMatchObject({ status: 401 });
  expect(await session({ token: second })).toMatchObject({ status: 200, body: { token: second, expires_at: null } });
  expect((await key('GET')).body.api_key).toBe(`${second.slice(0, 8)}…${second.slice(-4)}`);
  expect(await key('DELETE')).toMatchObject({ status: 200, body: true });
  expect(await session({ token: second })).toMatchObject({ status: 401 });
  expect((await call('GET /api/auth/api-keys', undefined, { token })).body.data).toHaveLength(1);
});
