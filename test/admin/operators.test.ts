import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openMailbox } from '../../infra/local/mailbox.ts';
import { call, type Answer } from '../support/call.ts';
import { codeIn, tokenIn } from '../support/mailbox.ts';
import { spawnHost, TEST_ENVIRONMENT, type SpawnedHost } from '../support/spawn-host.ts';
import { verifies } from '../support/verifies.ts';

/** The first operator exists once per installation, so these tests have one of their own, and build on one another. */
let host: SpawnedHost;
beforeAll(async () => {
  host = await spawnHost({ env: { ENV: 'test', BCRYPT_COST: '4' } });
});
afterAll(() => host.stop());

const setupKey = TEST_ENVIRONMENT.ADMIN_SETUP_KEY;
const PASSWORD = 'quiet-copper-lantern';
const first = { name: 'Olga', email: 'olga@example.test', password: PASSWORD };

const ask = (target: string, body?: unknown, token?: string): Promise<Answer> =>
  call(target, body, { url: host.url, token });

const mailsTo = (address: string) => openMailbox(path.join(host.dataDir, 'mail')).list(address);

/** The newest mail about something, once there are this many. */
const awaitMail = (address: string, subject: RegExp, count = 1) =>
  vi.waitFor(
    () => {
      const found = mailsTo(address).filter((mail) => subject.test(mail.subject));
      if (!found[0] || found.length < count) throw new Error(`No mail to ${address} about ${subject}`);
      return found[0];
    },
    { timeout: 10_000, interval: 20 },
  );

async function signIn(email: string, password = PASSWORD): Promise<string> {
  const before = mailsTo(email).filter(({ subject }) => subject.includes('code')).length;
  const challenge = await ask('POST /api/admin/auth/login', { email, password });
  expect(challenge).toMatchObject({ status: 200, body: { status: 'OTP_REQUIRED', channel: 'EMAIL' } });
  const mail = await awaitMail(email, /code/, before + 1);
  const { challengeId } = challenge.body;
  const done = await ask('POST /api/admin/auth/verify-login-otp', { challengeId, code: codeIn(mail) });
  expect(done).toMatchObject({ status: 200, body: { status: 'AUTHENTICATED', landing: '/platform' } });
  return done.body.token;
}

async function another(token: string, email: string): Promise<{ id: string; token: string }> {
  const created = await ask('POST /api/admin/auth/admins', { name: 'Another one', email }, token);
  expect(created).toMatchObject({ status: 201, body: { email, status: 'INVITED' } });
  const mail = await awaitMail(email, /operator/);
  const reset = { token: tokenIn(mail), password: PASSWORD };
  expect((await ask('POST /api/admin/auth/reset-password', reset)).status).toBe(200);
  return { id: created.body.id, token: await signIn(email) };
}

describe('set-up', () => {
  verifies('admin/setup-key', 'is refused without the right key', async () => {
    expect((await ask('GET /api/admin/auth/status')).body).toEqual({ setupRequired: true });
    for (const key of [undefined, '', 'wrong', `${setupKey}x`, setupKey.slice(0, -1)]) {
      const answer = await ask('POST /api/admin/auth/setup', { ...first, setupKey: key });
      expect(answer).toMatchObject({ status: 403, body: { error: { code: 'setup_key_invalid' } } });
    }
    expect((await ask('POST /api/admin/auth/setup', { ...first, setupKey, password: 'short' })).status).toBe(422);
    expect((await ask('GET /api/admin/auth/status')).body).toEqual({ setupRequired: true });
  });

  verifies('admin/setup-key', 'of twenty at the same moment exactly one goes through, and none later', async () => {
    const tries = Array.from({ length: 20 }, (_, i) => {
      const email = i === 0 ? first.email : `olga+${i}@example.test`;
      return ask('POST /api/admin/auth/setup', { ...first, email, setupKey });
    });
    const answers = await Promise.all(tries);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const { status, body } of answers.filter((answer) => answer.status !== 201)) {
      expect({ status, code: body.error.code }).toEqual({ status: 409, code: 'already_initialized' });
    }
    first.email = answers.find(({ status }) => status === 201)?.body.admin.email;
    expect((await ask('GET /api/admin/auth/status')).body).toEqual({ setupRequired: false });
    const later = await call('POST /api/admin/auth/setup', first, {
      url: host.url,
      headers: { 'x-admin-setup-key': setupKey },
    });
    expect(later).toMatchObject({ status: 409, body: { error: { code: 'already_initialized' } } });
  });
});

describe('signing in', () => {
  verifies(
    ['admin/login', 'admin/authenticates-as-owner', 'roles/platform-owner-dashboard'],
    'takes the password and the mailed code, and gives a token of eight hours',
    async () => {
      const token = await signIn(first.email);
      const me = await ask('GET /api/admin/auth/me', undefined, token);
      expect(me).toMatchObject({
        status: 200,
        body: { email: first.email, role: 'ROLE_PLATFORM_OWNER', landing: '/platform' },
      });
      const valid = await ask('GET /api/admin/auth/validate', undefined, token);
      expect(valid.body).toMatchObject({ valid: true, role: 'ROLE_PLATFORM_OWNER', authType: 'JWT' });
      const hours = (valid.body.expiresAt - Date.now() / 1000) / 3600;
      expect(hours).toBeGreaterThan(7.9);
      expect(hours).toBeLessThanOrEqual(8.01);
      const { acct, role } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
      expect({ acct, role }).toEqual({ acct: 'admin', role: 'ROLE_PLATFORM_OWNER' });
    },
  );

  verifies(
    ['admin/login', 'admin/own-table'],
    'an operator is nobody at the users’ login, and the other way round',
    async () => {
      const asUser = await ask('POST /api/auth/login', { email: first.email, password: PASSWORD });
      expect(asUser).toMatchObject({ status: 401, body: { error: { code: 'invalid_credentials' } } });
      const person = { name: 'Uma', email: 'uma@example.test', password: PASSWORD };
      expect((await ask('POST /api/auth/register', person)).status).toBe(201);
      const asOperator = await ask('POST /api/admin/auth/login', person);
      expect(asOperator).toMatchObject({ status: 401, body: { error: { code: 'invalid_credentials' } } });
      const { body } = await ask('POST /api/auth/login', person);
      expect((await ask('GET /api/admin/auth/me', undefined, body.token)).status).toBe(403);
      const registeredAgain = await ask('POST /api/auth/register', { ...person, email: first.email });
      expect(registeredAgain.status).toBe(201);
      expect((await ask('GET /api/admin/auth/admins', undefined, body.token)).status).toBe(403);
    },
  );

  test('a wrong password and an unknown address look alike', async () => {
    const wrong = await ask('POST /api/admin/auth/login', { email: first.email, password: 'not the password' });
    const unknown = await ask('POST /api/admin/auth/login', { email: 'nobody@example.test', password: PASSWORD });
    const bodyOf = ({ body }: Answer) => ({ ...body, error: { ...body.error, request_id: '' } });
    expect(wrong.status).toBe(401);
    expect(bodyOf(wrong)).toEqual(bodyOf(unknown));
  });

  test('a user’s login code does not open the operators’ door', async () => {
    const challenge = await ask('POST /api/admin/auth/login', { email: first.email, password: PASSWORD });
    const { challengeId } = challenge.body;
    const mail = await awaitMail(first.email, /code/);
    const crossed = await ask('POST /api/auth/verify-login-otp', { challengeId, code: codeIn(mail) });
    expect(crossed.status).toBe(401);
    const wrong = await ask('POST /api/admin/auth/verify-login-otp', { challengeId, code: 'abcdef' });
    expect(wrong).toMatchObject({ status: 401, body: { error: { code: 'otp_invalid', attemptsLeft: 4 } } });
  });

  test('signing out ends the token, signing out everywhere ends all', async () => {
    const [one, two] = [await signIn(first.email), await signIn(first.email)];
    expect((await ask('POST /api/admin/auth/logout', undefined, one)).status).toBe(204);
    expect((await ask('GET /api/admin/auth/me', undefined, one)).status).toBe(401);
    expect((await ask('POST /api/admin/auth/logout', { all: true }, two)).status).toBe(204);
    expect((await ask('GET /api/admin/auth/me', undefined, two)).status).toBe(401);
  });

  test('a changed password ends the other sessions and gives a new one', async () => {
    const token = await signIn(first.email);
    const next = 'another-quiet-lantern';
    const wrong = { currentPassword: 'wrong', newPassword: next };
    expect((await ask('POST /api/admin/auth/change-password', wrong, token)).status).toBe(401);
    const right = { currentPassword: PASSWORD, newPassword: next };
    const changed = await ask('POST /api/admin/auth/change-password', right, token);
    expect(changed).toMatchObject({ status: 200, body: { status: 'AUTHENTICATED' } });
    expect((await ask('GET /api/admin/auth/me', undefined, token)).status).toBe(401);
    expect((await ask('GET /api/admin/auth/me', undefined, changed.body.token)).status).toBe(200);
    const back = { currentPassword: next, newPassword: PASSWORD };
    expect((await ask('POST /api/admin/auth/change-password', back, changed.body.token)).status).toBe(200);
  });

  test('login codes are switched off and on only with the password', async () => {
    const token = await signIn(first.email);
    const set = (body: object) => ask('PUT /api/admin/auth/me', body, token);
    expect((await set({ otpEnabled: false })).status).toBe(401);
    expect((await set({ otpEnabled: false, password: PASSWORD, name: 'Olga O' })).body).toMatchObject({
      otpEnabled: false,
      name: 'Olga O',
    });
    const direct = await ask('POST /api/admin/auth/login', { email: first.email, password: PASSWORD });
    expect(direct.body).toMatchObject({ status: 'AUTHENTICATED', user: { role: 'ROLE_PLATFORM_OWNER' } });
    expect((await set({ otpEnabled: true, password: PASSWORD })).status).toBe(200);
  });

  test('a forgotten password is set anew by mail, once per link', async () => {
    const forgot = await ask('POST /api/admin/auth/forgot-password', { email: first.email });
    const nobody = await ask('POST /api/admin/auth/forgot-password', { email: 'nobody@example.test' });
    expect([forgot.status, nobody.status]).toEqual([202, 202]);
    expect(forgot.body).toEqual(nobody.body);
    const token = tokenIn(await awaitMail(first.email, /Set a new password/));
    const use = () => ask('POST /api/admin/auth/reset-password', { token, password: PASSWORD });
    const answers = await Promise.all(Array.from({ length: 5 }, use));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await use()).body.error.code).toBe('token_invalid');
    expect(mailsTo('nobody@example.test')).toEqual([]);
  });
});

describe('operators about operators', () => {
  verifies(
    'admin/manage-admins',
    'a signed-in operator makes, lists, renames and deletes others; the set-up key does not',
    async () => {
      const token = await signIn(first.email);
      const other = await another(token, 'pia@example.test');
      const again = await ask('POST /api/admin/auth/admins', { name: 'Pia', email: 'PIA@example.test' }, token);
      expect(again).toMatchObject({ status: 409, body: { error: { code: 'email_taken' } } });
      const list = await ask('GET /api/admin/auth/admins?q=pi', undefined, token);
      expect(list.body.data).toMatchObject([{ id: other.id, status: 'ACTIVE' }]);
      const renamed = await ask(
        `PUT /api/admin/auth/admins/${other.id}`,
        { name: 'Pia P', email: 'pia2@example.test' },
        token,
      );
      expect(renamed).toMatchObject({ status: 200, body: { name: 'Pia P', email: 'pia2@example.test' } });
      expect((await ask('GET /api/admin/auth/me', undefined, other.token)).status).toBe(401);
      await signIn('pia2@example.test');
      expect((await ask(`DELETE /api/admin/auth/admins/${other.id}`, undefined, token)).status).toBe(204);
      expect((await ask(`DELETE /api/admin/auth/admins/${other.id}`, undefined, token)).status).toBe(404);
      expect((await ask('POST /api/admin/auth/login', { email: 'pia2@example.test', password: PASSWORD })).status).toBe(
        401,
      );
      const byKey = await call(
        'POST /api/admin/auth/admins',
        { name: 'X', email: 'x@example.test', setupKey },
        { url: host.url },
      );
      expect(byKey.status).toBe(401);
    },
  );

  test('deactivation works at the next request, reactivation lets in again, and nobody acts on themselves', async () => {
    const token = await signIn(first.email);
    const other = await another(token, 'quinn@example.test');
    const path = `POST /api/admin/auth/admins/${other.id}`;
    expect((await ask(`${path}/deactivate`, undefined, token)).body).toMatchObject({ status: 'INACTIVE' });
    expect((await ask('GET /api/admin/auth/me', undefined, other.token)).status).toBe(401);
    const refused = await ask('POST /api/admin/auth/login', { email: 'quinn@example.test', password: PASSWORD });
    expect(refused).toMatchObject({ status: 403, body: { error: { code: 'account_disabled' } } });
    expect((await ask(`${path}/reactivate`, undefined, token)).body).toMatchObject({ status: 'ACTIVE' });
    await signIn('quinn@example.test');
    const { body: me } = await ask('GET /api/admin/auth/me', undefined, token);
    for (const target of [
      `POST /api/admin/auth/admins/${me.id}/deactivate`,
      `DELETE /api/admin/auth/admins/${me.id}`,
    ]) {
      const answer = await ask(target, undefined, token);
      expect(answer).toMatchObject({ status: 409, body: { error: { code: 'cannot_act_on_self' } } });
    }
    expect((await ask(`DELETE /api/admin/auth/admins/${other.id}`, undefined, token)).status).toBe(204);
  });

  test('someone who was invited and never came does not keep the platform governed', async () => {
    const token = await signIn(first.email);
    const invited = await ask('POST /api/admin/auth/admins', { name: 'Ghost', email: 'ghost@example.test' }, token);
    const other = await another(token, 'rita@example.test');
    const { body: me } = await ask('GET /api/admin/auth/me', undefined, token);
    const strikes = await Promise.all([
      ask(`POST /api/admin/auth/admins/${other.id}/deactivate`, undefined, token),
      ask(`DELETE /api/admin/auth/admins/${me.id}`, undefined, other.token),
    ]);
    expect(strikes.filter(({ status }) => status < 300)).toHaveLength(1);
    const left = await Promise.all([token, other.token].map((one) => ask('GET /api/admin/auth/me', undefined, one)));
    expect(left.filter(({ status }) => status === 200)).toHaveLength(1);
    const survivor = left[0]?.status === 200 ? token : other.token;
    const ghost = await ask(`DELETE /api/admin/auth/admins/${invited.body.id}`, undefined, survivor);
    expect(ghost.status).toBe(204);
    const audit = await ask('GET /api/admin/audit?action=operator', undefined, survivor);
    expect(audit.body.data[0]).toMatchObject({ action: 'operator.deleted', actor: { kind: 'platform' } });
  });
});
