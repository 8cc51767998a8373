import { expect, test } from 'vitest';
import { anAccount, aSignedIn, atOnce, login, newAddress, PASSWORD, rowsOf, userRow } from '../support/accounts.ts';
import { call } from '../support/call.ts';
import { awaitMail, mailsTo, tokenIn } from '../support/mailbox.ts';
import { host } from '../support/host.ts';
import { verifies } from '../support/verifies.ts';

const NEW = 'another quite good sentence';
const forgot = (email: string, headers?: Record<string, string>) =>
  call('POST /api/auth/forgot-password', { email }, { headers });
const reset = (token: string, password = NEW) => call('POST /api/auth/reset-password', { token, password });
const me = (token: string) => call('GET /api/auth/me', undefined, { token });

verifies(
  ['auth/forgot-password', 'auth/reset-password', 'auth/revoke-password-change'],
  'a mailed link sets a new password; the old one and every session are over',
  async () => {
    const { email, token: session } = await aSignedIn({ otpEnabled: false });
    expect(
      await forgot(email.toUpperCase(), { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'gopher' }),
    ).toMatchObject({
      status: 202,
      body: { status: 'ACCEPTED' },
    });
    const mail = await awaitMail(email, /new password/);
    expect(mail.text).toContain(`${host.url}/account/reset-password#token=`);
    expect(mail.text + mail.html).not.toContain('evil.example');
    const token = tokenIn(mail);
    expect(await rowsOf(`RST#${token}`)).toEqual([]);

    expect(await reset(token, 'short')).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'password_too_short' }] },
    });
    expect(await reset(`${token.slice(1)}a`)).toMatchObject({
      status: 400,
      body: { error: { code: 'token_invalid' } },
    });
    expect(await me(session)).toMatchObject({ status: 200 });
    expect(await reset(token)).toMatchObject({ status: 200, body: { status: 'PASSWORD_CHANGED' } });
    expect(await reset(token)).toMatchObject({ status: 400, body: { error: { code: 'token_invalid' } } });

    expect(await me(session)).toMatchObject({ status: 401, body: { error: { code: 'token_revoked' } } });
    expect(await login(email)).toMatchObject({ status: 401 });
    expect(await login(email, NEW)).toMatchObject({ status: 200 });
    await awaitMail(email, /was changed/);
  },
);

test('asking for a link answers alike for known, unknown, disabled and external accounts', async () => {
  const disabled = await anAccount({ status: 'INACTIVE' });
  const external = await anAccount({ authSource: 'LDAP', passwordHash: null });
  const known = await anAccount();
  const unknown = newAddress();
  const answers = [];
  for (const address of [known.email, unknown, disabled.email, external.email]) answers.push(await forgot(address));
  for (const { status, body } of answers)
    expect({ status, body }).toEqual({ status: 202, body: { status: 'ACCEPTED' } });
  await awaitMail(known.email, /new password/);
  expect((await awaitMail(external.email, /How you sign in/)).text).toContain('directory of your company');
  expect(await mailsTo(disabled.email)).toEqual([]);
  expect(await mailsTo(unknown)).toEqual([]);
});

test('an address gets three links an hour, whether it is known or not', async () => {
  for (const address of [(await anAccount()).email, newAddress()]) {
    const { statuses } = await atOnce(10, () => forgot(address));
    expect(statuses).toEqual({ 202: 3, 429: 7 });
  }
});

test('only the newest link works', async () => {
  const { email } = await anAccount();
  await forgot(email);
  const first = tokenIn(await awaitMail(email, /new password/));
  await forgot(email);
  const second = tokenIn(await awaitMail(email, /new password/, { count: 2 }));
  const newest = second === first ? tokenIn((await mailsTo(email))[1]!) : second;
  const older = newest === first ? second : first;
  expect(await reset(older)).toMatchObject({ status: 400 });
  expect(await reset(newest)).toMatchObject({ status: 200 });
});

test('of twenty uses of one link at once, exactly one succeeds', async () => {
  const { email, userId } = await anAccount();
  await forgot(email);
  const token = tokenIn(await awaitMail(email, /new password/));
  const { statuses, answers } = await atOnce(20, (at) => reset(token, `sentence number ${at} of many`));
  expect(statuses).toEqual({ 200: 1, 400: 19 });
  const winner = answers.findIndex(({ status }) => status === 200);
  expect(await userRow(userId)).toMatchObject({ tokenVersion: 2 });
  expect(await login(email, `sentence number ${winner} of many`)).toMatchObject({ status: 200 });
});

test('a reset does not get around two-step login', async () => {
  const { email } = await anAccount({ otpEnabled: true });
  await forgot(email);
  await reset(tokenIn(await awaitMail(email, /new password/)));
  expect(await login(email, NEW)).toMatchObject({ status: 200, body: { status: 'OTP_REQUIRED' } });
});

verifies('auth/revoke-password-change', 'changing the password ends every session but the fresh one', async () => {
  const { email, token } = await aSignedIn();
  const other = (await login(email)).body.token as string;
  const change = (currentPassword: string, newPassword: string) =>
    call('POST /api/auth/change-password', { currentPassword, newPassword }, { token });
  expect(await change('wrong password', NEW)).toMatchObject({
    status: 401,
    body: { error: { code: 'invalid_credentials' } },
  });
  expect(await change(PASSWORD, '12345678')).toMatchObject({
    status: 422,
    body: { detail: [{ type: 'password_common', loc: ['body', 'newPassword'] }] },
  });
  expect(await me(other)).toMatchObject({ status: 200 });
  const changed = await change(PASSWORD, NEW);
  expect(changed).toMatchObject({ status: 200, body: { status: 'AUTHENTICATED' } });
  expect((await Promise.all([token, other].map(me))).map(({ status }) => status)).toEqual([401, 401]);
  expect(await me(changed.body.token)).toMatchObject({ status: 200 });
  expect(await login(email)).toMatchObject({ status: 401 });
});

test('a password that another directory keeps cannot be changed here', async () => {
  const { token } = await aSignedIn({ authSource: 'LDAP' });
  const body = { currentPassword: PASSWORD, newPassword: NEW };
  expect(await call('POST /api/auth/change-password', body, { token })).toMatchObject({
    status: 409,
    body: { error: { code: 'password_managed_externally' } },
  });
});
