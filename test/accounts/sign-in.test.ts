import { decodeJwt, decodeProtectedHeader } from 'jose';
import { describe, expect, test } from 'vitest';
import { domainKey } from '../../shared/accounts/rows.ts';
import { orgKey } from '../../shared/identity/rows.ts';
import { openTable } from '../../shared/store/table.ts';
import { anAccount, atOnce, cookieOf, login, newAddress, PASSWORD, rowsOf, userRow } from '../support/accounts.ts';
import { call } from '../support/call.ts';
import { awaitMail, codeIn } from '../support/mailbox.ts';
import { anOrg } from '../support/people.ts';
import { verifies } from '../support/verifies.ts';

const accounts = openTable('accounts');
const FOUR_WEEKS = 28 * 86_400;

verifies(
  ['auth/login', 'auth/jwt-exp-readable', 'limits/jwt-lifetime', 'roles/user-dashboard', 'auth/bearer-jwt'],
  'the right password gives a token that clients can read and that works for four weeks',
  async () => {
    const { email, userId } = await anAccount();
    const answer = await login(email.toUpperCase());
    expect(answer).toMatchObject({
      status: 200,
      body: { status: 'AUTHENTICATED', tokenType: 'Bearer', landing: '/dashboard', user: { id: userId, email } },
    });
    const { token, expiresAt, access_token } = answer.body;
    expect(access_token).toBe(token);
    const claims = decodeJwt(token);
    expect(claims).toMatchObject({ sub: userId, exp: expiresAt, acct: 'user' });
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(FOUR_WEEKS);
    expect(await call('GET /api/auth/me', undefined, { token })).toMatchObject({ status: 200, body: { id: userId } });
    expect((await userRow(userId))['lastLoginAt']).toBeGreaterThan(Date.now() - 60_000);
  },
);

verifies('auth/jwt-hmac', 'login tokens are signed with the HS family', async () => {
  const { body } = await login((await anAccount()).email);
  expect(decodeProtectedHeader(body.token)).toMatchObject({ alg: 'HS512', typ: 'at+jwt' });
});

verifies('roles/org-admin-dashboard', 'an organization administrator lands on the organization page', async () => {
  const { orgId } = await anOrg();
  const { email } = await anAccount({ orgId, role: 'ROLE_ORG_ADMIN' });
  expect(await login(email)).toMatchObject({ status: 200, body: { landing: '/org' } });
});

verifies('auth/login-refused', 'every way of not getting in looks the same', async () => {
  const known = await anAccount();
  const disabled = await anAccount({ status: 'INACTIVE' });
  const elsewhere = await anAccount({ authSource: 'SSO', passwordHash: null });
  const answers = [
    await login(known.email, 'wrong password'),
    await login(newAddress(), 'wrong password'),
    await login(disabled.email, 'wrong password'),
    await login(elsewhere.email, PASSWORD),
    await login('not an address at all', 'wrong password'),
  ];
  const shapes = answers.map(({ status, body, headers }) => {
    const { request_id: _, ...error } = body.error;
    return { status, detail: body.detail, error, names: [...headers.keys()].toSorted() };
  });
  expect(shapes[0]).toMatchObject({ status: 401, error: { code: 'invalid_credentials' } });
  for (const shape of shapes) expect(shape).toEqual(shapes[0]);
  await awaitMail(elsewhere.email, /How you sign in/);
});

test('what is wrong with an account is told only to whoever knows its password', async () => {
  const disabled = await anAccount({ status: 'INACTIVE' });
  expect(await login(disabled.email)).toMatchObject({ status: 403, body: { error: { code: 'account_disabled' } } });
  const { orgId } = await anOrg();
  const { email } = await anAccount({ orgId });
  await accounts.update(orgKey(orgId), { set: { status: 'SUSPENDED' } });
  expect(await login(email)).toMatchObject({ status: 403, body: { error: { code: 'organization_suspended' } } });
});

test('a password of an older work factor is hashed anew at login', async () => {
  const { hash } = await import('bcryptjs');
  const { email, userId } = await anAccount({ passwordHash: await hash(PASSWORD, 5) });
  expect(await login(email)).toMatchObject({ status: 200 });
  expect((await userRow(userId))['passwordHash']).toMatch(/^\$2b\$04\$/);
  expect(await login(email)).toMatchObject({ status: 200 });
});

describe('two-step login', () => {
  const begin = async (fields: Record<string, unknown> = { otpEnabled: true }) => {
    const account = await anAccount(fields);
    const challenge = (await login(account.email)).body;
    return { ...account, challenge };
  };
  const verify = (challengeId: string, code: string) => call('POST /api/auth/verify-login-otp', { challengeId, code });

  verifies(
    ['auth/login-otp-optional', 'auth/verify-login-otp', 'modes/saas'],
    'is off by default, and when on asks for the mailed code before it gives a token',
    async () => {
      expect((await login((await anAccount()).email)).body.status).toBe('AUTHENTICATED');
      const { email, userId, challenge } = await begin();
      expect(challenge).toMatchObject({ status: 'OTP_REQUIRED', channel: 'EMAIL', attemptsLeft: 5 });
      expect(challenge.destination).toMatch(/^p\*\*\*@/);
      expect(JSON.stringify(challenge)).not.toContain(email);
      expect(challenge).not.toHaveProperty('token');
      const code = codeIn(await awaitMail(email, /login code/));
      expect(JSON.stringify(await rowsOf(`OTP#${challenge.challengeId}`))).not.toContain(code);
      const wrong = await verify(challenge.challengeId, code === '000000' ? '000001' : '000000');
      expect(wrong).toMatchObject({ status: 401, body: { error: { code: 'otp_invalid', attemptsLeft: 4 } } });
      const right = await verify(challenge.challengeId, code);
      expect(right).toMatchObject({ status: 200, body: { status: 'AUTHENTICATED', user: { id: userId } } });
      expect(decodeJwt(right.body.token)['amr']).toEqual(['pwd', 'otp']);
      expect(await verify(challenge.challengeId, code)).toMatchObject({
        status: 401,
        body: { error: { code: 'otp_expired' } },
      });
    },
  );

  test('can be demanded by the organization', async () => {
    const { orgId } = await anOrg();
    await accounts.update(orgKey(orgId), { set: { requireOtp: true } });
    const { challenge } = await begin({ orgId });
    expect(challenge.status).toBe('OTP_REQUIRED');
  });

  test('gives five tries to twenty guesses at once, and none to the right code afterwards', async () => {
    const { email, challenge } = await begin();
    const code = codeIn(await awaitMail(email, /login code/));
    const wrong = code === '000000' ? '111111' : '000000';
    const { answers } = await atOnce(20, () => verify(challenge.challengeId, wrong));
    const codes = answers.map(({ body }) => body.error.code as string);
    expect(codes.filter((one) => one === 'otp_invalid')).toHaveLength(5);
    expect(codes.filter((one) => one === 'otp_expired')).toHaveLength(15);
    expect(await verify(challenge.challengeId, code)).toMatchObject({ body: { error: { code: 'otp_expired' } } });
  });

  test('accepts the right code once, however often it comes at the same time', async () => {
    const { email, challenge } = await begin();
    const code = codeIn(await awaitMail(email, /login code/));
    const { statuses } = await atOnce(20, () => verify(challenge.challengeId, code));
    expect(statuses).toEqual({ 200: 1, 401: 19 });
  });

  test('allows ten wrong codes in a quarter of an hour over all logins of an account', async () => {
    const { userId, email, challenge } = await begin();
    const right = codeIn(await awaitMail(email, /login code/));
    const wrong = right === '000000' ? '111111' : '000000';
    const challenges = [challenge, (await login(email)).body, (await login(email)).body];
    const seen: number[] = [];
    for (const { challengeId } of challenges)
      for (let at = 0; at < 4; at += 1) seen.push((await verify(challengeId, wrong)).status);
    expect(seen).toEqual([...Array<number>(10).fill(401), 429, 429]);
    expect(await userRow(userId)).toMatchObject({ tokenVersion: 1 });
  });

  verifies('auth/resend-login-otp', 'a new code can be asked for, and kills the old one', async () => {
    const { email, challenge } = await begin();
    const resend = () => call('POST /api/auth/resend-login-otp', { challengeId: challenge.challengeId });
    const first = codeIn(await awaitMail(email, /login code/));
    const early = await resend();
    expect(early).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } });
    expect(Number(early.headers.get('retry-after'))).toBeGreaterThan(50);
    await accounts.update({ pk: `OTP#${challenge.challengeId}`, sk: 'C' }, { set: { resendAt: Date.now() - 1 } });
    expect(await resend()).toMatchObject({ status: 202, body: { challengeId: challenge.challengeId } });
    const second = codeIn(await awaitMail(email, /login code/, { count: 2 }));
    if (second !== first) expect(await verify(challenge.challengeId, first)).toMatchObject({ status: 401 });
    expect(await verify(challenge.challengeId, second)).toMatchObject({ status: 200 });
    expect(await call('POST /api/auth/resend-login-otp', { challengeId: 'unknown' })).toMatchObject({
      status: 401,
      body: { error: { code: 'otp_expired' } },
    });
  });

  test('an expired code, and one from before a password change, are over', async () => {
    const old = await begin();
    const code = codeIn(await awaitMail(old.email, /login code/));
    await accounts.update({ pk: `OTP#${old.challenge.challengeId}`, sk: 'C' }, { set: { expiresAt: Date.now() - 1 } });
    expect(await verify(old.challenge.challengeId, code)).toMatchObject({ body: { error: { code: 'otp_expired' } } });
    const stale = await begin();
    const staleCode = codeIn(await awaitMail(stale.email, /login code/));
    await accounts.update({ pk: `USER#${stale.userId}`, sk: 'META' }, { add: { tokenVersion: 1 } });
    expect(await verify(stale.challenge.challengeId, staleCode)).toMatchObject({ status: 401 });
  });
});

describe('the way of signing in', () => {
  const resolve = (address: string, name = 'email') =>
    call(`GET /api/auth/resolve-login-mode?${name}=${encodeURIComponent(address)}`);

  verifies('auth/resolve-login-mode-native', 'is native for addresses outside SSO tenants', async () => {
    const { email } = await anAccount();
    const answers = [await resolve(email), await resolve(newAddress()), await resolve('x@nowhere.example', 'address')];
    for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: { mode: 'NATIVE' } });
    expect(await call('GET /api/auth/resolve-login-mode')).toMatchObject({ status: 422 });
    expect(await resolve('no address')).toMatchObject({ status: 422 });
  });

  test('depends on the domain alone, not on whether there is an account', async () => {
    const { orgId } = await anOrg();
    const domain = `${orgId}.example.test`;
    await accounts.update(orgKey(orgId), { set: { authProvider: 'SSO' } });
    await accounts.put({ ...domainKey(domain), domain, orgId, status: 'VERIFIED' });
    const [known, unknown] = [await resolve(`known@${domain}`), await resolve(`unknown@${domain}`)];
    expect(known.body).toEqual(unknown.body);
    expect(known.body).toEqual({ mode: 'NATIVE' }); // no identity provider is configured on this host
  });
});

test('members of an SSO tenant cannot use a password, except whoever keeps the emergency access, with a code', async () => {
  const { orgId } = await anOrg();
  await accounts.update(orgKey(orgId), { set: { authProvider: 'SSO' } });
  const member = await anAccount({ orgId });
  expect(await login(member.email)).toMatchObject({ status: 401, body: { error: { code: 'invalid_credentials' } } });
  const founder = await anAccount({ orgId, role: 'ROLE_ORG_ADMIN', breakGlass: true });
  expect(await login(founder.email)).toMatchObject({ status: 200, body: { status: 'OTP_REQUIRED' } });
});

describe('throttling', () => {
  test('counts exactly under parallel tries, locks unknown addresses alike, and lets a known browser in', async () => {
    const { email } = await anAccount();
    const device = cookieOf(await login(email), 'svc_device');
    for (const address of [email, newAddress()]) {
      const { statuses, answers } = await atOnce(20, () => login(address, 'wrong password'));
      expect(statuses).toEqual({ 401: 5, 429: 15 });
      const refused = answers.find(({ status }) => status === 429);
      expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(200);
    }
    expect(await login(email)).toMatchObject({ status: 429 });
    const known = await call(
      'POST /api/auth/login',
      { email, password: PASSWORD },
      { headers: { cookie: `${device}` } },
    );
    expect(known).toMatchObject({ status: 200 });
    const forged = await call(
      'POST /api/auth/login',
      { email, password: PASSWORD },
      { headers: { cookie: `${device}x` } },
    );
    expect(forged).toMatchObject({ status: 429 });
  });

  test('a good login clears the count', async () => {
    const { email } = await anAccount();
    for (let round = 0; round < 2; round += 1) {
      for (let at = 0; at < 4; at += 1) expect((await login(email, 'wrong password')).status).toBe(401);
      expect((await login(email)).status).toBe(200);
    }
  });
});

test('a failed login and a good one leave audit rows without secrets', async () => {
  const { orgId } = await anOrg();
  const { email, userId } = await anAccount({ orgId });
  await login(email, 'wrong password');
  await login(email);
  const month = new Date().toISOString().slice(0, 7).replace('-', '');
  const rows = await rowsOf(`AUD#${orgId}#${month}`);
  expect(rows.map((row) => row['action'])).toEqual(['login.failed', 'login.succeeded']);
  expect(rows).toMatchObject([
    { outcome: 'failure', target: { id: userId } },
    { outcome: 'success', actor: { id: userId } },
  ]);
  expect(JSON.stringify(rows)).not.toContain(PASSWORD);
});
