import { AppError } from '../errors.ts';

export interface Hop {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  /** An operator's trust covers the host they named, not wherever it points. */
  readonly trusted: boolean;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Where a redirect leads, or nothing when the answer is not one. Credentials never follow to another origin. */
export function nextHop(hop: Hop, status: number, location: string | undefined): Hop | undefined {
  if (!REDIRECTS.has(status) || location === undefined) return undefined;
  if (!URL.canParse(location, hop.url.href)) throw new AppError('upstream_failed', 'The upstream redirects to nowhere');
  const url = new URL(location, hop.url);
  if (hop.url.protocol === 'https:' && url.protocol !== 'https:')
    throw new AppError('upstream_failed', 'The upstream redirects from a secure to an insecure address');
  const isSameOrigin = url.origin === hop.url.origin;
  const becomesGet = status === 303 || (hop.method === 'POST' && (status === 301 || status === 302));
  return {
    url,
    method: becomesGet && hop.method !== 'HEAD' ? 'GET' : hop.method,
    headers: headersFor(hop.headers, { isSameOrigin, becomesGet }),
    body: becomesGet ? undefined : hop.body,
    trusted: hop.trusted && isSameOrigin,
  };
}

const HARMLESS = new Set(['accept', 'accept-language', 'user-agent', 'content-type', 'content-length']);

const headersFor = (
  headers: Readonly<Record<string, string>>,
  { isSameOrigin, becomesGet }: { isSameOrigin: boolean; becomesGet: boolean },
) =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => {
      const lower = name.toLowerCase();
      if (becomesGet && lower.startsWith('content-')) return false;
      return isSameOrigin || HARMLESS.has(lower);
    }),
  );
