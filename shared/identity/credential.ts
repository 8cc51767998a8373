/** What a request carries, before anything is believed. */
export type Credential =
  | { readonly kind: 'token'; readonly value: string; readonly via: 'jwt' | 'cookie' }
  | { readonly kind: 'key'; readonly value: string };

/**
 * Bearer first, then the key header, then the cookie. An `Authorization` that is not ours (Basic, put there by a
 * proxy) is passed over, because behind such a proxy the key header is all a client has.
 */
export function credentialOf(headers: Headers, keyHeader: string): Credential | undefined {
  const bearer = /^Bearer\s+(\S+)\s*$/i.exec(headers.get('authorization') ?? '')?.[1];
  if (bearer)
    return bearer.startsWith('sk-') ? { kind: 'key', value: bearer } : { kind: 'token', value: bearer, via: 'jwt' };
  const key = headers.get(keyHeader)?.trim();
  if (key) return { kind: 'key', value: key };
  const cookie = readCookie(headers, 'token');
  return cookie ? { kind: 'token', value: cookie, via: 'cookie' } : undefined;
}

export function readCookie(headers: Headers, name: string): string | undefined {
  for (const part of (headers.get('cookie') ?? '').split(';')) {
    const [key, ...value] = part.trim().split('=');
    if (key === name) return decodeURIComponent(value.join('='));
  }
  return undefined;
}

/** A browser sends cookies to us from any page; only our own pages may change things with them. */
export function isForgedByOtherSite(request: Request, ownAddress: string): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return false;
  const site = request.headers.get('sec-fetch-site');
  if (site) return site !== 'same-origin' && site !== 'same-site' && site !== 'none';
  const origin = request.headers.get('origin');
  return origin === null || (origin !== new URL(ownAddress).origin && origin !== new URL(request.url).origin);
}
