import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseSettings, SettingsError } from '../../shared/settings/load.ts';
import { settingsPage } from '../../infra/settings-page.ts';
import { spawnHost } from '../support/spawn-host.ts';
import { verifies } from '../support/verifies.ts';

const SECRET = 'abcdefghijklmnopqrstuvwxyz0123456789-abcdefghijklmnopqrstuvwxyz-0123456789';
const base = { JWT_SECRET: SECRET };
const parse = (given: Record<string, string> = {}) =>
  parseSettings((name) => ({ ...base, ...given } as Record<string, string>)[name]);

function problemsOf(given: Record<string, string>): readonly string[] {
  try {
    parse(given);
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
}

verifies(
  ['settings/persistent-default', 'settings/oauth-persistent-default', 'limits/event-call-timeout'],
  'the documented defaults hold when nothing is set',
  () => {
    expect(parse()).toMatchObject({
      JWT_EXPIRES_IN: 4 * 7 * 24 * 3600 * 1000,
      WEBSOCKET_EVENT_CALLER_TIMEOUT: 300,
      CUSTOM_API_KEY_HEADER: 'x-api-key',
      ENABLE_PERSISTENT_CONFIG: true,
      ENABLE_OAUTH_PERSISTENT_CONFIG: false,
      HTTP_CLIENT_SESSION_SSL: true,
      BCRYPT_COST: 10,
      LOCALSTT_MODEL: 'base',
      LOCALSTT_COMPUTE_TYPE: 'int8',
      LOCALSTT_VAD_FILTER: false,
      AUDIO_TTS_ENGINE: '',
      AUDIO_TTS_MODEL: 'tts-1',
      AUDIO_TTS_VOICE: 'alloy',
      SVC_AUTH_COOKIE_SAME_SITE: 'lax',
    });
  },
);

describe('values', () => {
  test.each([
    ['JWT_EXPIRES_IN', '1h30m', 5_400_000],
    ['JWT_EXPIRES_IN', '500ms', 500],
    ['ENABLE_SIGNUP', 'False', false],
    ['CORS_ALLOW_ORIGIN', 'https://a.example; https://b.example', ['https://a.example', 'https://b.example']],
    ['OAUTH_AUTHORIZE_PARAMS', '{"prompt":"login"}', { prompt: 'login' }],
    ['SVC_URL', 'https://atrium.example/', 'https://atrium.example'],
    ['HTTP_CLIENT_TIMEOUT', '600', 600],
  ])('%s=%s is read as meant', (name, text, value) => {
    expect(parse({ [name]: text })[name as 'SVC_URL']).toEqual(value);
  });

  test.each([
    ['JWT_SECRET', 'short'],
    ['JWT_SECRET', 'a'.repeat(64)],
    ['JWT_EXPIRES_IN', '-1'],
    ['JWT_EXPIRES_IN', '4 weeks'],
    ['ENABLE_SIGNUP', 'maybe'],
    ['BCRYPT_COST', '40'],
    ['LOCALSTT_MODEL', 'huge'],
    ['OAUTH_AUTHORIZE_PARAMS', '[1]'],
    ['SVC_URL', 'ftp://x'],
  ])('%s=%s is refused by name', (name, text) => {
    expect(problemsOf({ [name]: text })).toEqual([expect.stringContaining(name)]);
  });

  test('every problem is listed at once', () => {
    expect(problemsOf({ JWT_SECRET: 'short', ENABLE_SIGNUP: 'maybe', BCRYPT_COST: 'x' })).toHaveLength(3);
  });

  test('a cookie that browsers would drop is refused', () => {
    expect(problemsOf({ SVC_AUTH_COOKIE_SAME_SITE: 'none', SVC_AUTH_COOKIE_SECURE: 'false' })).toHaveLength(1);
  });
});

verifies('limits/jwt-secret-length', 'the host refuses to start with a short JWT_SECRET and says why', async () => {
  await expect(spawnHost({ env: { JWT_SECRET: 'too-short', ENABLE_SIGNUP: 'perhaps' } })).rejects.toThrow(
    /JWT_SECRET must be at least 64[\s\S]*ENABLE_SIGNUP/,
  );
});

test('docs/settings.md says what the code says', () => {
  expect(readFileSync('docs/settings.md', 'utf8')).toBe(settingsPage());
});
