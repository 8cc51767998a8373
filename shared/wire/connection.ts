import type { Socket } from 'node:net';
import { hungUp } from './broken.ts';
import type { Head } from './head.ts';
import { requestHead, type WireRequest } from './request-head.ts';
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
  close(): void;
  /** How long the other side keeps a quiet connection open, if it says. */
  keptMs(): number | undefined;
}

interface Current {
  readonly parser: ResponseParser;
  readonly listener: Listener;
}

export interface ConnectionEvents {
  /** It has carried an exchange and could carry another. */
  idle(connection: Connection): void;
  gone(connection: Connection): void;
}

/** A socket that carries one exchange after another. Its handlers are set up once, not for each exchange. */
export function createConnection(socket: Socket, events: ConnectionEvents): Connection {
  let current: Current | undefined;
  let failure: Error | undefined;
  let uses = 0;
  let keptMs: number | undefined;

  const finish = ({ parser, listener }: Current) => {
    current = undefined;
    const isReusable = parser.isReusable() && socket.writableLength === 0 && !socket.destroyed;
    if (isReusable) events.idle(connection);
    else socket.destroy();
    listener.end();
  };
  const fail = (error: Error) => {
    failure ??= error;
    socket.destroy();
  };
  socket.on('data', (bytes: Buffer) => {
    // Nobody has asked anything: the stream of answers is out of step.
    if (!current) return fail(hungUp());
    try {
      current.parser.push(bytes);
    } catch (error) {
      return fail(error instanceof Error ? error : new Error('The answer could not be taken', { cause: error }));
    }
    if (current.parser.hasEnded()) finish(current);
  });
  socket.on('error', fail);
  socket.on('close', () => {
    events.gone(connection);
    if (!current) return;
    if (!failure) current.parser.close();
    if (current.parser.hasEnded()) return finish(current);
    const { listener } = current;
    current = undefined;
    listener.error(failure ?? hungUp());
  });

  const connection: Connection = {
    start(request, listener) {
      const head = requestHead(request);
      const heard = (answer: Head) => {
        keptMs = hintOf(answer);
        listener.head(answer);
      };
      const receiver = { head: heard, body: (chunk: Buffer) => listener.body(chunk) };
      const own = { parser: createResponseParser(request.method, receiver), listener };
      current = own;
      send(socket, head, request.body);
      uses += 1;
      // Whoever still holds an exchange that is over must not disturb the next one.
      const isOurs = () => current === own;
      return {
        socket,
        isReused: uses > 1,
        pause: () => void (isOurs() && socket.pause()),
        resume: () => void (isOurs() && socket.resume()),
        destroy: () => void (isOurs() && socket.destroy()),
      };
    },
    close: () => void socket.destroy(),
    keptMs: () => keptMs,
  };
  return connection;
}

/** Head and body in one write where they can be one string: a second packet would cost as much as the first. */
function send(socket: Socket, head: string, body: string | Uint8Array | undefined) {
  // oxlint-disable-next-line no-control-regex
  if (typeof body !== 'object' && /^[\x00-\x7f]*$/.test(head)) return void socket.write(head + (body ?? ''));
  socket.cork();
  socket.write(head, 'latin1');
  if (body !== undefined) socket.write(body);
  socket.uncork();
}

function hintOf({ headers }: Head): number | undefined {
  const seconds = /timeout=(\d+)/.exec(headers['keep-alive'] ?? '')?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}
