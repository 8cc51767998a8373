import type { HttpRequest, RequestHeaders } from '../http/request.ts';
import { LOGIN_COOKIE, TOKEN_TYPE } from './names.ts';

/** What a request carries, before anything is believed. */
export type Credential =
  | { readonly kind: 'token'; readonly value: string; readonly via: 'jwt' | 'cookie' }
  | { readonly kind: 'key'; readonly value: string };

/**
 * Bearer first, then the key header, then the cookie. An `Authorization` that is not ours (Basic, or a token of the
 * proxy's own) is passed over when something else is there, because behind such a proxy that is all a client has.
 */
export function credentialOf(headers: RequestHeaders, keyHeader: string): Credential | undefined {
  const bearer = /^Bearer\s+(\S+)\s*$/i.exec(headers.get('authorization') ?? '')?.[1];
  const token: Credential | undefined = bearer ? { kind: 'token', value: bearer, via: 'jwt' } : undefined;
  if (bearer?.startsWith('sk-')) return { kind: 'key', value: bearer };
  if (bearer && isOwnToken(bearer)) return token;
  const key = headers.get(keyHeader)?.trim();
  if (key) return { kind: 'key', value: key };
  const cookie = readCookie(headers, LOGIN_COOKIE);
  return cookie ? { kind: 'token', value: cookie, via: 'cookie' } : token;
}

/** Says only whom a token is meant for; whether it is genuine is decided later. */
function isOwnToken(token: string) {
  try {
    const header: unknown = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString('utf8'));
    return typeof header === 'object' && header !== null && 'typ' in header && header.typ === TOKEN_TYPE;
  } catch {
    return false;
  }
}

export function readCookie(headers: RequestHeaders, name: string): string | undefined {
  for (const part of (headers.get('cookie') ?? '').split(';')) {
    const at = part.indexOf('=');
    if (part.slice(0, at).trim() === name) return decoded(part.slice(at + 1).trim());
  }
  return undefined;
}

function decoded(value: string) {
  try {
    return decodeURIComponent(value);
  } catch {
    return value; // not one of ours, which are never escaped
  }
}

/** A browser sends cookies to us from any page; only our own pages may change things with them. */
export const isForgedByOtherSite = (request: HttpRequest, ownAddress: string): boolean =>
  request.method !== 'GET' && request.method !== 'HEAD' && isFromOtherSite(request, ownAddress);

export function isFromOtherSite(request: HttpRequest, ownAddress: string): boolean {
  const site = request.headers.get('sec-fetch-site');
  if (site) return site !== 'same-origin' && site !== 'same-site' && site !== 'none';
  const origin = request.headers.get('origin');
  return origin === null || (origin !== new URL(ownAddress).origin && origin !== new URL(request.url).origin);
}
