import { Readable } from 'node:stream';
import type { Outbound } from '../net/outbound.ts';
import type { OutboundResponse } from '../net/response.ts';

const LONGEST_MS = 10 * 60_000;

/** The way out in the shape of `fetch`, for libraries that want one. An operator has named the trusted origin, and no other. */
export const outboundFetch =
  (outbound: Outbound, trustedOrigin: string) =>
  async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const response = await outbound.request(url, {
      method: init.method ?? 'GET',
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(init.body !== undefined && init.body !== null && { body: textOf(init.body) }),
      ...(init.signal && { signal: init.signal }),
      timeoutMs: LONGEST_MS,
      trusted: new URL(url).origin === trustedOrigin,
    });
    return toWebResponse(response);
  };

/** Libraries send text, or a form that becomes text. */
function textOf(body: NonNullable<RequestInit['body']>): string {
  if (typeof body === 'string') return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new TypeError('Only text can be sent');
}

const WITHOUT_BODY = new Set([101, 204, 205, 304]);

function toWebResponse(response: OutboundResponse): Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(response.headers)) {
    for (const one of [value ?? []].flat()) headers.append(name, one);
  }
  if (WITHOUT_BODY.has(response.status)) response.close();
  const body = WITHOUT_BODY.has(response.status) ? null : Readable.toWeb(Readable.from(response.chunks()));
  // Node's stream type and the web's are the same thing under two names.
  return new Response(body as ReadableStream | null, { status: response.status, headers });
}
