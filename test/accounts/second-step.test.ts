import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { totpCode } from '../../shared/identity/totp.ts';
import { aSignedIn, atOnce, login, PASSWORD, userRow } from '../support/accounts.ts';
import { call } from '../support/call.ts';
import { awaitMail, codeIn } from '../support/mailbox.ts';

const step = () => Math.floor(Date.now() / 30_000);
const verify = (challengeId: string, code: string) => call('POST /api/auth/verify-login-otp', { challengeId, code });

async function enrolled() {
  const account = await aSignedIn();
  const enroll = await call('POST /api/auth/totp/enroll', { password: PASSWORD }, account);
  const { secret } = enroll.body;
  const confirm = await call('POST /api/auth/totp/confirm', { code: totpCode(secret, step()) }, account);
  return { ...account, secret, enroll, confirm, token: confirm.body.session?.token, old: account.token };
}

test('mailed codes are switched on and off with the password, and every other session ends', async () => {
  const { email, token } = await aSignedIn();
  const toggle = (body: object, by: string) => call('PUT /api/auth/me', body, { token: by });
  expect(await toggle({ otpEnabled: true }, token)).toMatchObject({
    status: 422,
    body: { detail: [{ loc: ['body', 'password'] }] },
  });
  expect(await toggle({ otpEnabled: true, password: 'wrong' }, token)).toMatchObject({ status: 401 });
  const on = await toggle({ otpEnabled: true, password: PASSWORD }, token);
  expect(on).toMatchObject({ status: 200, body: { otpEnabled: true, session: { status: 'AUTHENTICATED' } } });
  expect(await call('GET /api/auth/me', undefined, { token })).toMatchObject({ status: 401 });
  const challenge = (await login(email)).body;
  expect(challenge.channel).toBe('EMAIL');
  const signedIn = await verify(challenge.challengeId, codeIn(await awaitMail(email, /login code/)));
  const off = await toggle({ otpEnabled: false, password: PASSWORD }, signedIn.body.token);
  expect(off).toMatchObject({ status: 200, body: { otpEnabled: false } });
  expect((await login(email)).body.status).toBe('AUTHENTICATED');
  await awaitMail(email, /Two-step login is off/);
});

test('an app is enrolled with the password, confirmed with a code, and then asked at login', async () => {
  const { email, userId, secret, enroll, confirm, token, old } = await enrolled();
  expect(enroll.body.otpauthUri).toContain(`secret=${secret}`);
  expect(confirm).toMatchObject({ status: 200 });
  expect(new Set(confirm.body.recoveryCodes).size).toBe(10);
  const stored = JSON.stringify(await userRow(userId));
  expect(stored).not.toContain(secret);
  expect(await call('GET /api/auth/me', undefined, { token: old })).toMatchObject({ status: 401 });
  expect(await call('GET /api/auth/me', undefined, { token })).toMatchObject({
    body: { totpEnabled: true, otpEnabled: true },
  });

  const challenge = (await login(email)).body;
  expect(challenge).toMatchObject({ channel: 'TOTP', resendAvailableAt: null });
  expect(await call('POST /api/auth/resend-login-otp', { challengeId: challenge.challengeId })).toMatchObject({
    status: 409,
  });
  const used = totpCode(secret, step());
  expect(await verify(challenge.challengeId, used)).toMatchObject({
    status: 401,
    body: { error: { code: 'otp_invalid' } },
  });
  const next = totpCode(secret, step() + 1);
  const right = await verify(challenge.challengeId, next);
  expect(right).toMatchObject({ status: 200 });
  expect(decodeJwt(right.body.token)['amr']).toEqual(['pwd', 'totp']);
  const again = (await login(email)).body;
  expect(await verify(again.challengeId, next)).toMatchObject({ status: 401 });
});

test('a recovery code works once, in any spelling, also for twenty at once', async () => {
  const { email, confirm } = await enrolled();
  const [code, other] = confirm.body.recoveryCodes as string[];
  const challenges = await Promise.all([login(email), login(email)]);
  const spelled = code!.toUpperCase().replaceAll('-', ' ');
  const { statuses } = await atOnce(4, (at) => verify(challenges[at % 2]!.body.challengeId, spelled));
  expect(statuses[200]).toBe(1);
  const third = (await login(email)).body;
  expect(await verify(third.challengeId, code!)).toMatchObject({ status: 401 });
  expect(await verify(third.challengeId, other!)).toMatchObject({ status: 200 });
});

test('an app is removed only with the password and a code', async () => {
  const { email, confirm, token } = await enrolled();
  const remove = (body: object) => call('DELETE /api/auth/totp', body, { token });
  const [code] = confirm.body.recoveryCodes as string[];
  expect(await remove({ password: 'wrong', code })).toMatchObject({
    status: 401,
    body: { error: { code: 'invalid_credentials' } },
  });
  expect(await remove({ password: PASSWORD, code: '000000' })).toMatchObject({
    status: 401,
    body: { error: { code: 'otp_invalid' } },
  });
  expect(await call('PUT /api/auth/me', { otpEnabled: false, password: PASSWORD }, { token })).toMatchObject({
    status: 409,
  });
  const removed = await remove({ password: PASSWORD, code });
  expect(removed).toMatchObject({ status: 200, body: { session: { user: { otpEnabled: false } } } });
  expect((await login(email)).body.status).toBe('AUTHENTICATED');
});

test('nothing is confirmed without enrolment, and wrong codes are counted', async () => {
  const account = await aSignedIn();
  const confirm = (code: string) => call('POST /api/auth/totp/confirm', { code }, account);
  expect(await confirm('123456')).toMatchObject({ status: 409 });
  expect(await call('POST /api/auth/totp/enroll', { password: 'wrong' }, account)).toMatchObject({ status: 401 });
  await call('POST /api/auth/totp/enroll', { password: PASSWORD }, account);
  const { statuses } = await atOnce(20, () => confirm('abcdef'));
  expect(statuses).toEqual({ 401: 10, 429: 10 });
});
