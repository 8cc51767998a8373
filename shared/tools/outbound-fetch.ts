import { AppError } from '../errors.ts';
import type { Outbound } from '../net/outbound.ts';
import type { OutboundResponse } from '../net/response.ts';

const LONGEST_MS = 10 * 60_000;
const LARGEST_ANSWER = 10 * 1024 * 1024;

export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** The way out in the shape of `fetch`, for libraries that want one. An operator has named the trusted origin, and no other. */
export const outboundFetch =
  (outbound: Outbound, trustedOrigin: string): Fetch =>
  async (url, init = {}) => {
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

/** Asks with a token, and once more with a new one when the first is no longer good. */
export interface Bearer {
  current(): Promise<string>;
  /** A token in the place of one that was rejected. */
  renewed(rejected: string): Promise<string>;
  /** What to say when the new one is rejected as well. */
  refused(): Error;
}

export const fetchWithToken =
  (fetching: Fetch, bearer: Bearer): Fetch =>
  async (url, init) => {
    const token = await bearer.current();
    const first = await fetching(url, withBearer(init, token));
    if (first.status !== 401) return first;
    await first.body?.cancel();
    const second = await fetching(url, withBearer(init, await bearer.renewed(token)));
    if (second.status !== 401) return second;
    await second.body?.cancel();
    throw bearer.refused();
  };

function withBearer(init: RequestInit | undefined, token: string): RequestInit {
  const headers = new Headers(init?.headers);
  headers.set('authorization', `Bearer ${token}`);
  return { ...init, headers };
}

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
  const body = WITHOUT_BODY.has(response.status) ? null : toWebStream(response);
  return new Response(body, { status: response.status, headers });
}

/** Libraries read answers whole, however long they are; so there is a limit. */
function toWebStream(response: OutboundResponse): ReadableStream<Uint8Array> {
  let size = 0;
  let wanted = () => {};
  let isGivenUp = false;
  return new ReadableStream({
    start(controller) {
      const take = (chunk: Buffer) => {
        size += chunk.length;
        if (size > LARGEST_ANSWER)
          throw new AppError('upstream_failed', 'The tool server answered with more than 10 MB');
        controller.enqueue(chunk);
        return (controller.desiredSize ?? 1) > 0 ? undefined : new Promise<void>((resolve) => (wanted = resolve));
      };
      response.pump(take).then(
        () => !isGivenUp && controller.close(),
        (error: unknown) => controller.error(error),
      );
    },
    pull: () => wanted(),
    cancel() {
      isGivenUp = true;
      response.close();
      wanted();
    },
  });
}
