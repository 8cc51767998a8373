import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { hashToken } from '../../shared/accounts/link-token.ts';
import { inviteKey, orgInviteKey } from '../../shared/accounts/rows.ts';
import { orgKey } from '../../shared/identity/rows.ts';
import { openTable } from '../../shared/store/table.ts';
import { anAccount, aSignedIn, atOnce, login, newAddress, PASSWORD, rowsOf, userRow } from '../support/accounts.ts';
import { call } from '../support/call.ts';
import { anOrg } from '../support/people.ts';
import { verifies } from '../support/verifies.ts';

const accounts = openTable('accounts');

/** The two rows and the counts that sending an invitation writes. */
async function invited(email: string, fields: Record<string, unknown> = {}) {
  const { orgId, admin } = await anOrg();
  const token = randomUUID();
  const [inviteId, tokenHash] = [randomUUID(), hashToken(token)];
  const invite = {
    inviteId,
    tokenHash,
    orgId,
    email,
    role: 'ROLE_USER',
    groupIds: ['g1'],
    departmentId: 'd1',
    invitedBy: admin.userId,
  };
  const row = { ...invite, createdAt: Date.now(), expiresAt: Date.now() + 60_000, ...fields };
  await accounts.put({ ...inviteKey(tokenHash), ...row });
  await accounts.put({ ...orgInviteKey(orgId, inviteId), ...row });
  await accounts.update(orgKey(orgId), { add: { pendingInvites: 1, seatsTaken: 1 } });
  return { token, orgId, admin };
}

const view = (token: string) => call(`GET /api/auth/invite/${token}`);
const accept = (body: object, as?: string) => call('POST /api/auth/invite/accept', body, { token: as });
const counts = async (orgId: string) => (await accounts.get(orgKey(orgId))) ?? {};

test('an invitation shows what it is about, and lets a new person in with name and password', async () => {
  const email = newAddress();
  const { token, orgId, admin } = await invited(email);
  expect(await view(token)).toMatchObject({
    status: 200,
    body: { email, role: 'ROLE_USER', mode: 'NATIVE', needsPassword: true },
  });
  expect(await accept({ token })).toMatchObject({ status: 422 });
  expect(await accept({ token, name: 'Bo', password: 'password1' })).toMatchObject({ status: 422 });
  const answer = await accept({ token, name: 'Bo Member', password: PASSWORD });
  expect(answer).toMatchObject({
    status: 200,
    body: {
      status: 'AUTHENTICATED',
      user: { email, organizationId: orgId, groups: ['g1'], departmentId: 'd1', emailVerified: true },
    },
  });
  expect(await counts(orgId)).toMatchObject({ pendingInvites: 0, activeMembers: 2, activeAdmins: 1, seatsTaken: 2 });
  expect(await view(token)).toMatchObject({ status: 404, body: { error: { code: 'invite_invalid' } } });
  expect(await accept({ token, name: 'Bo', password: PASSWORD })).toMatchObject({ status: 404 });
  expect((await rowsOf(`ORG#${orgId}`)).filter(({ sk }) => String(sk).startsWith('INV#'))).toEqual([]);
  const team = await call('GET /api/org/team', undefined, admin);
  expect(JSON.stringify(team.body)).toContain(email);
  expect(await login(email)).toMatchObject({ status: 200 });
});

test('someone who has an account joins with it, signed in as the invited address', async () => {
  const account = await aSignedIn();
  const { token, orgId } = await invited(account.email, { role: 'ROLE_ORG_ADMIN' });
  expect((await view(token)).body.needsPassword).toBe(false);
  expect(await accept({ token, name: 'X', password: PASSWORD })).toMatchObject({ status: 401 });
  const stranger = await aSignedIn();
  expect(await accept({ token }, stranger.token)).toMatchObject({ status: 401 });
  const joined = await accept({ token }, account.token);
  expect(joined).toMatchObject({
    status: 200,
    body: { landing: '/org', user: { id: account.userId, organizationId: orgId } },
  });
  expect(await counts(orgId)).toMatchObject({ activeMembers: 2, activeAdmins: 2 });
  expect(await call('GET /api/auth/me', undefined, { token: account.token })).toMatchObject({ status: 401 });
  expect(await call('GET /api/auth/me', undefined, { token: joined.body.token })).toMatchObject({
    body: { role: 'ROLE_ORG_ADMIN' },
  });
});

test('an account belongs to one organization; only its owner learns that it already has one', async () => {
  const { orgId: other } = await anOrg();
  const account = await aSignedIn({ orgId: other });
  const { token, orgId } = await invited(account.email);
  expect(await view(token)).toMatchObject({ status: 200 });
  expect(await accept({ token }, account.token)).toMatchObject({
    status: 409,
    body: { error: { code: 'account_in_other_org' } },
  });
  expect(await counts(orgId)).toMatchObject({ pendingInvites: 1, activeMembers: 1 });
});

test('expired invitations and unknown ones look alike, and a suspended organization lets nobody in', async () => {
  const { token } = await invited(newAddress(), { expiresAt: Date.now() - 1 });
  const [expired, unknown] = [await view(token), await view('nonsense')];
  expect(expired.body.detail).toEqual(unknown.body.detail);
  expect([expired.status, unknown.status]).toEqual([404, 404]);
  const suspended = await invited(newAddress());
  await accounts.update(orgKey(suspended.orgId), { set: { status: 'SUSPENDED' } });
  expect(await accept({ token: suspended.token, name: 'Bo', password: PASSWORD })).toMatchObject({ status: 403 });
});

test('of ten acceptances at once, exactly one makes a member', async () => {
  const email = newAddress();
  const { token, orgId } = await invited(email);
  const { statuses } = await atOnce(10, (at) => accept({ token, name: `Bo ${at}`, password: PASSWORD }));
  expect(statuses[200]).toBe(1);
  expect(await counts(orgId)).toMatchObject({ pendingInvites: 0, activeMembers: 2, seatsTaken: 2 });
});

verifies('org/invitation-only', 'nobody gets into an organization by registering', async () => {
  const { orgId } = await anOrg();
  const body = {
    name: 'Eve',
    email: newAddress(),
    password: PASSWORD,
    orgId,
    organizationId: orgId,
    role: 'ROLE_ORG_ADMIN',
  };
  const { body: answer } = await call('POST /api/auth/register', body);
  expect(answer.user).toMatchObject({ organizationId: null, role: 'ROLE_USER' });
  expect(await userRow(answer.user.id)).toMatchObject({ orgId: null, role: 'ROLE_USER' });
  const member = await anAccount({ orgId });
  const taken = { ...body, email: member.email };
  expect(await call('POST /api/auth/register', taken)).toMatchObject({ status: 409 });
});
