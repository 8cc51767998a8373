import type { Connection } from './connection.ts';

/** Connections that wait for their next request; the one used last goes first, so that the others grow old. */
export interface Idle {
  keep(connection: Connection): void;
  take(): Connection | undefined;
  forget(connection: Connection): void;
}

interface Waiting {
  readonly connection: Connection;
  readonly until: number;
}

/** A connection is given up a little before the other side does, or a request would meet its closing. */
const MARGIN_MS = 1000;

export function createIdle({ idleMs, maxIdle }: { readonly idleMs: number; readonly maxIdle: number }): Idle {
  let waiting: Waiting[] = [];
  let sweep: NodeJS.Timeout | undefined;

  const closeExpired = () => {
    const now = Date.now();
    const expired = waiting.filter(({ until }) => until <= now);
    waiting = waiting.filter(({ until }) => until > now);
    for (const { connection } of expired) connection.close();
    sweep = waiting.length > 0 ? setTimeout(closeExpired, idleMs).unref() : undefined;
  };
  return {
    keep(connection) {
      const keptMs = Math.min(idleMs, (connection.keptMs() ?? Infinity) - MARGIN_MS);
      if (keptMs <= 0 || waiting.length >= maxIdle) return connection.close();
      connection.rest();
      waiting.push({ connection, until: Date.now() + keptMs });
      sweep ??= setTimeout(closeExpired, idleMs).unref();
    },
    take() {
      for (let last = waiting.pop(); last; last = waiting.pop()) {
        // A function that was frozen wakes up with connections that died meanwhile.
        if (last.until > Date.now()) return last.connection;
        last.connection.close();
      }
      return undefined;
    },
    forget(connection) {
      const at = waiting.findIndex((one) => one.connection === connection);
      if (at !== -1) waiting.splice(at, 1);
    },
  };
}
