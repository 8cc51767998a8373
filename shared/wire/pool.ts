import type { Socket } from 'node:net';
import { createConnection, type Connection, type Exchange, type Listener } from './connection.ts';
import type { WireRequest } from './request-head.ts';

/** Connections to one address, kept open for the next request. */
export interface Pool {
  send(request: WireRequest, listener: Listener): Exchange;
  /** Nothing is open any more. */
  isEmpty(): boolean;
}

export interface PoolOptions {
  /** Opens a connection; TCP or TLS is the caller's business. */
  readonly open: () => Socket;
  readonly idleMs?: number;
  readonly maxIdle?: number;
}

interface Idle {
  readonly connection: Connection;
  readonly socket: Socket;
  readonly until: number;
}

/** A connection is given up a little before the other side does, or a request would meet its closing. */
const MARGIN_MS = 1000;

export function createPool({ open, idleMs = 30_000, maxIdle = 256 }: PoolOptions): Pool {
  let idle: Idle[] = [];
  const sockets = new Map<Connection, Socket>();
  let sweep: NodeJS.Timeout | undefined;

  const closeExpired = () => {
    const now = Date.now();
    for (const { connection } of idle.filter(({ until }) => until <= now)) connection.close();
    idle = idle.filter(({ until }) => until > now);
    if (idle.length > 0) sweep = setTimeout(closeExpired, idleMs).unref();
    else sweep = undefined;
  };
  const events = {
    idle(connection: Connection) {
      const socket = sockets.get(connection);
      const keptMs = Math.min(idleMs, (connection.keptMs() ?? Infinity) - MARGIN_MS);
      if (!socket || keptMs <= 0 || idle.length >= maxIdle) return connection.close();
      socket.resume();
      socket.unref();
      idle.push({ connection, socket, until: Date.now() + keptMs });
      sweep ??= setTimeout(closeExpired, idleMs).unref();
    },
    gone(connection: Connection) {
      sockets.delete(connection);
      const at = idle.findIndex((one) => one.connection === connection);
      if (at !== -1) idle.splice(at, 1);
    },
  };
  const reuse = (): Connection | undefined => {
    for (let last = idle.pop(); last; last = idle.pop()) {
      // A function that was frozen wakes up with connections that died meanwhile.
      if (last.until > Date.now() && !last.socket.destroyed) {
        last.socket.ref();
        return last.connection;
      }
      last.connection.close();
    }
    return undefined;
  };
  const connect = () => {
    const socket = open();
    socket.setNoDelay(true);
    const connection = createConnection(socket, events);
    sockets.set(connection, socket);
    return connection;
  };
  return {
    send: (request, listener) => (reuse() ?? connect()).start(request, listener),
    isEmpty: () => sockets.size === 0,
  };
}
