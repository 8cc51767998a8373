import { createHmac, timingSafeEqual } from 'node:crypto';
import { newId } from '../ids.ts';
import type { Settings } from '../settings/variables.ts';
import type { Clock } from '../time.ts';
import { readCookie } from './credential.ts';
import { LOGIN_COOKIE } from './names.ts';
import { createPepper } from './pepper.ts';
import type { RequestHeaders } from '../http/request.ts';

type CookieSettings = Pick<
  Settings,
  'SVC_AUTH_COOKIE_SAME_SITE' | 'SVC_AUTH_COOKIE_SECURE' | 'SVC_SECRET_KEY' | 'JWT_SECRET'
>;

const DEVICE_COOKIE = 'svc_device';
const DEVICE_DAYS = 180;

/** The cookies of a login, as `Set-Cookie` values. */
export interface LoginCookies {
  /** Scripts cannot read it; it lives as long as the token in it. */
  login(token: string, seconds: number): string;
  /** Everything a login may have set, taken back. The device stays known: it is no credential. */
  ended(): string[];
  /** Marks a browser that has signed in to this account before, so that strangers' failures do not lock its owner out. */
  device(address: string): string;
  /** The id of such a browser, when the cookie is genuine and belongs to this account. */
  knownDevice(headers: RequestHeaders, address: string): string | undefined;
}

export function createLoginCookies(settings: CookieSettings, now: Clock): LoginCookies {
  const pepper = createPepper(settings, 'device cookie');
  const signature = (id: string, since: number, address: string) => pepper(JSON.stringify([id, since, address]));
  const cookie = (name: string, value: string, maxAge: number) => setCookie(settings, { name, value, maxAge });
  return {
    login: (token, seconds) => cookie(LOGIN_COOKIE, token, seconds),
    ended: () => [LOGIN_COOKIE, 'oauth_session_id', 'oauth_id_token'].map((name) => cookie(name, '', 0)),
    device(address) {
      const [id, since] = [newId(), now()];
      return cookie(DEVICE_COOKIE, `${id}.${since}.${signature(id, since, address)}`, DEVICE_DAYS * 86_400);
    },
    knownDevice(headers, address) {
      const [id = '', since = '', given = ''] = readCookie(headers, DEVICE_COOKIE)?.split('.') ?? [];
      const isFresh = now() - Number(since) < DEVICE_DAYS * 86_400_000;
      return isFresh && isSame(given, signature(id, Number(since), address)) ? id : undefined;
    },
  };
}

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly maxAge: number;
}

const setCookie = (settings: CookieSettings, { name, value, maxAge }: Cookie) =>
  [
    `${name}=${value}`,
    'Path=/',
    'HttpOnly',
    `SameSite=${SAME_SITE[settings.SVC_AUTH_COOKIE_SAME_SITE]}`,
    `Max-Age=${maxAge}`,
    ...(settings.SVC_AUTH_COOKIE_SECURE ? ['Secure'] : []),
  ].join('; ');

const SAME_SITE = { lax: 'Lax', strict: 'Strict', none: 'None' } as const;

/** Both are hashed first, so that neither length nor content shows in the time it takes. */
export function isSame(given: string, wanted: string) {
  const digest = (text: string) => createHmac('sha256', 'compare').update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}
