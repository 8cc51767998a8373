import { describe, expect, test } from 'vitest';
import { createQuota } from '../../shared/plans/quota.ts';
import { systemClock } from '../../shared/time.ts';
import { call } from '../support/call.ts';
import { anOrg, aUser } from '../support/people.ts';
import { spawnHost } from '../support/spawn-host.ts';

const as = (person: { token: string }) => ({ token: person.token });

describe('how members sign in', () => {
  test('an admin demands a login code from everyone', async () => {
    const { admin } = await anOrg();
    const before = await call('GET /api/org/auth-settings', undefined, as(admin));
    expect(before.body).toEqual({ authProvider: 'NATIVE', requireOtp: false, ssoAvailable: false });
    const after = await call('PUT /api/org/auth-settings', { requireOtp: true }, as(admin));
    expect(after).toMatchObject({ status: 200, body: { authProvider: 'NATIVE', requireOtp: true } });
  });

  test('without an identity provider nobody is sent to one, and the answer names what is missing', async () => {
    const { admin } = await anOrg();
    const answer = await call('PUT /api/org/auth-settings', { authProvider: 'SSO', requireOtp: true }, as(admin));
    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'sso_not_configured' } } });
    expect(answer.body.error.missing).toContain('IDP_ISSUER_URI');
    const now = await call('GET /api/org/auth-settings', undefined, as(admin));
    expect(now.body).toMatchObject({ authProvider: 'NATIVE', requireOtp: false });
  });
});

test('with an identity provider an organization moves to it, and whoever moved it keeps a way in with password and code', async () => {
  const idp = {
    IDP_ISSUER_URI: 'https://id.example.test/realms/one',
    IDP_CLIENT_ID: 'atrium',
    IDP_CLIENT_SECRET: 'secret',
    IDP_SSO_CALLBACK_URL: 'http://localhost/sso/callback',
  };
  const host = await spawnHost({ env: { ENV: 'test', BCRYPT_COST: '4', ...idp } });
  const { url } = host;
  try {
    const founder = { companyName: 'Moving', name: 'Mo', email: 'mo@moving.test', password: 'quiet-copper-lantern' };
    expect((await call('POST /api/auth/register-company', founder, { url })).status).toBe(201);
    const { body: session } = await call('POST /api/auth/login', founder, { url });
    const moved = await call('PUT /api/org/auth-settings', { authProvider: 'SSO' }, { url, token: session.token });
    expect(moved).toMatchObject({ status: 200, body: { authProvider: 'SSO', ssoAvailable: true } });
    const again = await call('POST /api/auth/login', founder, { url });
    expect(again).toMatchObject({ status: 200, body: { status: 'OTP_REQUIRED' } });
  } finally {
    await host.stop();
  }
});

describe('usage', () => {
  test('shows every limit of the plan, what is used of it and when it starts again', async () => {
    const { orgId, admin } = await anOrg({ id: 'team', limits: { completions_per_day: 40 } });
    const member = await aUser({ orgId });
    const quota = createQuota(systemClock);
    const payer = { userId: member.userId, orgId, plan: { id: 'team' as const, trialEndsAt: null } };
    await quota.reserve(payer, 'completions_per_day', 3);
    const { body } = await call('GET /api/org/usage', undefined, as(admin));
    expect(body.plan).toMatchObject({ id: 'team', name: 'Team', hasEnded: false });
    expect(body.limits).toEqual([
      { limit: 'seats', used: 2, size: 50, resetsAt: null },
      { limit: 'documents_per_month', used: 0, size: 500, resetsAt: expect.any(String) },
      { limit: 'storage_bytes', used: 0, size: 200 * 1024 ** 3, resetsAt: null },
      { limit: 'completions_per_day', used: 3, size: 40, resetsAt: expect.any(String) },
      { limit: 'knowledge_files', used: 0, size: 5000, resetsAt: null },
    ]);
  });

  test('a person without an organization sees the personal plan, and nobody else’s counts', async () => {
    const [one, two] = [await aUser(), await aUser()];
    const plan = { id: 'personal' as const, trialEndsAt: null };
    await createQuota(systemClock).reserve({ userId: one.userId, orgId: null, plan }, 'documents_per_month', 2);
    const used = async (person: typeof one) =>
      (await call('GET /api/org/usage', undefined, as(person))).body.limits.map(
        (limit: { used: number }) => limit.used,
      );
    expect(await used(one)).toEqual([1, 2, 0, 0, 0]);
    expect(await used(two)).toEqual([1, 0, 0, 0, 0]);
  });
});

describe('the audit list', () => {
  test('tells who did what to whom, newest first, in pages, and only about the own organization', async () => {
    const { orgId, admin } = await anOrg();
    const other = await anOrg();
    const member = await aUser({ orgId });
    const acts = ['deactivate', 'reactivate', 'deactivate', 'reactivate', 'revoke-sessions'];
    for (const act of acts) await call(`POST /api/org/team/${member.userId}/${act}`, {}, as(admin));
    const first = await call('GET /api/org/audit?limit=2', undefined, as(admin));
    const second = await call(`GET /api/org/audit?limit=10&nextToken=${first.body.nextToken}`, undefined, as(admin));
    const entries = [...first.body.data, ...second.body.data];
    expect(entries.map(({ action }) => action)).toEqual([
      'member.sessions_revoked',
      'member.reactivated',
      'member.deactivated',
      'member.reactivated',
      'member.deactivated',
    ]);
    expect(entries[0]).toMatchObject({
      actor: { kind: 'user', id: admin.userId },
      target: { kind: 'user', id: member.userId },
      outcome: 'success',
    });
    expect(Date.parse(entries[0].at)).toBeGreaterThan(Date.now() - 60_000);
    expect((await call('GET /api/org/audit', undefined, as(other.admin))).body.data).toEqual([]);
    expect((await call('GET /api/org/audit?action=member.deactivated', undefined, as(admin))).body.data).toHaveLength(
      2,
    );
    const past = await call('GET /api/org/audit?to=2020-01-01T00:00:00Z', undefined, as(admin));
    expect(past.body.data).toEqual([]);
  });
});
