import { AppError } from '../errors.ts';
import { exchange } from './exchange.ts';
import { createGuard, systemResolve, type Guard, type Resolve } from './guard.ts';
import { createPools, type Pools } from './pools.ts';
import { nextHop, type Hop } from './redirect.ts';
import type { OutboundResponse } from './response.ts';

export interface OutboundRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** For the whole exchange, to the last byte of the answer. */
  readonly timeoutMs?: number;
  readonly connectTimeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly rejectUnauthorized?: boolean;
  /** An operator named this address, so the guard does not look at it. */
  readonly trusted?: boolean;
  /** How many redirects are followed; a redirect is an ordinary answer otherwise. */
  readonly redirects?: number;
  /** A POST that may be sent again when a kept-alive connection was closed under it. GET, PUT and DELETE always may. */
  readonly replayable?: boolean;
}

/** The only way out: every request to an address that a person gave goes through here. */
export interface Outbound {
  request(url: string | URL, options?: OutboundRequest): Promise<OutboundResponse>;
}

export interface OutboundSettings {
  /** Private names, addresses or ranges that may be reached in spite of the guard. */
  readonly allowedHosts?: readonly string[];
  readonly resolve?: Resolve;
}

export function createOutbound({ allowedHosts = [], resolve = systemResolve }: OutboundSettings = {}): Outbound {
  const guard = createGuard(allowedHosts, resolve);
  // Kept apart: a connection opened on an operator's word must never be reused by a guarded request.
  const pools = { guarded: createPools(), trusted: createPools() };
  return {
    async request(url, options = {}) {
      let hop = firstHop(url, options);
      for (let left = options.redirects ?? 0; ; left -= 1) {
        const response = await exchange(
          wireFor(hop, options, hop.trusted ? { pools: pools.trusted } : { pools: pools.guarded, guard }),
        );
        const next = options.redirects ? nextHop(hop, response.status, response.headers.location) : undefined;
        if (!next) return response;
        response.close();
        if (left === 0) throw new AppError('upstream_failed', 'The upstream redirects too often');
        demandHttp(next.url);
        hop = next;
      }
    },
  };
}

const MINUTE = 60_000;
const CONNECT_MS = 10_000;
const IDEMPOTENT = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']);

function firstHop(address: string | URL, options: OutboundRequest): Hop {
  if (!URL.canParse(String(address))) throw new AppError('address_refused', 'This is not a complete address');
  const url = new URL(address);
  demandHttp(url);
  return {
    url,
    method: (options.method ?? 'GET').toUpperCase(),
    headers: options.headers ?? {},
    body: options.body,
    trusted: options.trusted ?? false,
  };
}

function demandHttp(url: URL) {
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new AppError('address_refused', 'Only http and https addresses can be reached');
}

function wireFor(hop: Hop, options: OutboundRequest, { pools, guard }: { pools: Pools; guard?: Guard }) {
  guard?.demandAllowed(hop.url);
  return {
    ...hop,
    pools,
    lookup: guard?.lookup,
    rejectUnauthorized: options.rejectUnauthorized ?? true,
    timeoutMs: options.timeoutMs ?? MINUTE,
    connectTimeoutMs: options.connectTimeoutMs ?? CONNECT_MS,
    signal: options.signal,
    isReplayable: options.replayable ?? IDEMPOTENT.has(hop.method),
  };
}
