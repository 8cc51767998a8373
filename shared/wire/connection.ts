import type { Socket } from 'node:net';
import { hungUp } from './broken.ts';
import { requestHead, type WireRequest } from './request-head.ts';
import type { Open } from './sockets.ts';
import { createResponseParser, type Receiver, type ResponseParser } from './response-parser.ts';

/** Hears of an answer. One of `end` and `error` is the last call. */
export interface Listener extends Receiver {
  end(): void;
  error(error: Error): void;
}

/** One request and its answer, while it lasts. */
export interface Exchange {
  /** The connection has carried others before, so the other side may just have closed it. */
  readonly isReused: boolean;
  readonly socket: Socket;
  pause(): void;
  resume(): void;
  /** Gives up; the listener hears of an error. */
  destroy(): void;
}

export interface Connection {
  start(request: WireRequest, listener: Listener): Exchange;
  /** Nothing is under way: the process need not stay for it. */
  rest(): void;
  close(): void;
  /** How long the other side keeps a quiet connection open, if it says. */
  keptMs(): number | undefined;
}

export interface ConnectionEvents {
  /** It has carried an exchange and could carry another. */
  idle(connection: Connection): void;
  gone(connection: Connection): void;
}

/** A socket that carries one exchange after another. Its handlers are set up once, not for each exchange. */
export function createConnection(open: Open, events: ConnectionEvents): Connection {
  let current: Current | undefined;
  let failure: Error | undefined;
  let uses = 0;
  let keptMs: number | undefined;

  const finish = ({ parser, listener }: Current) => {
    current = undefined;
    keptMs = parser.keptMs();
    if (parser.isReusable() && socket.writableLength === 0 && !socket.destroyed) events.idle(connection);
    else socket.destroy();
    listener.end();
  };
  const leave = () => {
    events.gone(connection);
    const last = current;
    if (last && !failure) last.parser.close();
    if (last?.parser.hasEnded()) return finish(last);
    current = undefined;
    last?.listener.error(failure ?? hungUp());
  };
  const connection: Connection = {
    start(request, listener) {
      const own = (current = { parser: createResponseParser(request.method, listener), listener });
      send(socket, requestHead(request), request.body);
      if (uses++ > 0) socket.ref();
      return exchangeOn(socket, { isReused: uses > 1, isCurrent: () => current === own });
    },
    rest: () => void socket.resume().unref(),
    close: () => void socket.destroy(),
    keptMs: () => keptMs,
  };
  const take = (bytes: Buffer) => {
    const problem = current ? pushInto(current, bytes) : hungUp();
    if (problem) socket.destroy(problem);
    else if (current?.parser.hasEnded()) finish(current);
  };
  const socket = open(take).setNoDelay(true).on('close', leave);
  socket.on('error', (error) => (failure ??= error));
  return connection;
}

interface Current {
  readonly parser: ResponseParser;
  readonly listener: Listener;
}

/** Whatever the bytes, or whoever takes them, cannot cope with ends the connection. */
function pushInto({ parser }: Current, bytes: Buffer): Error | undefined {
  try {
    parser.push(bytes);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error('The answer could not be taken', { cause: error });
  }
}

interface Standing {
  readonly isReused: boolean;
  /** Whoever still holds an exchange that is over must not disturb the next one. */
  readonly isCurrent: () => boolean;
}

const exchangeOn = (socket: Socket, { isReused, isCurrent }: Standing): Exchange => ({
  socket,
  isReused,
  pause: () => void (isCurrent() && socket.pause()),
  resume: () => void (isCurrent() && socket.resume()),
  destroy: () => void (isCurrent() && socket.destroy()),
});

/** Head and body in one write where they can be one string: a second packet would cost as much as the first. */
function send(socket: Socket, head: string, body: string | Uint8Array | undefined) {
  if (typeof body !== 'object' && isAscii(head)) return void socket.write(head + (body ?? ''));
  socket.cork();
  socket.write(head, 'latin1');
  if (body !== undefined) socket.write(body);
  socket.uncork();
}

const isAscii = (text: string) => Buffer.byteLength(text) === text.length;
