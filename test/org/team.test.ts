import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { encodeCursor } from '../../shared/store/cursor.ts';
import { call } from '../support/call.ts';
import { anApiKey, anOperator, anOrg, aUser, type Person } from '../support/people.ts';
import { verifies } from '../support/verifies.ts';

const as = (person: { token: string }) => ({ token: person.token });
const teamOf = async (admin: Person) => (await call('GET /api/org/team', undefined, as(admin))).body;

describe('the organization', () => {
  verifies('org/me', 'an admin sees it in full, a member its short form', async () => {
    const { orgId, admin } = await anOrg();
    const member = await aUser({ orgId });
    const full = await call('GET /api/org/me', undefined, as(admin));
    expect(full).toMatchObject({ status: 200, body: { id: orgId, activeMembers: 2, plan: { id: 'enterprise' } } });
    const short = await call('GET /api/org/me', undefined, as(member));
    expect(short).toMatchObject({ status: 200, body: { id: orgId, name: full.body.name } });
    expect(short.body).not.toHaveProperty('plan');
    expect(short.body).not.toHaveProperty('activeMembers');
  });

  test('someone without one is told so', async () => {
    const loner = await aUser();
    for (const path of ['me', 'team', 'groups', 'departments']) {
      const answer = await call(`GET /api/org/${path}`, undefined, as(loner));
      expect(answer).toMatchObject({ status: 404, body: { error: { code: 'no_organization' } } });
    }
    expect(await call('POST /api/org/leave', {}, as(loner))).toMatchObject({ status: 404 });
  });

  test('an admin renames it and the change is in the audit list', async () => {
    const { admin } = await anOrg();
    const answer = await call('PUT /api/org/me', { name: 'New & better', country: 'AT' }, as(admin));
    expect(answer).toMatchObject({ status: 200, body: { name: 'New & better', country: 'AT' } });
    const cleared = await call('PUT /api/org/me', { country: null }, as(admin));
    expect(cleared.body).toMatchObject({ name: 'New & better', country: null });
    const audit = await call('GET /api/org/audit?action=organization', undefined, as(admin));
    expect(audit.body.data).toHaveLength(2);
    expect(audit.body.data[0]).toMatchObject({ action: 'organization.updated', actor: { id: admin.userId } });
    expect(await call('PUT /api/org/me', { name: '  ' }, as(admin))).toMatchObject({ status: 422 });
  });
});

describe('the team', () => {
  verifies(
    'org/team',
    'it lists the members of the own organization, and only names to those who are no admins',
    async () => {
      const { orgId, admin } = await anOrg();
      const member = await aUser({ orgId });
      const other = await anOrg();
      const seen = await teamOf(admin);
      expect(seen.total).toBe(2);
      expect(seen.data.map((one: { id: string }) => one.id).toSorted()).toEqual(
        [admin.userId, member.userId].toSorted(),
      );
      expect(seen.data.find((one: { id: string }) => one.id === member.userId)).toMatchObject({
        email: member.email,
        role: 'ROLE_USER',
        status: 'ACTIVE',
      });
      const names = await call('GET /api/org/team', undefined, as(member));
      for (const one of names.body.data) expect(Object.keys(one).toSorted()).toEqual(['id', 'name']);
      expect(JSON.stringify(await teamOf(other.admin))).not.toContain(member.userId);
    },
  );

  test('it is read page by page and filtered by role, status and text', async () => {
    const { orgId, admin } = await anOrg();
    const people = await Promise.all(Array.from({ length: 12 }, () => aUser({ orgId })));
    const found: string[] = [];
    for (let next: string | null = ''; next !== null;) {
      const page = await call(`GET /api/org/team?limit=5${next && `&nextToken=${next}`}`, undefined, as(admin));
      expect(page.body.data.length).toBeLessThanOrEqual(5);
      found.push(...page.body.data.map((one: { id: string }) => one.id));
      next = page.body.nextToken;
    }
    expect(found).toHaveLength(13);
    expect(new Set(found).size).toBe(13);
    const admins = await call('GET /api/org/team?role=ROLE_ADMIN', undefined, as(admin));
    expect(admins.body.data).toMatchObject([{ id: admin.userId }]);
    const [someone] = people;
    const byMail = await call(`GET /api/org/team?q=${someone?.email.toUpperCase()}`, undefined, as(admin));
    expect(byMail.body.data).toMatchObject([{ id: someone?.userId }]);
    expect((await call('GET /api/org/team?status=INACTIVE', undefined, as(admin))).body.data).toEqual([]);
    for (const wrong of ['limit=1000', 'role=ROLE_KING', 'status=MAYBE'])
      expect((await call(`GET /api/org/team?${wrong}`, undefined, as(admin))).status).toBe(422);
  });

  test('a page token that was made up or belongs to another list is refused', async () => {
    const { orgId, admin } = await anOrg();
    const other = await anOrg();
    const tokens = [
      'nonsense',
      encodeCursor({ pk: `ORG#${orgId}` }),
      encodeCursor({ pk: `ORG#${other.orgId}`, sk: 'MEMBER#0' }),
      encodeCursor({ pk: `ORG#${orgId}`, sk: 'META' }),
      encodeCursor({ pk: `ORG#${orgId}`, sk: 'MEMBER#0', more: 'x' }),
    ];
    for (const token of tokens) {
      const answer = await call(`GET /api/org/team?nextToken=${token}`, undefined, as(admin));
      expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
    }
  });

  verifies(
    'roles/org-admin-scope',
    'people of another organization do not exist for an admin, and nothing about them changes',
    async () => {
      const { admin } = await anOrg();
      const other = await anOrg();
      const stranger = await aUser({ orgId: other.orgId });
      const loner = await aUser();
      for (const { userId } of [stranger, other.admin, loner, { userId: randomUUID() }]) {
        const tries = [
          call(`GET /api/org/team/${userId}`, undefined, as(admin)),
          call(`PUT /api/org/team/${userId}/role`, { role: 'ROLE_ORG_ADMIN' }, as(admin)),
          call(`POST /api/org/team/${userId}/deactivate`, {}, as(admin)),
          call(`POST /api/org/team/${userId}/reactivate`, {}, as(admin)),
          call(`POST /api/org/team/${userId}/revoke-sessions`, {}, as(admin)),
          call(`POST /api/org/team/${userId}/send-reset`, {}, as(admin)),
          call(`DELETE /api/org/team/${userId}`, undefined, as(admin)),
        ];
        for (const answer of await Promise.all(tries)) {
          expect(answer).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
        }
      }
      expect(await call('GET /api/org/me', undefined, as(stranger))).toMatchObject({ status: 200 });
      expect(await teamOf(other.admin)).toMatchObject({ total: 2 });
    },
  );
});

describe('roles', () => {
  verifies(
    ['org/set-role', 'roles/admin-alias'],
    'an admin sets a role, and the older name means the same',
    async () => {
      const { orgId, admin } = await anOrg();
      const member = await aUser({ orgId });
      const raised = await call(`PUT /api/org/team/${member.userId}/role`, { role: 'ROLE_ADMIN' }, as(admin));
      expect(raised).toMatchObject({ status: 200, body: { id: member.userId, role: 'ROLE_ORG_ADMIN' } });
      const again = await call(`PUT /api/org/team/${member.userId}/role`, { role: 'ROLE_ORG_ADMIN' }, as(admin));
      expect(again.status).toBe(200);
      expect((await call('GET /api/org/me', undefined, as(admin))).body.activeAdmins).toBe(2);
      const lowered = await call(`PUT /api/org/team/${member.userId}/role`, { role: 'ROLE_USER' }, as(admin));
      expect(lowered.body.role).toBe('ROLE_USER');
      expect((await call('GET /api/org/me', undefined, as(admin))).body.activeAdmins).toBe(1);
    },
  );

  test('a new role ends the sessions that carried the old one', async () => {
    const { orgId, admin } = await anOrg();
    const member = await aUser({ orgId });
    await call(`PUT /api/org/team/${member.userId}/role`, { role: 'ROLE_ORG_ADMIN' }, as(admin));
    const answer = await call('GET /api/org/me', undefined, as(member));
    expect(answer).toMatchObject({ status: 401, body: { error: { code: 'token_revoked' } } });
  });

  test('the platform role cannot be given away, nor any unknown one', async () => {
    const { orgId, admin } = await anOrg();
    const member = await aUser({ orgId });
    const path = `PUT /api/org/team/${member.userId}/role`;
    expect(await call(path, { role: 'ROLE_PLATFORM_OWNER' }, as(admin))).toMatchObject({
      status: 403,
      body: { error: { code: 'role_not_assignable' } },
    });
    expect(await call(path, { role: 'ROLE_KING' }, as(admin))).toMatchObject({ status: 422 });
    expect(await call(path, {}, as(admin))).toMatchObject({ status: 422 });
    expect(await call('GET /api/org/me', undefined, as(member))).toMatchObject({ status: 200 });
  });
});

describe('the last active admin', () => {
  const attempts = (admin: Person) => [
    call(`PUT /api/org/team/${admin.userId}/role`, { role: 'ROLE_USER' }, as(admin)),
    call(`POST /api/org/team/${admin.userId}/deactivate`, {}, as(admin)),
    call(`DELETE /api/org/team/${admin.userId}`, undefined, as(admin)),
    call('POST /api/org/leave', {}, as(admin)),
  ];

  test('cannot be demoted, deactivated or removed, and cannot leave', async () => {
    const { admin } = await anOrg();
    for (const answer of await Promise.all(attempts(admin)))
      expect(answer).toMatchObject({ status: 409, body: { error: { code: 'last_admin' } } });
    expect((await teamOf(admin)).data).toMatchObject([{ role: 'ROLE_ORG_ADMIN', status: 'ACTIVE' }]);
  });

  test('two admins who demote each other at the same moment leave exactly one', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { orgId, admin: one } = await anOrg();
      const two = await aUser({ orgId, role: 'ROLE_ORG_ADMIN' });
      const demote = (by: Person, whom: Person) =>
        call(`PUT /api/org/team/${whom.userId}/role`, { role: 'ROLE_USER' }, as(by));
      const answers = await Promise.all([demote(one, two), demote(two, one)]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const admins = await Promise.all([one, two].map((person) => call('GET /api/org/audit', undefined, as(person))));
      expect(admins.filter(({ status }) => status === 200)).toHaveLength(1);
    }
  });

  test('twenty admins who demote, deactivate or remove one another in parallel leave at least one, and the count is exact', async () => {
    const { orgId, admin: first } = await anOrg();
    const rest = await Promise.all(Array.from({ length: 19 }, () => aUser({ orgId, role: 'ROLE_ORG_ADMIN' })));
    const admins = [first, ...rest];
    const strike = (by: Person, at: number) => {
      const whom = admins[(at + 1) % admins.length]!.userId;
      if (at % 3 === 0) return call(`PUT /api/org/team/${whom}/role`, { role: 'ROLE_USER' }, as(by));
      if (at % 3 === 1) return call(`POST /api/org/team/${whom}/deactivate`, {}, as(by));
      return call(`DELETE /api/org/team/${whom}`, undefined, as(by));
    };
    const answers = await Promise.all(admins.map(strike));
    for (const { status } of answers) expect([200, 204, 401, 403, 409]).toContain(status);
    const views = await Promise.all(admins.map((admin) => call('GET /api/org/me', undefined, as(admin))));
    const left = views.filter(({ status, body }) => status === 200 && body.activeAdmins !== undefined);
    expect(left.length).toBeGreaterThanOrEqual(1);
    expect(left[0]?.body.activeAdmins).toBe(left.length);
  });
});

describe('deactivation', () => {
  verifies(
    ['auth/revoke-deactivation'],
    'cuts a live token and an API key off at the next request, and frees the seat',
    async () => {
      const { orgId, admin } = await anOrg();
      const member = await aUser({ orgId });
      const key = await anApiKey(member);
      expect((await call('GET /api/org/me', undefined, as(member))).status).toBe(200);
      expect((await call('GET /api/org/me', undefined, { token: key })).status).toBe(200);
      const answer = await call(`POST /api/org/team/${member.userId}/deactivate`, { reason: 'left' }, as(admin));
      expect(answer).toMatchObject({ status: 200, body: { status: 'INACTIVE' } });
      expect((await call('GET /api/org/me', undefined, as(member))).status).toBe(401);
      expect((await call('GET /api/org/me', undefined, { token: key })).status).toBe(401);
      const org = await call('GET /api/org/me', undefined, as(admin));
      expect(org.body).toMatchObject({ activeMembers: 1, inactiveMembers: 1 });
      expect((await call('GET /api/org/team?status=INACTIVE', undefined, as(admin))).body.data).toMatchObject([
        { id: member.userId },
      ]);
    },
  );

  test('twice is the same as once, and reactivation lets the key work again', async () => {
    const { orgId, admin } = await anOrg();
    const member = await aUser({ orgId });
    const key = await anApiKey(member);
    const path = `POST /api/org/team/${member.userId}`;
    for (let i = 0; i < 2; i += 1) expect((await call(`${path}/deactivate`, undefined, as(admin))).status).toBe(200);
    for (let i = 0; i < 2; i += 1) expect((await call(`${path}/reactivate`, undefined, as(admin))).status).toBe(200);
    expect((await call('GET /api/org/me', undefined, { token: key })).status).toBe(200);
    expect((await call('GET /api/org/me', undefined, as(admin))).body).toMatchObject({
      activeMembers: 2,
      inactiveMembers: 0,
    });
  });

  test('members cannot do any of it', async () => {
    const { orgId, admin } = await anOrg();
    const member = await aUser({ orgId });
    const tries = [
      call(`POST /api/org/team/${admin.userId}/deactivate`, {}, as(member)),
      call(`PUT /api/org/team/${member.userId}/role`, { role: 'ROLE_ORG_ADMIN' }, as(member)),
      call(`DELETE /api/org/team/${admin.userId}`, undefined, as(member)),
      call('PUT /api/org/me', { name: 'Mine' }, as(member)),
      call('GET /api/org/audit', undefined, as(member)),
      call('GET /api/org/me', undefined, as(await anOperator())),
    ];
    for (const { status } of await Promise.all(tries)) expect(status).toBe(403);
  });
});

describe('leaving', () => {
  test('whoever is removed keeps a personal account without any right in the organization', async () => {
    const { orgId, admin } = await anOrg();
    const member = await aUser({ orgId, role: 'ROLE_ORG_ADMIN' });
    const key = await anApiKey(member);
    expect((await call(`DELETE /api/org/team/${member.userId}`, undefined, as(admin))).status).toBe(204);
    expect((await call('GET /api/org/me', undefined, as(member))).status).toBe(401);
    expect(await call('GET /api/org/me', undefined, { token: key })).toMatchObject({
      status: 404,
      body: { error: { code: 'no_organization' } },
    });
    expect((await call('GET /api/org/usage', undefined, { token: key })).body.plan.id).toBe('personal');
    expect(await teamOf(admin)).toMatchObject({ total: 1 });
    expect((await call(`DELETE /api/org/team/${member.userId}`, undefined, as(admin))).status).toBe(404);
  });

  test('a member leaves alone', async () => {
    const { orgId, admin } = await anOrg();
    const member = await aUser({ orgId });
    expect((await call('POST /api/org/leave', undefined, as(member))).status).toBe(204);
    expect(await teamOf(admin)).toMatchObject({ total: 1 });
    const audit = await call('GET /api/org/audit?action=member.left', undefined, as(admin));
    expect(audit.body.data).toMatchObject([{ actor: { id: member.userId }, target: { id: member.userId } }]);
  });

  test('ending all sessions of a member refuses the tokens and keeps the keys', async () => {
    const { orgId, admin } = await anOrg();
    const member = await aUser({ orgId });
    const answer = await call(`POST /api/org/team/${member.userId}/revoke-sessions`, undefined, as(admin));
    expect(answer).toMatchObject({ status: 202, body: { status: 'ACCEPTED' } });
    expect((await call('GET /api/org/me', undefined, as(member))).status).toBe(401);
    expect((await call('GET /api/org/me', undefined, { token: await anApiKey(member) })).status).toBe(200);
  });
});
