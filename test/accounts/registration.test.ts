import { describe, expect, test } from 'vitest';
import { call } from '../support/call.ts';
import { login, newAddress, PASSWORD, rowsOf, userRow } from '../support/accounts.ts';
import { awaitMail, mailsTo, tokenIn } from '../support/mailbox.ts';
import { spawnHost } from '../support/spawn-host.ts';
import { verifies } from '../support/verifies.ts';

const DAY = 86_400_000;

verifies(['auth/register', 'auth/password-bcrypt'], 'a person registers and is stored with a bcrypt hash', async () => {
  const email = newAddress();
  const sent = { name: ' Ada Lovelace ', email: email.toUpperCase(), password: PASSWORD };
  const answer = await call('POST /api/auth/register', sent);
  expect(answer).toMatchObject({
    status: 201,
    body: { user: { name: 'Ada Lovelace', email, role: 'ROLE_USER', status: 'ACTIVE', organizationId: null } },
  });
  const row = await userRow(answer.body.user.id);
  expect(row['passwordHash']).toMatch(/^\$2[aby]\$04\$.{53}$/);
  expect(JSON.stringify([row, answer.body])).not.toContain(PASSWORD);
  expect(JSON.stringify(answer.body)).not.toContain('$2b$');
});

verifies('auth/register-invalid', 'registration that lacks a field or sends another type stores nothing', async () => {
  const good = { name: 'Ada', email: newAddress(), password: PASSWORD };
  const broken = [
    { ...good, name: undefined },
    { ...good, email: undefined },
    { ...good, password: undefined },
    { ...good, name: 7 },
    { ...good, email: ['x@example.test'] },
    { ...good, password: 12_345_678 },
    { ...good, name: '  ' },
    { ...good, name: 'Ada\r\nBcc: x' },
    { ...good, email: 'not an address' },
  ];
  for (const body of broken) {
    const answer = await call('POST /api/auth/register', body);
    expect(answer).toMatchObject({ status: 422, body: { error: { code: 'validation_failed' } } });
    expect(Array.isArray(answer.body.detail)).toBe(true);
  }
  expect(await rowsOf(`EMAIL#${good.email}`)).toEqual([]);
});

describe('passwords', () => {
  const cases = [
    ['too short', 'abc 12', 'password_too_short'],
    ['too long', 'x'.repeat(1025), 'password_too_long'],
    ['common', 'P@ssw0rd123', 'password_common'],
    ['made of the name', 'lovelace12', 'password_common'],
  ] as const;
  test.each(cases)('one that is %s is refused with its reason', async (_, password, type) => {
    const answer = await call('POST /api/auth/register', { name: 'Ada Lovelace', email: newAddress(), password });
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ type, loc: ['body', 'password'] }] } });
  });

  test('one of more than 72 bytes counts to its last character', async () => {
    const email = newAddress();
    const password = `${'ä'.repeat(40)} und noch mehr`;
    expect(await call('POST /api/auth/register', { name: 'Ada', email, password })).toMatchObject({ status: 201 });
    expect(await login(email, password)).toMatchObject({ status: 200 });
    expect(await login(email, `${password}!`)).toMatchObject({ status: 401 });
    expect(await login(email, 'ä'.repeat(40))).toMatchObject({ status: 401 });
  });
});

verifies(
  ['auth/register-company', 'auth/register-company-admin', 'auth/register-company-trial'],
  'a company gets an organization, its first administrator and a trial, all of them or none',
  async () => {
    const email = newAddress();
    const company = { companyName: 'Analytical Engines Ltd', country: 'gb', name: 'Ada', email, password: PASSWORD };
    const answer = await call('POST /api/auth/register-company', company);
    expect(answer.status).toBe(201);
    const { organization, user, directory } = answer.body;
    expect(user).toMatchObject({ email, role: 'ROLE_ORG_ADMIN', organizationId: organization.id });
    expect(organization).toMatchObject({ name: company.companyName, status: 'TRIAL', country: 'GB', activeMembers: 1 });
    expect(organization.code).toMatch(/^analytical-engines-ltd/);
    expect(organization.plan).toMatchObject({ id: 'trial', hasEnded: false });
    expect(Date.parse(organization.plan.trialEndsAt) - Date.now()).toBeGreaterThan(13.9 * DAY);
    expect(directory).toEqual({ status: 'DISABLED' });
    expect((await rowsOf(`ORG#${organization.id}`)).map((row) => row['sk'])).toEqual([`MEMBER#${user.id}`, 'META']);

    const second = await call('POST /api/auth/register-company', { ...company, companyName: 'Other' });
    expect(second).toMatchObject({ status: 409, body: { error: { code: 'email_taken' } } });
    expect(await rowsOf('ORGCODE#other')).toEqual([]);
  },
);

verifies('auth/register-company-data', 'register with company data registers the company', async () => {
  const person = { name: 'Ada', password: PASSWORD };
  const byType = { ...person, type: 'COMPANY', companyName: 'Same Name', email: newAddress() };
  const byField = { ...person, companyName: 'Same Name', email: newAddress() };
  const [first, second] = [
    await call('POST /api/auth/register', byType),
    await call('POST /api/auth/register', byField),
  ];
  expect(first).toMatchObject({ status: 201, body: { user: { role: 'ROLE_ORG_ADMIN' } } });
  expect(second).toMatchObject({ status: 201, body: { organization: { name: 'Same Name' } } });
  expect(first.body.organization.code).not.toBe(second.body.organization.code);
  const incomplete = await call('POST /api/auth/register', { ...person, type: 'COMPANY', email: newAddress() });
  expect(incomplete).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'companyName'] }] } });
});

test('a company code belongs to one company', async () => {
  const companyCode = `c-${Date.now()}`;
  const company = { companyName: 'First', companyCode, name: 'Ada', password: PASSWORD };
  expect(await call('POST /api/auth/register-company', { ...company, email: newAddress() })).toMatchObject({
    status: 201,
    body: { organization: { code: companyCode } },
  });
  const email = newAddress();
  const taken = await call('POST /api/auth/register-company', { ...company, email });
  expect(taken).toMatchObject({ status: 409, body: { error: { code: 'company_code_taken' } } });
  expect(await rowsOf(`EMAIL#${email}`)).toEqual([]);
});

test('the mailed link confirms the address, once', async () => {
  const email = newAddress();
  const { body } = await call('POST /api/auth/register', { name: '<b>Ada</b>', email, password: PASSWORD });
  expect(body.user.emailVerified).toBe(false);
  const mail = await awaitMail(email, /Confirm/);
  expect(mail.html).toContain('&lt;b&gt;Ada&lt;/b&gt;');
  expect(mail.html).not.toContain('<b>Ada');
  const token = tokenIn(mail);
  expect(await rowsOf(`VER#${token}`)).toEqual([]);
  expect(await call('POST /api/auth/verify-email', { token: `${token}x` })).toMatchObject({ status: 400 });
  expect(await call('POST /api/auth/verify-email', { token })).toMatchObject({ status: 200, body: { verified: true } });
  expect(await call('POST /api/auth/verify-email', { token })).toMatchObject({
    status: 400,
    body: { error: { code: 'token_invalid' } },
  });
  expect(await userRow(body.user.id)).toMatchObject({ emailVerified: true });
  expect(await call('POST /api/auth/resend-verification', { email })).toMatchObject({ status: 202 });
  expect(await mailsTo(email)).toHaveLength(1);
});

describe('where addresses must be confirmed', () => {
  test('registering a known and an unknown address answers alike, and only the mails differ', async () => {
    const host = await spawnHost({ env: { EMAIL_VERIFICATION: 'required' } });
    try {
      const at = { url: host.url };
      const email = newAddress();
      const register = (address: string) =>
        call('POST /api/auth/register', { name: 'Ada', email: address, password: PASSWORD }, at);
      const [first, again] = [await register(email), await register(email)];
      expect(first).toMatchObject({ status: 202, body: { status: 'VERIFICATION_REQUIRED' } });
      expect([again.status, again.body]).toEqual([first.status, first.body]);
      await awaitMail(email, /already have an account/, at);
      expect(await login(email, PASSWORD, host.url)).toMatchObject({
        status: 403,
        body: { error: { code: 'email_not_verified' } },
      });
      expect(await call('POST /api/auth/resend-verification', { email }, at)).toMatchObject({ status: 202 });
      const mail = await awaitMail(email, /Confirm/, { ...at, count: 2 });
      await call('POST /api/auth/verify-email', { token: tokenIn(mail) }, at);
      expect(await login(email, PASSWORD, host.url)).toMatchObject({ status: 200 });
    } finally {
      await host.stop();
    }
  });
});
