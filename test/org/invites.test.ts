import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { inviteKey, orgInviteKey } from '../../shared/accounts/rows.ts';
import { openTable } from '../../shared/store/table.ts';
import { call } from '../support/call.ts';
import { anOrg, aUser, type Person } from '../support/people.ts';
import { verifies } from '../support/verifies.ts';

const as = (person: { token: string }) => ({ token: person.token });
const anAddress = () => `${randomUUID()}@example.test`;
const seats = (size: number) => ({ id: 'team', limits: { seats: size } });
const invite = (admin: Person, body: object) => call('POST /api/org/team/invite', body, as(admin));
const pendingOf = async (admin: Person) => (await call('GET /api/org/team/invites', undefined, as(admin))).body.data;
const countsOf = async (admin: Person) => (await call('GET /api/org/me', undefined, as(admin))).body;

describe('inviting', () => {
  verifies('org/invite', 'an admin invites a person, who then is pending', async () => {
    const { admin } = await anOrg();
    const email = anAddress();
    const answer = await invite(admin, { email: ` ${email.toUpperCase()} `, name: 'Ann', role: 'ROLE_ADMIN' });
    expect(answer).toMatchObject({
      status: 201,
      body: { invite: { email, name: 'Ann', role: 'ROLE_ORG_ADMIN', status: 'PENDING' } },
    });
    expect(JSON.stringify(answer.body)).not.toContain('token');
    expect(await pendingOf(admin)).toMatchObject([{ email, status: 'PENDING' }]);
    expect(await countsOf(admin)).toMatchObject({ pendingInvites: 1, activeMembers: 1 });
  });

  verifies('org/invite-admin-only', 'members cannot invite', async () => {
    const { orgId, admin } = await anOrg();
    const member = await aUser({ orgId });
    expect((await invite(member, { email: anAddress() })).status).toBe(403);
    expect(await pendingOf(admin)).toEqual([]);
  });

  test('the same address cannot be invited twice, and of twenty parallel invitations one goes through', async () => {
    const { admin } = await anOrg();
    const email = anAddress();
    const answers = await Promise.all(Array.from({ length: 20 }, () => invite(admin, { email })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused.every(({ body }) => ['invite_pending', 'rate_limited'].includes(body.error.code))).toBe(true);
    expect(await countsOf(admin)).toMatchObject({ pendingInvites: 1 });
  });

  test('someone who is a member already is named as such, someone of another organization is not given away', async () => {
    const { orgId, admin } = await anOrg();
    const member = await aUser({ orgId });
    const stranger = (await anOrg()).admin;
    expect(await invite(admin, { email: member.email })).toMatchObject({
      status: 409,
      body: { error: { code: 'already_member' } },
    });
    expect((await invite(admin, { email: stranger.email })).status).toBe(201);
  });

  test('a role nobody can be given, a broken address and units that do not exist are refused', async () => {
    const { admin } = await anOrg();
    expect((await invite(admin, { email: anAddress(), role: 'ROLE_PLATFORM_OWNER' })).status).toBe(403);
    for (const body of [
      {},
      { email: 'nobody' },
      { email: anAddress(), role: 'X' },
      { email: anAddress(), groupIds: ['none'] },
      { email: anAddress(), departmentId: 'none' },
      { invites: [] },
      { invites: [{ email: 'broken' }] },
      { invites: Array.from({ length: 51 }, () => ({ email: anAddress() })) },
    ])
      expect((await invite(admin, body)).status).toBe(422);
    expect(await pendingOf(admin)).toEqual([]);
  });

  test('a list of invitations answers for each of them', async () => {
    const { orgId, admin } = await anOrg(seats(3));
    const member = await aUser({ orgId });
    const [one, two] = [anAddress(), anAddress()];
    const answer = await invite(admin, { invites: [{ email: one }, { email: member.email }, { email: two }] });
    expect(answer.status).toBe(207);
    expect(answer.body.data).toMatchObject([
      { email: one, status: 201, invite: { email: one } },
      { email: member.email, status: 409, error: { code: 'already_member' } },
      { email: two, status: 402, error: { code: 'plan_limit_reached' } },
    ]);
  });
});

describe('seats', () => {
  test('twenty parallel invitations take exactly the seats that are left', async () => {
    const { admin } = await anOrg(seats(6));
    const answers = await Promise.all(Array.from({ length: 20 }, () => invite(admin, { email: anAddress() })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    const [refused] = answers.filter(({ status }) => status === 402);
    expect(refused?.body.error).toMatchObject({
      code: 'plan_limit_reached',
      limit: 'seats',
      plan: 'team',
      size: 6,
      used: 6,
      resetsAt: null,
    });
    expect(await countsOf(admin)).toMatchObject({ pendingInvites: 5 });
    const usage = await call('GET /api/org/usage', undefined, as(admin));
    expect(usage.body.limits[0]).toEqual({ limit: 'seats', used: 6, size: 6, resetsAt: null });
  });

  test('twenty parallel reactivations and invitations share what is left, whoever comes first', async () => {
    const { orgId, admin } = await anOrg(seats(14));
    const people = await Promise.all(Array.from({ length: 10 }, () => aUser({ orgId })));
    await Promise.all(people.map(({ userId }) => call(`POST /api/org/team/${userId}/deactivate`, {}, as(admin))));
    const answers = await Promise.all([
      ...people.map(({ userId }) => call(`POST /api/org/team/${userId}/reactivate`, {}, as(admin))),
      ...Array.from({ length: 10 }, () => invite(admin, { email: anAddress() })),
    ]);
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(13);
    const { activeMembers, pendingInvites, inactiveMembers } = await countsOf(admin);
    expect(activeMembers + pendingInvites).toBe(14);
    expect(activeMembers + inactiveMembers).toBe(11);
  });

  test('a revoked invitation frees its seat', async () => {
    const { admin } = await anOrg(seats(2));
    const { body } = await invite(admin, { email: anAddress() });
    expect((await invite(admin, { email: anAddress() })).status).toBe(402);
    const revoke = () => call(`DELETE /api/org/team/invites/${body.invite.id}`, undefined, as(admin));
    const revoked = await Promise.all(Array.from({ length: 20 }, revoke));
    expect(revoked.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(revoked.filter(({ status }) => status === 404)).toHaveLength(19);
    expect(await countsOf(admin)).toMatchObject({ pendingInvites: 0 });
    expect((await invite(admin, { email: anAddress() })).status).toBe(201);
  });

  test('an expired invitation frees its seat as soon as someone needs it, and its address can be invited again', async () => {
    const { orgId, admin } = await anOrg(seats(2));
    const email = anAddress();
    const { body } = await invite(admin, { email });
    const past = { set: { expiresAt: Date.now() - 1000 } };
    await openTable('accounts').update(orgInviteKey(orgId, body.invite.id), past);
    expect(await pendingOf(admin)).toMatchObject([{ email, status: 'EXPIRED' }]);
    expect((await invite(admin, { email: anAddress() })).status).toBe(201);
    expect(await countsOf(admin)).toMatchObject({ pendingInvites: 1 });
    expect((await invite(admin, { email })).status).toBe(402);
  });

  test('an expired invitation of the same address is replaced', async () => {
    const { orgId, admin } = await anOrg(seats(2));
    const email = anAddress();
    const { body } = await invite(admin, { email });
    await openTable('accounts').update(orgInviteKey(orgId, body.invite.id), { set: { expiresAt: 1 } });
    expect((await invite(admin, { email })).status).toBe(201);
    expect(await countsOf(admin)).toMatchObject({ pendingInvites: 1 });
  });

  test('a trial that has ended takes no new people and says why', async () => {
    const { orgId, admin } = await anOrg({ id: 'trial', trialEndsAt: Date.now() - 1 });
    const member = await aUser({ orgId });
    expect(await invite(admin, { email: anAddress() })).toMatchObject({
      status: 402,
      body: { error: { code: 'plan_limit_reached', limit: 'trial' } },
    });
    expect((await call(`POST /api/org/team/${member.userId}/deactivate`, {}, as(admin))).status).toBe(200);
    expect((await call(`POST /api/org/team/${member.userId}/reactivate`, {}, as(admin))).status).toBe(402);
    expect((await call('GET /api/org/team', undefined, as(admin))).status).toBe(200);
  });
});

describe('resending', () => {
  test('rotates the link: the earlier token is gone, the seat stays the same', async () => {
    const { orgId, admin } = await anOrg(seats(2));
    const accounts = openTable('accounts');
    const { body } = await invite(admin, { email: anAddress() });
    const before = await accounts.get(orgInviteKey(orgId, body.invite.id));
    const answer = await call(`POST /api/org/team/invites/${body.invite.id}/resend`, undefined, as(admin));
    expect(answer).toMatchObject({ status: 202, body: { invite: { id: body.invite.id } } });
    const after = await accounts.get(orgInviteKey(orgId, body.invite.id));
    expect(after?.['tokenHash']).not.toBe(before?.['tokenHash']);
    expect(await accounts.get(inviteKey(String(before?.['tokenHash'])))).toBeUndefined();
    expect(await accounts.get(inviteKey(String(after?.['tokenHash'])))).toMatchObject({ orgId });
    expect(await countsOf(admin)).toMatchObject({ pendingInvites: 1 });
  });

  test('one address gets a few mails a day, not hundreds', async () => {
    const { admin } = await anOrg();
    const { body } = await invite(admin, { email: anAddress() });
    const resend = () => call(`POST /api/org/team/invites/${body.invite.id}/resend`, undefined, as(admin));
    for (let i = 0; i < 4; i += 1) expect((await resend()).status).toBe(202);
    const refused = await resend();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('invitations of another organization do not exist', async () => {
    const { admin } = await anOrg();
    const { body } = await invite(admin, { email: anAddress() });
    const stranger = (await anOrg()).admin;
    expect((await call(`POST /api/org/team/invites/${body.invite.id}/resend`, undefined, as(stranger))).status).toBe(
      404,
    );
    expect((await call(`DELETE /api/org/team/invites/${body.invite.id}`, undefined, as(stranger))).status).toBe(404);
    expect(await pendingOf(stranger)).toEqual([]);
    expect(await pendingOf(admin)).toHaveLength(1);
  });
});
