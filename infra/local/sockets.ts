import { randomBytes } from 'node:crypto';
import type http from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import { log } from '../../shared/log.ts';
import type { Sockets, SocketInfo } from './aws/connections.ts';
import { createLambdaContext } from './aws/lambda/context.ts';
import type { LoadedJob } from './families.ts';
import { MAX_SOCKET_MESSAGE } from './limits.ts';
import { socketEvent, type SocketEvent, type SocketOrigin } from './socket-event.ts';

interface Connection {
  readonly socket: WebSocket;
  readonly info: { connectedAt: number; lastActiveAt: number; sourceIp: string; userAgent: string };
}

export interface SocketGateway extends Sockets {
  /** Accepts upgrades on this server and hands them to the job that serves sockets. */
  attach(server: http.Server, job: LoadedJob): void;
  stop(): void;
}

/** API Gateway's WebSocket API in small: the same events to the same handler, posts by connection id. */
export function createSocketGateway(): SocketGateway {
  const connections = new Map<string, Connection>();
  const upgrades = new WebSocketServer({ noServer: true, maxPayload: MAX_SOCKET_MESSAGE });
  return {
    post(id, data) {
      const connection = connections.get(id);
      connection?.socket.send(Buffer.from(data).toString('utf8'));
      return connection !== undefined;
    },
    get: (id): SocketInfo | undefined => connections.get(id)?.info,
    close(id) {
      const connection = connections.get(id);
      connection?.socket.close(1000);
      return connection !== undefined;
    },
    attach(server, job) {
      server.on('upgrade', (request: http.IncomingMessage, stream: Duplex, head: Buffer) => {
        accept({ request, stream, head, job, upgrades, connections }).catch((error: unknown) => {
          log.error('socket failed', { error });
          stream.destroy();
        });
      });
    },
    stop() {
      for (const { socket } of connections.values()) socket.close(1001);
      upgrades.close();
    },
  };
}

interface Upgrade {
  readonly request: http.IncomingMessage;
  readonly stream: Duplex;
  readonly head: Buffer;
  readonly job: LoadedJob;
  readonly upgrades: WebSocketServer;
  readonly connections: Map<string, Connection>;
}

async function accept({ request, stream, head, job, upgrades, connections }: Upgrade) {
  const origin: SocketOrigin = {
    connectionId: randomBytes(12).toString('base64url'),
    connectedAt: Date.now(),
    request,
  };
  const answer = await invoke(job, socketEvent('$connect', origin));
  if (answer !== 200) return refuse(stream, answer);
  upgrades.handleUpgrade(request, stream, head, (socket) => {
    const { connectedAt, connectionId } = origin;
    const info = {
      connectedAt,
      lastActiveAt: connectedAt,
      sourceIp: request.socket.remoteAddress ?? '',
      userAgent: request.headers['user-agent'] ?? '',
    };
    connections.set(connectionId, { socket, info });
    serve({ socket, origin, job, connections });
  });
}

interface Serving {
  readonly socket: WebSocket;
  readonly origin: SocketOrigin;
  readonly job: LoadedJob;
  readonly connections: Map<string, Connection>;
}

/** Messages of one connection run one after the other, as they came. */
function serve({ socket, origin, job, connections }: Serving) {
  let turn: Promise<unknown> = Promise.resolve();
  socket.on('message', (data: RawData) => {
    const connection = connections.get(origin.connectionId);
    if (connection) connection.info.lastActiveAt = Date.now();
    turn = turn.then(() => invoke(job, socketEvent('$default', origin, textOf(data))));
  });
  socket.on('error', (error) => log.debug('socket error', { error }));
  socket.on('close', () => {
    connections.delete(origin.connectionId);
    void turn.then(() => invoke(job, socketEvent('$disconnect', origin)));
  });
}

const textOf = (data: RawData) =>
  (Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as ArrayBuffer)).toString('utf8');

/** The status the handler answers; a handler that throws is a 500, as behind the real gateway. */
async function invoke(job: LoadedJob, event: SocketEvent): Promise<number> {
  try {
    const result = await job.handler(event, createLambdaContext({ functionName: job.name, timeout: job.spec.timeout }));
    return (result as { statusCode?: number } | undefined)?.statusCode ?? 200;
  } catch (error) {
    log.error('socket handler failed', { route: event.requestContext.routeKey, error });
    return 500;
  }
}

function refuse(stream: Duplex, status: number) {
  stream.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
