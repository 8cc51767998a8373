import * as z from 'zod';

/** Never `javascript:` or `file:`: browsers are sent to some of these. */
const HttpUrl = z.url({ protocol: /^https?$/ });

/** What a protected resource says of itself (RFC 9728). */
export const ResourceMetadata = z.object({
  resource: HttpUrl,
  authorization_servers: z.array(HttpUrl).optional(),
  scopes_supported: z.array(z.string()).optional(),
});
export type ResourceMetadata = z.output<typeof ResourceMetadata>;

/** What an authorization server says of itself (RFC 8414, or OpenID Connect Discovery). */
export const ServerMetadata = z.looseObject({
  issuer: z.string(),
  authorization_endpoint: HttpUrl,
  token_endpoint: HttpUrl,
  registration_endpoint: HttpUrl.optional(),
  revocation_endpoint: HttpUrl.optional(),
  response_types_supported: z.array(z.string()).optional(),
  code_challenge_methods_supported: z.array(z.string()).optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
});
export type ServerMetadata = z.output<typeof ServerMetadata>;

/** Where a resource may describe itself: for its own path first, then for its whole origin. */
export function resourceMetadataUrls(serverUrl: string): string[] {
  const { origin, pathname, search } = new URL(serverUrl);
  const root = `${origin}/.well-known/oauth-protected-resource`;
  const path = trimmed(pathname);
  return path === '' ? [root] : [`${root}${path}${search}`, root];
}

/** Where an authorization server may describe itself, in the order in which they are asked. */
export function serverMetadataUrls(issuer: string): string[] {
  const { origin, pathname } = new URL(issuer);
  const path = trimmed(pathname);
  const inserted = ['oauth-authorization-server', 'openid-configuration'].map(
    (name) => `${origin}/.well-known/${name}${path}`,
  );
  return path === '' ? inserted : [...inserted, `${origin}${path}/.well-known/openid-configuration`];
}

const trimmed = (path: string) => path.replace(/\/+$/, '');

/** A resource speaks for its own origin and for the paths below it only. */
export function isResourceOf(resource: string, serverUrl: string): boolean {
  const [claimed, actual] = [new URL(resource), new URL(serverUrl)];
  return claimed.origin === actual.origin && `${trimmed(actual.pathname)}/`.startsWith(`${trimmed(claimed.pathname)}/`);
}

/** Issuers are compared as text; only a slash at the end is forgiven, since addresses grow one when they are parsed. */
export const isSameIssuer = (one: string, other: string) => trimmed(one) === trimmed(other);

/** Why this server cannot be used, or undefined when it can. */
export function flawOf(metadata: ServerMetadata, issuer: string, isSecure: boolean): string | undefined {
  const { authorization_endpoint, token_endpoint, registration_endpoint } = metadata;
  if (!isSameIssuer(metadata.issuer, issuer)) return `it says that it is ${metadata.issuer}, and not ${issuer}`;
  if (metadata.response_types_supported?.includes('code') === false) return 'it gives no authorization codes';
  if (!metadata.code_challenge_methods_supported?.includes('S256')) return 'it does not offer PKCE with S256';
  const isPlain = [authorization_endpoint, token_endpoint, registration_endpoint].some((url) =>
    url?.startsWith('http:'),
  );
  return isSecure && isPlain ? 'its addresses are not secure' : undefined;
}

export interface Challenge {
  readonly resourceMetadata?: string;
  readonly scope?: string;
}

/** What a refused request was told about where to be authorized. */
export function challengeOf(header: string | undefined): Challenge | undefined {
  if (header === undefined || !/^bearer\b/i.test(header)) return undefined;
  const value = (name: string) => {
    const [, quoted, bare] = new RegExp(`[\\s,]${name}=(?:"([^"]*)"|([^\\s,"]+))`, 'i').exec(header) ?? [];
    return quoted ?? bare;
  };
  const address = value('resource_metadata');
  return {
    ...(HttpUrl.safeParse(address).success && { resourceMetadata: address }),
    ...(value('scope') && { scope: value('scope') }),
  };
}
