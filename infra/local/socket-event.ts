import { randomUUID } from 'node:crypto';
import type http from 'node:http';

export type SocketRoute = '$connect' | '$default' | '$disconnect';

export interface SocketOrigin {
  readonly connectionId: string;
  readonly connectedAt: number;
  readonly request: http.IncomingMessage;
}

/** The event of API Gateway's WebSocket API, field for field as far as functions read it. */
export type SocketEvent = ReturnType<typeof socketEvent>;

const EVENT_TYPES = { $connect: 'CONNECT', $default: 'MESSAGE', $disconnect: 'DISCONNECT' } as const;

export function socketEvent(
  routeKey: SocketRoute,
  { connectionId, connectedAt, request }: SocketOrigin,
  body?: string,
) {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const isConnect = routeKey === '$connect';
  return {
    requestContext: {
      routeKey,
      eventType: EVENT_TYPES[routeKey],
      connectionId,
      connectedAt,
      requestId: randomUUID(),
      messageId: randomUUID(),
      requestTimeEpoch: Date.now(),
      apiId: 'local',
      stage: 'local',
      domainName: request.headers.host ?? 'localhost',
      identity: { sourceIp: request.socket.remoteAddress ?? '', userAgent: request.headers['user-agent'] ?? '' },
    },
    // Headers and query travel only with the handshake, as in the cloud.
    ...(isConnect && {
      headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
      queryStringParameters: Object.fromEntries(url.searchParams),
    }),
    ...(body !== undefined && { body }),
    isBase64Encoded: false,
  };
}
