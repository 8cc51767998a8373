import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { login, newAddress, PASSWORD } from '../support/accounts.ts';
import { call } from '../support/call.ts';
import { awaitMail, mailsTo, tokenIn } from '../support/mailbox.ts';
import { verifies } from '../support/verifies.ts';

/** A company as its founder registers it. */
async function aCompany() {
  const email = newAddress();
  const company = { companyName: `Acme ${randomUUID().slice(0, 8)}`, name: 'Ada Founder', email, password: PASSWORD };
  const { status, body } = await call('POST /api/auth/register-company', company);
  expect(status).toBe(201);
  const { body: session } = await login(email);
  return { orgId: body.organization.id as string, name: company.companyName, email, token: session.token as string };
}

async function accept(token: string, extra: object = { name: 'Mel Member', password: PASSWORD }) {
  return call('POST /api/auth/invite/accept', { token, ...extra });
}

async function aMember(admin: { token: string }, invite: object = {}) {
  const email = newAddress();
  const invited = await call('POST /api/org/team/invite', { email, ...invite }, admin);
  expect(invited.status).toBe(201);
  const mail = await awaitMail(email, /Invitation/);
  const { status, body } = await accept(tokenIn(mail));
  expect(status).toBe(200);
  return { id: body.user.id as string, email, token: body.token as string, mail };
}

describe('joining', () => {
  verifies(
    'org/invite',
    'the mail names company and inviter, and its link makes the person a member with groups and department',
    async () => {
      const admin = await aCompany();
      const { body: group } = await call('POST /api/org/groups', { name: 'Legal' }, admin);
      const { body: department } = await call('POST /api/org/departments', { name: 'Vienna' }, admin);
      const invite = {
        groupIds: [group.id],
        departmentId: department.id,
        role: 'ROLE_USER',
        message: 'Hi <b>there</b>',
      };
      const member = await aMember(admin, invite);
      expect(member.mail.text).toContain(admin.name);
      expect(member.mail.text).toContain('Ada Founder');
      expect(member.mail.html).not.toContain('<b>there</b>');
      const team = await call(`GET /api/org/team/${member.id}`, undefined, admin);
      expect(team.body).toMatchObject({ role: 'ROLE_USER', groups: [group.id], departmentId: department.id });
      const inGroup = await call(`GET /api/org/groups/${group.id}/members`, undefined, admin);
      expect(inGroup.body.data).toMatchObject([{ id: member.id }]);
      const org = await call('GET /api/org/me', undefined, admin);
      expect(org.body).toMatchObject({ activeMembers: 2, pendingInvites: 0, plan: { id: 'trial' } });
      const usage = await call('GET /api/org/usage', undefined, { token: member.token });
      expect(usage.body.limits[0]).toMatchObject({ limit: 'seats', used: 2, size: 10 });
    },
  );

  verifies(
    'org/invitation-only',
    'an invitation works once, not after it was revoked or replaced, and there is no other way in',
    async () => {
      const admin = await aCompany();
      const member = await aMember(admin);
      expect((await accept(tokenIn(member.mail))).body.error.code).toBe('invite_invalid');

      const email = newAddress();
      const { body } = await call('POST /api/org/team/invite', { email }, admin);
      const first = tokenIn(await awaitMail(email, /Invitation/));
      await call(`POST /api/org/team/invites/${body.invite.id}/resend`, undefined, admin);
      const second = tokenIn(await awaitMail(email, /Invitation/, { count: 2 }));
      expect((await accept(first)).status).toBe(404);
      await call(`DELETE /api/org/team/invites/${body.invite.id}`, undefined, admin);
      expect((await accept(second)).status).toBe(404);

      const outsider = newAddress();
      const sneaky = {
        name: 'Eve',
        email: outsider,
        password: PASSWORD,
        orgId: admin.orgId,
        organizationId: admin.orgId,
      };
      expect((await call('POST /api/auth/register', sneaky)).status).toBe(201);
      const { body: session } = await login(outsider);
      expect((await call('GET /api/org/me', undefined, { token: session.token })).status).toBe(404);
      expect((await call('GET /api/org/me', undefined, admin)).body).toMatchObject({ activeMembers: 2 });
    },
  );

  test('twenty acceptances of one invitation at the same moment make one member', async () => {
    const admin = await aCompany();
    const email = newAddress();
    await call('POST /api/org/team/invite', { email }, admin);
    const token = tokenIn(await awaitMail(email, /Invitation/));
    const answers = await Promise.all(Array.from({ length: 20 }, () => accept(token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const org = await call('GET /api/org/me', undefined, admin);
    expect(org.body).toMatchObject({ activeMembers: 2, pendingInvites: 0 });
  });
});

describe('switching members off and on', () => {
  verifies(
    ['org/deactivate-member', 'org/reactivate-member'],
    'a deactivated member cannot sign in, a reactivated one can, and both are told by mail',
    async () => {
      const admin = await aCompany();
      const member = await aMember(admin);
      expect((await call(`POST /api/org/team/${member.id}/deactivate`, {}, admin)).status).toBe(200);
      expect((await call('GET /api/auth/me', undefined, { token: member.token })).status).toBe(401);
      const refused = await login(member.email);
      expect(refused).toMatchObject({ status: 403, body: { error: { code: 'account_disabled' } } });
      await awaitMail(member.email, /deactivated/);
      expect((await call(`POST /api/org/team/${member.id}/reactivate`, {}, admin)).status).toBe(200);
      const back = await login(member.email);
      expect(back.status).toBe(200);
      expect((await call('GET /api/auth/me', undefined, { token: back.body.token })).status).toBe(200);
      await awaitMail(member.email, /active again/);
    },
  );

  test('an admin has a reset link mailed to a member', async () => {
    const admin = await aCompany();
    const member = await aMember(admin);
    expect((await call(`POST /api/org/team/${member.id}/send-reset`, undefined, admin)).status).toBe(202);
    const token = tokenIn(await awaitMail(member.email, /Set a new password/));
    const password = 'a rather different phrase';
    expect((await call('POST /api/auth/reset-password', { token, password })).status).toBe(200);
    expect((await login(member.email)).status).toBe(401);
    expect((await login(member.email, password)).status).toBe(200);
  });

  test('a login code that the organization demands is asked of everyone in it', async () => {
    const admin = await aCompany();
    const member = await aMember(admin);
    await call('PUT /api/org/auth-settings', { requireOtp: true }, admin);
    const answer = await login(member.email);
    expect(answer).toMatchObject({ status: 200, body: { status: 'OTP_REQUIRED' } });
    await awaitMail(member.email, /code/);
  });

  test('someone who was removed can be invited again and comes back with the same account', async () => {
    const admin = await aCompany();
    const member = await aMember(admin);
    await call(`DELETE /api/org/team/${member.id}`, undefined, admin);
    await call('POST /api/org/team/invite', { email: member.email, role: 'ROLE_ADMIN' }, admin);
    const token = tokenIn(await awaitMail(member.email, /Invitation/, { count: 2 }));
    const { body: session } = await login(member.email);
    const back = await call('POST /api/auth/invite/accept', { token }, { token: session.token });
    expect(back).toMatchObject({ status: 200, body: { user: { id: member.id, role: 'ROLE_ORG_ADMIN' } } });
    const org = await call('GET /api/org/me', undefined, admin);
    expect(org.body).toMatchObject({ activeMembers: 2, activeAdmins: 2, pendingInvites: 0 });
    expect(await mailsTo(member.email)).toEqual(
      expect.arrayContaining([expect.objectContaining({ subject: 'You have left your organization' })]),
    );
  });
});
