import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { anAccount, login } from '../support/accounts.ts';
import { call } from '../support/call.ts';
import { awaitMail, tokenIn } from '../support/mailbox.ts';
import { anApiKey, anOperator, anOrg, aUser, type Person } from '../support/people.ts';
import { verifies } from '../support/verifies.ts';

const as = (person: { token: string }) => ({ token: person.token });

describe('organizations', () => {
  verifies('roles/platform-owner-scope', 'an operator finds and reads every organization and every user', async () => {
    const operator = await anOperator();
    const { orgId, admin } = await anOrg({ id: 'team' });
    const loner = await aUser();
    const { body: org } = await call(`GET /api/admin/organizations/${orgId}`, undefined, as(operator));
    expect(org).toMatchObject({ id: orgId, plan: { id: 'team' }, activeMembers: 1 });
    expect(org.usage).toContainEqual({ limit: 'seats', used: 1, size: 50, resetsAt: null });
    const found = await call(`GET /api/admin/organizations?q=${encodeURIComponent(org.name)}`, undefined, as(operator));
    expect(found.body.data.map((one: { id: string }) => one.id)).toContain(orgId);
    for (const { userId, email } of [admin, loner]) {
      const user = await call(`GET /api/admin/users/${userId}`, undefined, as(operator));
      expect(user).toMatchObject({ status: 200, body: { id: userId, email } });
      const list = await call(`GET /api/admin/users?q=${email.slice(0, 20)}`, undefined, as(operator));
      expect(list.body.data).toMatchObject([{ id: userId }]);
    }
    const members = await call(`GET /api/admin/users?organizationId=${orgId}`, undefined, as(operator));
    expect(members.body.data).toMatchObject([{ id: admin.userId }]);
    expect(JSON.stringify(members.body)).not.toMatch(/passwordHash|tokenVersion|totp/);
    expect((await call(`GET /api/admin/organizations/${randomUUID()}`, undefined, as(operator))).status).toBe(404);
    expect((await call(`GET /api/admin/users/${randomUUID()}`, undefined, as(operator))).status).toBe(404);
  });

  test('lists come in pages without gaps or repeats', async () => {
    const operator = await anOperator();
    const made = await Promise.all(Array.from({ length: 7 }, () => anOrg({ id: 'team', limits: { seats: 7 } })));
    const found: string[] = [];
    for (let next: string | null = ''; next !== null;) {
      const target = `GET /api/admin/organizations?plan=team&limit=3${next && `&nextToken=${next}`}`;
      const page = await call(target, undefined, as(operator));
      expect(page.body.data.length).toBeLessThanOrEqual(3);
      found.push(...page.body.data.map((one: { id: string }) => one.id));
      next = page.body.nextToken;
    }
    expect(new Set(found).size).toBe(found.length);
    expect(found).toEqual(expect.arrayContaining(made.map(({ orgId }) => orgId)));
  });

  test('a suspended one is closed at the next request and open again as soon as it is reopened', async () => {
    const operator = await anOperator();
    const { orgId, admin } = await anOrg();
    const key = await anApiKey(admin);
    const set = (status: string) => call(`PUT /api/admin/organizations/${orgId}`, { status }, as(operator));
    expect(await set('SUSPENDED')).toMatchObject({ status: 200, body: { status: 'SUSPENDED' } });
    for (const token of [admin.token, key])
      expect((await call('GET /api/org/me', undefined, { token })).status).toBe(403);
    expect((await set('ACTIVE')).status).toBe(200);
    for (const token of [admin.token, key])
      expect((await call('GET /api/org/me', undefined, { token })).status).toBe(200);
    const audit = await call('GET /api/org/audit', undefined, as(admin));
    expect(audit.body.data).toMatchObject([
      { action: 'organization.changed_by_platform', actor: { kind: 'platform', id: operator.adminId } },
      { details: { status: 'SUSPENDED' } },
    ]);
    const own = await call(`GET /api/admin/audit?actor=${operator.adminId}`, undefined, as(operator));
    expect(own.body.data).toHaveLength(2);
    const theirs = await call(`GET /api/admin/audit?organizationId=${orgId}`, undefined, as(operator));
    expect(theirs.body.data).toHaveLength(2);
  });

  test('suspending and changing the plan at the same moment never reopens it', async () => {
    const operator = await anOperator();
    for (let round = 0; round < 5; round += 1) {
      const { orgId } = await anOrg({ id: 'trial', trialEndsAt: null });
      const put = (body: object) => call(`PUT /api/admin/organizations/${orgId}`, body, as(operator));
      const plans = Array.from({ length: 5 }, () => put({ plan: { id: 'team' } }));
      const answers = await Promise.all([put({ status: 'SUSPENDED' }), ...plans]);
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      const { body } = await call(`GET /api/admin/organizations/${orgId}`, undefined, as(operator));
      expect(body).toMatchObject({ status: 'SUSPENDED', plan: { id: 'team' } });
    }
  });

  test('without an identity provider nobody is switched to one', async () => {
    const operator = await anOperator();
    const { orgId } = await anOrg();
    const answer = await call(`PUT /api/admin/organizations/${orgId}`, { authProvider: 'SSO' }, as(operator));
    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'sso_not_configured' } } });
  });
});

describe('plans', () => {
  test('are listed with their limits', async () => {
    const { body } = await call('GET /api/admin/plans', undefined, as(await anOperator()));
    expect(body.data.map((plan: { id: string }) => plan.id)).toEqual(['personal', 'trial', 'team', 'enterprise']);
    for (const { limits } of body.data) expect(Object.keys(limits)).toHaveLength(5);
  });

  test('an operator changes the plan of an organization, and it holds at the next request', async () => {
    const operator = await anOperator();
    const { orgId, admin } = await anOrg({ id: 'trial', trialEndsAt: Date.now() - 1 });
    const invite = () => call('POST /api/org/team/invite', { email: `${randomUUID()}@example.test` }, as(admin));
    expect((await invite()).status).toBe(402);
    const path = `PUT /api/admin/organizations/${orgId}`;
    const changed = await call(path, { plan: { id: 'team', limits: { seats: 2 } } }, as(operator));
    expect(changed.body).toMatchObject({
      status: 'ACTIVE',
      plan: { id: 'team', trialEndsAt: null, limits: { seats: 2 } },
    });
    expect((await invite()).status).toBe(201);
    expect((await invite()).body.error).toMatchObject({ limit: 'seats', size: 2 });
    const unlimited = await call(path, { plan: { id: 'enterprise' } }, as(operator));
    expect(unlimited.body.plan.limits.seats).toBeNull();
    expect((await invite()).status).toBe(201);
  });

  test('a trial always ends, other plans never do, and the personal plan is for people only', async () => {
    const operator = await anOperator();
    const { orgId } = await anOrg();
    const set = (plan: object) => call(`PUT /api/admin/organizations/${orgId}`, { plan }, as(operator));
    const trial = await set({ id: 'trial' });
    expect(Date.parse(trial.body.plan.trialEndsAt)).toBeGreaterThan(Date.now() + 13 * 86_400_000);
    expect(trial.body.status).toBe('TRIAL');
    const at = '2030-01-01T00:00:00.000Z';
    expect((await set({ id: 'trial', trialEndsAt: at })).body.plan.trialEndsAt).toBe(at);
    expect((await set({ id: 'team', trialEndsAt: at })).status).toBe(422);
    expect((await set({ id: 'personal' })).status).toBe(422);
    expect((await set({ id: 'team', limits: { seats: -1 } })).status).toBe(422);
    expect((await set({ id: 'trial' })).status).toBe(200);
  });
});

describe('users', () => {
  const status = async (person: Person) => (await call('GET /api/org/usage', undefined, as(person))).status;

  test('an operator switches a person off and on; the organization cannot undo it', async () => {
    const operator = await anOperator();
    const { orgId, admin } = await anOrg();
    const member = await aUser({ orgId });
    const key = await anApiKey(member);
    const path = `POST /api/admin/users/${member.userId}`;
    const off = await call(`${path}/deactivate`, { reason: 'abuse' }, as(operator));
    expect(off).toMatchObject({ status: 200, body: { status: 'INACTIVE' } });
    expect(await status(member)).toBe(401);
    expect((await call('GET /api/org/me', undefined, { token: key })).status).toBe(401);
    expect((await call(`POST /api/org/team/${member.userId}/reactivate`, {}, as(admin))).status).toBe(403);
    expect((await call(`${path}/reactivate`, undefined, as(operator))).body).toMatchObject({ status: 'ACTIVE' });
    expect((await call('GET /api/org/me', undefined, { token: key })).status).toBe(200);
    const { body } = await call('GET /api/org/me', undefined, as(admin));
    expect(body).toMatchObject({ activeMembers: 2, inactiveMembers: 0 });
  });

  test('what the organization has switched off, the operator can bar for good', async () => {
    const operator = await anOperator();
    const { orgId, admin } = await anOrg();
    const member = await aUser({ orgId });
    await call(`POST /api/org/team/${member.userId}/deactivate`, {}, as(admin));
    await call(`POST /api/admin/users/${member.userId}/deactivate`, {}, as(operator));
    expect((await call(`POST /api/org/team/${member.userId}/reactivate`, {}, as(admin))).status).toBe(403);
    expect((await call(`DELETE /api/org/team/${member.userId}`, undefined, as(admin))).status).toBe(204);
    const user = await call(`GET /api/admin/users/${member.userId}`, undefined, as(operator));
    expect(user.body).toMatchObject({ status: 'INACTIVE', organizationId: null });
  });

  test('a person without an organization is switched off as well', async () => {
    const operator = await anOperator();
    const loner = await aUser();
    expect((await call(`POST /api/admin/users/${loner.userId}/deactivate`, {}, as(operator))).status).toBe(200);
    expect(await status(loner)).toBe(401);
  });

  test('the last active admin of an organization stays, and a full plan has no seat for anyone', async () => {
    const operator = await anOperator();
    const { orgId, admin } = await anOrg({ id: 'team', limits: { seats: 2 } });
    const last = await call(`POST /api/admin/users/${admin.userId}/deactivate`, {}, as(operator));
    expect(last).toMatchObject({ status: 409, body: { error: { code: 'last_admin' } } });
    const member = await aUser({ orgId });
    await call(`POST /api/admin/users/${member.userId}/deactivate`, {}, as(operator));
    await aUser({ orgId });
    const full = await call(`POST /api/admin/users/${member.userId}/reactivate`, undefined, as(operator));
    expect(full).toMatchObject({ status: 402, body: { error: { limit: 'seats', size: 2 } } });
  });

  test('a locked account can be tried again as soon as an operator unlocks it', async () => {
    const operator = await anOperator();
    const account = await anAccount();
    for (let i = 0; i < 5; i += 1) expect((await login(account.email, 'wrong')).status).toBe(401);
    expect((await login(account.email)).status).toBe(429);
    const answer = await call(`POST /api/admin/users/${account.userId}/unlock`, undefined, as(operator));
    expect(answer.status).toBe(202);
    expect((await login(account.email)).status).toBe(200);
  });

  test('a reset link is mailed to those who have a password here', async () => {
    const operator = await anOperator();
    const account = await anAccount();
    const elsewhere = await anAccount({ passwordHash: null, authSource: 'SSO' });
    const send = (userId: string) => call(`POST /api/admin/users/${userId}/send-reset`, undefined, as(operator));
    expect((await send(account.userId)).status).toBe(202);
    expect(tokenIn(await awaitMail(account.email, /Set a new password/))).not.toBe('');
    expect(await send(elsewhere.userId)).toMatchObject({
      status: 409,
      body: { error: { code: 'password_managed_externally' } },
    });
  });

  test('their sessions end at once when an operator says so', async () => {
    const operator = await anOperator();
    const loner = await aUser();
    const answer = await call(`POST /api/admin/users/${loner.userId}/revoke-sessions`, undefined, as(operator));
    expect(answer).toMatchObject({ status: 202, body: { status: 'ACCEPTED' } });
    expect(await status(loner)).toBe(401);
    const unknown = await call(`POST /api/admin/users/${randomUUID()}/revoke-sessions`, undefined, as(operator));
    expect(unknown.status).toBe(404);
  });
});
