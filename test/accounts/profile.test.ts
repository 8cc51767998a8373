import { expect, test } from 'vitest';
import { memberKey } from '../../shared/accounts/rows.ts';
import { userKey } from '../../shared/identity/rows.ts';
import { openTable } from '../../shared/store/table.ts';
import { anAccount, aSignedIn, cookieOf, login, rowsOf, userRow } from '../support/accounts.ts';
import { call } from '../support/call.ts';
import { anApiKey, anOperator, anOrg, aUser } from '../support/people.ts';
import { verifies } from '../support/verifies.ts';

const accounts = openTable('accounts');
const me = (token: string) => call('GET /api/auth/me', undefined, { token });

verifies('auth/me', 'the current user is answered with the organization, and without anything secret', async () => {
  const { orgId, admin } = await anOrg();
  expect(await me(admin.token)).toMatchObject({
    status: 200,
    body: {
      id: admin.userId,
      email: admin.email,
      role: 'ROLE_ORG_ADMIN',
      organization: { id: orgId },
      landing: '/org',
    },
  });
  const account = await aSignedIn();
  const { body } = await me(account.token);
  expect(body).toMatchObject({ id: account.userId, organization: null, role: 'ROLE_USER', landing: '/dashboard' });
  expect(Object.keys(body).filter((name) => /hash|secret|version|pk|sk/i.test(name))).toEqual([]);
  expect(await call('GET /api/auth/me')).toMatchObject({ status: 401, body: { error: { code: 'unauthenticated' } } });
});

test('name and language can be changed, also where the team sees them', async () => {
  const { orgId } = await anOrg();
  const { token, userId } = await aUser({ orgId });
  const change = (body: object) => call('PUT /api/auth/me', body, { token });
  expect(await change({ name: ' New Name ', locale: 'de-DE', role: 'ROLE_ORG_ADMIN' })).toMatchObject({
    status: 200,
    body: { name: 'New Name', locale: 'de-DE', role: 'ROLE_USER' },
  });
  expect(await accounts.get(memberKey(orgId, userId))).toMatchObject({ name: 'New Name' });
  expect(await change({ locale: null })).toMatchObject({ body: { name: 'New Name', locale: null } });
  expect(await change({ name: '' })).toMatchObject({ status: 422 });
  expect(await change({})).toMatchObject({ status: 200, body: { name: 'New Name' } });
});

verifies('auth/validate', 'a credential is called valid with what it stands for, or refused', async () => {
  const person = await aUser();
  const validate = (token?: string) => call('GET /api/auth/validate', undefined, { token });
  expect(await validate(person.token)).toMatchObject({
    status: 200,
    body: { valid: true, userId: person.userId, role: 'ROLE_USER', organizationId: null, authType: 'JWT' },
  });
  expect(await validate(await anApiKey(person))).toMatchObject({ body: { authType: 'API_KEY', expiresAt: null } });
  expect(await validate((await anOperator()).token)).toMatchObject({ body: { role: 'ROLE_PLATFORM_OWNER' } });
  expect(await validate('nonsense')).toMatchObject({ status: 401 });
  expect(await validate()).toMatchObject({ status: 401 });
});

verifies('auth/revoke-sign-out', 'signing out ends this token at once, and no other', async () => {
  const { email, token } = await aSignedIn();
  const other = (await login(email)).body.token as string;
  const out = await call('POST /api/auth/logout', undefined, { token });
  expect(out.status).toBe(204);
  expect(out.headers.getSetCookie()).toContainEqual(expect.stringMatching(/^token=; .*Max-Age=0/));
  expect(await me(token)).toMatchObject({ status: 401, body: { error: { code: 'token_revoked' } } });
  expect(await me(other)).toMatchObject({ status: 200 });
  expect(await call('POST /api/auth/logout', { all: true }, { token: other })).toMatchObject({ status: 204 });
  expect(await me(other)).toMatchObject({ status: 401 });
  const stranger = await aUser();
  expect(await call('POST /api/auth/logout', undefined, stranger)).toMatchObject({ status: 204 });
  expect(await me(stranger.token)).toMatchObject({ status: 401 });
});

test('an API key is not signed out', async () => {
  const key = await anApiKey(await aUser());
  expect(await call('POST /api/auth/logout', {}, { token: key })).toMatchObject({ status: 400 });
});

test('sessions are listed and ended one by one, by their owner only', async () => {
  const { email, token, userId } = await aSignedIn();
  const other = (await login(email)).body.token as string;
  await me(token);
  const list = await call('GET /api/auth/sessions', undefined, { token });
  expect(list.body.data).toHaveLength(2);
  expect(list.body.data.map((one: { current: boolean }) => one.current)).toEqual([false, true]);
  expect(list.body.data[0]).toMatchObject({ ip: expect.any(String), amr: ['pwd'] });
  const { id } = list.body.data[0];
  const end = (by: string) => call(`DELETE /api/auth/sessions/${id}`, undefined, { token: by });
  expect(await end((await aUser()).token)).toMatchObject({ status: 404 });
  expect(await me(other)).toMatchObject({ status: 200 });
  expect(await end(token)).toMatchObject({ status: 204 });
  expect(await me(other)).toMatchObject({ status: 401 });
  expect(await end(token)).toMatchObject({ status: 404 });
  expect((await rowsOf(`USER#${userId}`)).filter(({ sk }) => String(sk).startsWith('SESS#'))).toHaveLength(1);
});

test('a session remembers when it was last seen', async () => {
  const { token, userId } = await aSignedIn();
  const seen = async () => {
    const rows = await rowsOf(`USER#${userId}`);
    return rows.find(({ sk }) => String(sk).startsWith('SESS#'))?.['lastSeenAt'];
  };
  expect(await seen()).toBeUndefined();
  await me(token);
  await expect.poll(seen).toBeGreaterThan(Date.now() - 60_000);
  const first = await seen();
  await me(token);
  expect(await seen()).toBe(first);
});

verifies(
  ['auth/jwt-loads-user', 'auth/revoke-deactivation'],
  'a token acts as the stored user: role changes hold at once, deactivated and deleted users are refused',
  async () => {
    const { admin } = await anOrg();
    await accounts.update(userKey(admin.userId), { set: { role: 'ROLE_USER' } });
    expect(await me(admin.token)).toMatchObject({ body: { role: 'ROLE_USER' } });
    const key = await anApiKey(admin);
    await accounts.update(userKey(admin.userId), { set: { status: 'INACTIVE' } });
    for (const token of [admin.token, key]) expect(await me(token)).toMatchObject({ status: 401 });
    await accounts.update(userKey(admin.userId), { set: { status: 'ACTIVE' } });
    for (const token of [admin.token, key]) expect(await me(token)).toMatchObject({ status: 200 });
    await accounts.delete(userKey(admin.userId));
    for (const token of [admin.token, key]) expect(await me(token)).toMatchObject({ status: 401 });
  },
);

test('someone of a suspended organization is refused at the next request', async () => {
  const { orgId, admin } = await anOrg();
  const key = await anApiKey(admin);
  expect(await me(key)).toMatchObject({ status: 200 });
  await accounts.update({ pk: `ORG#${orgId}`, sk: 'META' }, { set: { status: 'SUSPENDED' } });
  for (const token of [admin.token, key])
    expect(await me(token)).toMatchObject({ status: 403, body: { error: { code: 'organization_suspended' } } });
});

test('the login cookie signs in, and cannot be used from other sites to change anything', async () => {
  const { email, userId } = await anAccount();
  const cookie = cookieOf(await login(email), 'token') ?? '';
  const rename = (headers: Record<string, string>) =>
    call('PUT /api/auth/me', { name: 'By Cookie' }, { headers: { cookie, ...headers } });
  expect(await call('GET /api/auth/validate', undefined, { headers: { cookie } })).toMatchObject({
    body: { authType: 'COOKIE', userId },
  });
  const refused = [
    {},
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:1' },
  ];
  for (const headers of refused)
    expect(await rename(headers as Record<string, string>)).toMatchObject({
      status: 403,
      body: { error: { code: 'csrf_rejected' } },
    });
  expect(await userRow(userId)).toMatchObject({ name: 'Robin Test' });
  expect(await rename({ 'sec-fetch-site': 'same-origin' })).toMatchObject({ status: 200 });
  const { host } = await import('../support/host.ts');
  expect(await rename({ origin: host.url })).toMatchObject({ status: 200 });
});
