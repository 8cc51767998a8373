import { describe, expect, test } from 'vitest';
import { ssoStart } from '../../functions/accounts/login-mode.ts';
import { needsCode } from '../../shared/accounts/arrival.ts';
import type { OrgRecord, UserRecord } from '../../shared/accounts/rows.ts';
import { isPlausibleKey, newApiKey } from '../../shared/identity/api-key.ts';
import { isRouteAllowed, isWithin, toRouteEntry } from '../../shared/identity/key-routes.ts';
import { matchingStep, newRecoveryCodes, newTotpSecret, totpCode } from '../../shared/identity/totp.ts';
import { isCommonPassword, isMadeOf } from '../../shared/passwords/blocklist.ts';
import { createPasswords } from '../../shared/passwords/hash.ts';
import { addressClass } from '../../shared/throttle/address-class.ts';
import type { Millis } from '../../shared/time.ts';

test.each([
  ['/api/auth/me', 'GET', '/api/auth/me', true],
  ['/api/auth/me', 'GET', '/api/auth/me/x', true],
  ['/api/auth/me', 'GET', '/api/auth/meadow', false],
  ['GET /api/auth/me', 'POST', '/api/auth/me', false],
  ['GET /api/auth/me', 'HEAD', '/api/auth/me', true],
  ['/', 'GET', '/anything', true],
  ['/a', 'GET', '/A', false],
  ['/a', 'GET', '/a//b', false],
  ['/a', 'GET', '/a/../b', false],
  ['/a', 'GET', '/a/%2e%2e/b', false],
  ['/a', 'GET', '/a/%252e', false],
  ['/a', 'GET', '/a\\b', false],
  ['/a', 'GET', '/a/%', false],
  ['/a/ä', 'GET', '/a/%C3%A4', true],
])('a key for %s and the request %s %s: %s', (entry, method, path, isAllowed) => {
  expect(isRouteAllowed([entry], method, path)).toBe(isAllowed);
});

test.each([
  [['/a/b'], ['/a'], true],
  [['/a'], ['/a/b'], false],
  [['GET /a'], ['/a'], true],
  [['/a'], ['GET /a'], false],
  [['/a', '/c'], ['/a', '/b'], false],
  [null, ['/a'], false],
  [['/a'], null, true],
  [null, null, true],
])('%j within %j: %s', (inner, outer, expected) => {
  expect(isWithin(inner, outer)).toBe(expected);
});

test.each([
  ['/a/b/', '/a/b'],
  ['GET   /a/*', 'GET /a'],
  ['/', '/'],
  ['a', undefined],
  ['get /a', undefined],
  ['/a/./b', undefined],
  ['/a%20b', undefined],
  ['/a*', undefined],
])('the route %s is stored as %s', (text, stored) => {
  expect(toRouteEntry(text)).toBe(stored);
});

test('a key carries a checksum, so a typo is refused without a look-up', () => {
  for (let at = 0; at < 50; at += 1) {
    const key = newApiKey();
    expect(isPlausibleKey(key)).toBe(true);
    const swapped = `${key.slice(0, 10)}${key[10] === 'a' ? 'b' : 'a'}${key.slice(11)}`;
    expect(isPlausibleKey(swapped)).toBe(false);
  }
  expect(isPlausibleKey('sk-0123456789abcdef0123456789abcdef')).toBe(true);
  expect(isPlausibleKey('pk-x')).toBe(false);
});

describe('the second step', () => {
  const user = { otpEnabled: false, totpSecret: undefined } as UserRecord;
  const org = { requireOtp: false, authProvider: 'NATIVE' } as OrgRecord;
  test.each([
    ['optional', user, org, false],
    ['optional', { ...user, otpEnabled: true }, org, true],
    ['optional', { ...user, totpSecret: 'sealed' }, undefined, true],
    ['optional', user, { ...org, requireOtp: true }, true],
    ['optional', user, { ...org, authProvider: 'SSO' }, true],
    ['required', user, undefined, true],
    ['off', { ...user, otpEnabled: true }, { ...org, requireOtp: true }, false],
  ] as const)('with LOGIN_OTP=%s, %j and %j is asked for: %s', (LOGIN_OTP, who, of, expected) => {
    expect(needsCode({ LOGIN_OTP }, who, of)).toBe(expected);
  });
});

describe('single sign-on begins at the provider', () => {
  const idp = {
    IDP_ISSUER_URI: 'https://idp.example',
    IDP_CLIENT_ID: 'c',
    IDP_CLIENT_SECRET: 's',
    IDP_SSO_CALLBACK_URL: 'u',
  };
  const settings = { ...idp, SVC_URL: 'https://atrium.example' };
  test.each([
    ['SSO', 'ACTIVE', settings, 'https://atrium.example/sso/idp?domain=corp.example'],
    ['NATIVE', 'ACTIVE', settings, undefined],
    ['SSO', 'SUSPENDED', settings, undefined],
    ['SSO', 'TRIAL', { ...settings, IDP_CLIENT_ID: '' }, undefined],
  ] as const)('for a tenant of %s that is %s', (authProvider, status, given, expected) => {
    expect(ssoStart(given, { authProvider, status }, 'Ada@Corp.Example')).toBe(expected);
  });
});

describe('codes of authenticator apps', () => {
  const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'; // RFC 6238, appendix B, SHA-1, last six digits
  test.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('at second %d the code is %s', (seconds, code) => {
    expect(totpCode(SECRET, Math.floor(seconds / 30))).toBe(code);
  });

  test('one step of drift is allowed, two are not, and a used step is over', () => {
    const secret = newTotpSecret();
    const at = (step: number) => (step * 30_000 + 1) as Millis;
    const match = (step: number, now: number, after = 0) =>
      matchingStep(secret, totpCode(secret, step), { now: at(now), after });
    expect([99, 100, 101].map((step) => match(step, 100))).toEqual([99, 100, 101]);
    expect([98, 102].map((step) => match(step, 100))).toEqual([undefined, undefined]);
    expect(match(100, 100, 100)).toBeUndefined();
    expect(newRecoveryCodes().every((code) => /^([a-z2-7]{4}-){3}[a-z2-7]{4}$/.test(code))).toBe(true);
  });
});

describe('passwords', () => {
  test.each([
    'password',
    'Password1!',
    'p@ssw0rd',
    'qwertyuiop',
    '1qaz2wsx3edc',
    'aaaaaaaa',
    'abcabcabc',
    '12345678',
    '19840229',
    'iloveyou22',
    'Dragon2024',
    'letmeinletmein',
  ])('%s is common', (password) => expect(isCommonPassword(password)).toBe(true));
  test.each([
    'correct horse battery staple',
    'Xk29vmq!Lp',
    'blau wie der himmel',
    'tr0ub4dor&3',
    '83920174',
    'каждый охотник',
  ])('%s is not', (password) => expect(isCommonPassword(password)).toBe(false));
  test.each([
    ['ada.lovelace1', ['Ada Lovelace'], true],
    ['Lovelace99', ['Ada Lovelace'], true],
    ['engine-corp', ['Engine Corp'], true],
    ['lovelace and the engine', ['Ada Lovelace'], false],
    ['something else', [], false],
  ] as [string, string[], boolean][])('%s made of %j: %s', (password, words, expected) => {
    expect(isMadeOf(password, words)).toBe(expected);
  });

  test('are told apart beyond the 72 bytes bcrypt looks at, and written forms of one character are one', async () => {
    const passwords = createPasswords(4);
    const long = 'a'.repeat(73);
    const stored = await passwords.hash(long);
    expect(stored).toMatch(/^\$2b\$04\$/);
    expect(await passwords.matches(long, stored)).toBe(true);
    for (const other of ['a'.repeat(72), 'a'.repeat(74), `${'a'.repeat(72)}b`])
      expect(await passwords.matches(other, stored)).toBe(false);
    expect(await passwords.matches('cafe\u0301 au lait', await passwords.hash('caf\u00E9 au lait'))).toBe(true);
    expect(await passwords.matches('anything', null)).toBe(false);
    expect([passwords.isOutdated(stored), createPasswords(5).isOutdated(stored)]).toEqual([false, true]);
  });
});

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:DB8:1:2::9', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['::1', '0:0:0:0'],
])('the address %s counts as %s', (address, expected) => {
  expect(addressClass(address)).toBe(expected);
});
