import type { LookupFunction } from 'node:net';
import type { Exchange } from '../wire/connection.ts';
import type { Head } from '../wire/head.ts';
import { asUpstreamFailure, codeOf, neverConnected, timedOut } from './failure.ts';
import type { Pools } from './pools.ts';
import { createResponse, type Arrival, type OutboundResponse } from './response.ts';

/** One request on the wire and its answer, without redirects. */
export interface Wire {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  readonly lookup: LookupFunction | undefined;
  readonly pools: Pools;
  readonly rejectUnauthorized: boolean;
  readonly timeoutMs: number;
  readonly connectTimeoutMs: number;
  readonly signal: AbortSignal | undefined;
  /** May be sent again when a kept-alive connection turns out to have been closed meanwhile. */
  readonly isReplayable: boolean;
}

export async function exchange(wire: Wire): Promise<OutboundResponse> {
  const first = await attempt(wire);
  if ('response' in first) return first.response;
  if (!first.isStaleConnection || !wire.isReplayable) throw first.error;
  const second = await attempt(wire);
  if ('response' in second) return second.response;
  throw second.error;
}

type Outcome =
  | { readonly response: OutboundResponse }
  | { readonly error: unknown; readonly isStaleConnection: boolean };

function attempt(wire: Wire): Promise<Outcome> {
  if (wire.signal?.aborted) return Promise.resolve({ error: wire.signal.reason, isStaleConnection: false });
  return new Promise((resolve) => {
    let arriving: Arrival['arriving'] | undefined;
    const begin = (head: Head) => {
      const arrival = createResponse({ head, url: wire.url.href, body: sent });
      arriving = arrival.arriving;
      resolve(arrival);
    };
    const sent = wire.pools.to(wire).send(requestOf(wire), {
      head: begin,
      body: (chunk) => arriving?.chunk(chunk),
      end() {
        cut.disarm();
        arriving?.end();
      },
      error(error) {
        cut.disarm();
        const failure = cut.reason() ?? asUpstreamFailure(error);
        if (arriving) return arriving.fail(failure);
        const isStaleConnection = sent.isReused && /^(ECONNRESET|EPIPE)$/.test(codeOf(error));
        resolve({ error: failure, isStaleConnection });
      },
    });
    const cut = cutter(sent, wire);
  });
}

function requestOf({ url, method, headers, body }: Wire) {
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const isSigned = url.username === '' || names.has('authorization');
  return {
    method,
    path: `${url.pathname}${url.search}`,
    headers: { ...(!names.has('host') && { host: url.host }), ...(!isSigned && basicAuth(url)), ...headers },
    ...(body !== undefined && { body }),
  };
}

const basicAuth = ({ username, password }: URL) => ({
  authorization: `Basic ${Buffer.from(decodeURIComponent(`${username}:${password}`)).toString('base64')}`,
});

/** Ends the exchange from our side and remembers why, since the socket only reports that it was closed. */
function cutter(sent: Exchange, { timeoutMs, connectTimeoutMs, signal }: Wire) {
  let reason: unknown;
  const cut = (why: unknown) => {
    reason ??= why;
    sent.destroy();
  };
  const onAbort = () => cut(signal?.reason);
  const whole = setTimeout(() => cut(timedOut(timeoutMs)), timeoutMs);
  let connecting: NodeJS.Timeout | undefined;
  if (sent.socket.connecting) {
    connecting = setTimeout(() => cut(neverConnected()), connectTimeoutMs);
    sent.socket.once('connect', () => clearTimeout(connecting));
  }
  signal?.addEventListener('abort', onAbort, { once: true });
  return {
    reason: () => reason,
    disarm() {
      clearTimeout(whole);
      clearTimeout(connecting);
      signal?.removeEventListener('abort', onAbort);
    },
  };
}
