import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { asUpstreamFailure, codeOf, neverConnected, timedOut } from './failure.ts';
import { createResponse, type OutboundResponse } from './response.ts';

/** One request on the wire and its answer, without redirects. */
export interface Wire {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  readonly lookup: LookupFunction | undefined;
  readonly agents: Agents;
  readonly rejectUnauthorized: boolean;
  readonly timeoutMs: number;
  readonly connectTimeoutMs: number;
  readonly signal: AbortSignal | undefined;
  /** May be sent again when a kept-alive connection turns out to have been closed meanwhile. */
  readonly isReplayable: boolean;
}

export interface Agents {
  readonly http: http.Agent;
  readonly https: https.Agent;
}

/** The timeout closes connections that nobody has used for a while; a server's own keep-alive hint shortens it. */
const POOL = { keepAlive: true, noDelay: true, timeout: 30_000, maxFreeSockets: 256 };

export const createAgents = (): Agents => ({ http: new http.Agent(POOL), https: new https.Agent(POOL) });

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
    const request = open(wire);
    const cut = cutter(request, wire);
    request.once('response', (incoming) => {
      incoming.once('close', () => cut.disarm());
      resolve({ response: createResponse({ incoming, url: wire.url.href, cutBy: cut.reason }) });
    });
    request.on('error', (error) => {
      cut.disarm();
      const isStaleConnection = request.reusedSocket && /^(ECONNRESET|EPIPE)$/.test(codeOf(error));
      resolve({ error: cut.reason() ?? asUpstreamFailure(error), isStaleConnection });
    });
    request.end(wire.body);
  });
}

function open({ url, agents, lookup, rejectUnauthorized, method, headers }: Wire) {
  const isSecure = url.protocol === 'https:';
  const auth = url.username === '' ? undefined : decodeURIComponent(`${url.username}:${url.password}`);
  const common = { method, headers, lookup, auth };
  return isSecure
    ? https.request(url, { ...common, agent: agents.https, rejectUnauthorized })
    : http.request(url, { ...common, agent: agents.http });
}

/** Ends the exchange from our side and remembers why, since the socket only reports that it was closed. */
function cutter(request: http.ClientRequest, { timeoutMs, connectTimeoutMs, signal }: Wire) {
  let reason: unknown;
  const cut = (why: unknown) => {
    reason ??= why;
    request.destroy();
  };
  const onAbort = () => cut(signal?.reason);
  const whole = setTimeout(() => cut(timedOut(timeoutMs)), timeoutMs);
  let connecting: NodeJS.Timeout | undefined;
  request.once('socket', (socket) => {
    if (!socket.connecting) return;
    connecting = setTimeout(() => cut(neverConnected()), connectTimeoutMs);
    socket.once('connect', () => clearTimeout(connecting));
  });
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
