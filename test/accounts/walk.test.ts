import { expect, test } from 'vitest';
import { newAddress, PASSWORD } from '../support/accounts.ts';
import { call } from '../support/call.ts';
import { awaitMail, codeIn, tokenIn } from '../support/mailbox.ts';

/** What a client does that knows only the documentation. */
test('a company registers, invites, signs in with codes, changes roles, deactivates, and works with a key', async () => {
  const [founder, colleague] = [newAddress(), newAddress()];
  const company = { companyName: 'Walk & Sons', name: 'Fay Founder', email: founder, password: PASSWORD };
  const { body: registered } = await call('POST /api/auth/register-company', company);
  expect(registered.user.role).toBe('ROLE_ORG_ADMIN');
  const verified = await call('POST /api/auth/verify-email', { token: tokenIn(await awaitMail(founder, /Confirm/)) });
  expect(verified.body).toEqual({ verified: true });

  const admin = (await call('POST /api/auth/login', { email: founder, password: PASSWORD })).body;
  expect(admin.landing).toBe('/org');
  const asAdmin = { token: admin.token as string };
  const invite = await call('POST /api/org/team/invite', { email: colleague, name: 'Cory' }, asAdmin);
  expect(invite.status).toBe(201);
  const invitation = await awaitMail(colleague, /Invitation to Walk & Sons/);
  expect(invitation.html).toContain('Walk &amp; Sons');
  const token = tokenIn(invitation);
  expect((await call(`GET /api/auth/invite/${token}`)).body).toMatchObject({ email: colleague, needsPassword: true });
  const joined = (await call('POST /api/auth/invite/accept', { token, password: 'a sentence for Cory alone' })).body;
  expect(joined.user).toMatchObject({ name: 'Cory', organizationId: registered.organization.id });

  const on = await call(
    'PUT /api/auth/me',
    { otpEnabled: true, password: 'a sentence for Cory alone' },
    { token: joined.token },
  );
  expect(on.body.otpEnabled).toBe(true);
  const credentials = { email: colleague, password: 'a sentence for Cory alone' };
  const challenge = (await call('POST /api/auth/login', credentials)).body;
  expect(challenge.status).toBe('OTP_REQUIRED');
  const code = codeIn(await awaitMail(colleague, /login code/));
  const member = (await call('POST /api/auth/verify-login-otp', { challengeId: challenge.challengeId, code })).body;
  const me = () => call('GET /api/auth/me', undefined, { token: member.token });
  expect((await me()).body.role).toBe('ROLE_USER');

  const userId = member.user.id as string;
  expect(await call(`PUT /api/org/team/${userId}/role`, { role: 'ROLE_ADMIN' }, asAdmin)).toMatchObject({
    status: 200,
  });
  expect(await me()).toMatchObject({ status: 401, body: { error: { code: 'token_revoked' } } });
  expect(await call(`POST /api/org/team/${userId}/deactivate`, {}, asAdmin)).toMatchObject({ status: 200 });
  expect(await call('POST /api/auth/login', credentials)).toMatchObject({
    status: 403,
    body: { error: { code: 'account_disabled' } },
  });
  expect(await call(`POST /api/org/team/${userId}/reactivate`, {}, asAdmin)).toMatchObject({ status: 200 });
  expect(await call('POST /api/auth/login', credentials)).toMatchObject({
    status: 200,
    body: { status: 'OTP_REQUIRED' },
  });

  const { key } = (await call('POST /api/auth/api-keys', { name: 'CI', allowedRoutes: ['GET /api/org/team'] }, asAdmin))
    .body;
  const byKey = (target: string) => call(target, undefined, { headers: { 'x-api-key': key } });
  expect(await byKey('GET /api/org/team')).toMatchObject({ status: 200 });
  expect(await byKey('GET /api/auth/me')).toMatchObject({ status: 403 });
  expect(await byKey('POST /api/org/team/invite')).toMatchObject({ status: 403 });

  const audit = await call('GET /api/org/audit', undefined, asAdmin);
  const actions = new Set(audit.body.data.map((entry: { action: string }) => entry.action));
  for (const action of ['company.registered', 'invite.accepted', 'login.succeeded', 'otp.enabled', 'api_key.created'])
    expect(actions).toContain(action);
});
