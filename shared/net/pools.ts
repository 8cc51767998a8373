import type { LookupFunction } from 'node:net';
import { createPool, type Pool } from '../wire/pool.ts';
import { openerFor } from '../wire/sockets.ts';

export interface Destination {
  readonly url: URL;
  readonly lookup: LookupFunction | undefined;
  readonly rejectUnauthorized: boolean;
}

/** One pool for each origin. What was opened without checking a certificate is never used where one must be checked. */
export interface Pools {
  to(destination: Destination): Pool;
}

const MOST_KEPT = 500;

export function createPools(): Pools {
  const pools = new Map<string, Pool>();
  return {
    to({ url, lookup, rejectUnauthorized }) {
      const name = rejectUnauthorized ? url.origin : `unchecked ${url.origin}`;
      const known = pools.get(name);
      if (known) return known;
      if (pools.size >= MOST_KEPT) forgetEmpty(pools);
      const pool = createPool({ open: openerFor(url, { rejectUnauthorized, ...(lookup && { lookup }) }) });
      pools.set(name, pool);
      return pool;
    },
  };
}

function forgetEmpty(pools: Map<string, Pool>) {
  for (const [name, pool] of pools) if (pool.isEmpty()) pools.delete(name);
}
