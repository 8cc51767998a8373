import { createConnection, type Connection, type Exchange, type Listener } from './connection.ts';
import { createIdle } from './idle.ts';
import type { WireRequest } from './request-head.ts';
import type { Open } from './sockets.ts';

/** Connections to one address, kept open for the next request. */
export interface Pool {
  send(request: WireRequest, listener: Listener): Exchange;
  /** Nothing is open any more. */
  isEmpty(): boolean;
}

export interface PoolOptions {
  /** TCP or TLS is the caller's business. */
  readonly open: Open;
  readonly idleMs?: number;
  readonly maxIdle?: number;
}

export function createPool({ open, idleMs = 30_000, maxIdle = 256 }: PoolOptions): Pool {
  const idle = createIdle({ idleMs, maxIdle });
  const connections = new Set<Connection>();
  const events = {
    idle: (connection: Connection) => idle.keep(connection),
    gone(connection: Connection) {
      connections.delete(connection);
      idle.forget(connection);
    },
  };
  const connect = () => {
    const connection = createConnection(open, events);
    connections.add(connection);
    return connection;
  };
  return {
    send: (request, listener) => (idle.take() ?? connect()).start(request, listener),
    isEmpty: () => connections.size === 0,
  };
}
