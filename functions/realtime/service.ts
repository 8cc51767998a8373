import * as z from 'zod';
import type { Protocol } from '../../shared/realtime/connection.ts';
import { introductionOf } from './handshake.ts';
import type { Identify } from './identify.ts';
import type { DoLater } from './later.ts';
import type { Arrival } from './membership.ts';
import { servePlain } from './plain-json.ts';
import { servePacket, type Doors } from './socket-io.ts';

/** An event of the WebSocket API; headers and query come with the handshake only. */
export const SocketEvent = z.object({
  requestContext: z.object({
    routeKey: z.enum(['$connect', '$default', '$disconnect']),
    connectionId: z.string(),
    connectedAt: z.number(),
  }),
  headers: z.record(z.string(), z.string()).nullish(),
  queryStringParameters: z.record(z.string(), z.string().optional()).nullish(),
  body: z.string().nullish(),
  isBase64Encoded: z.boolean().optional(),
});
export type SocketEvent = z.output<typeof SocketEvent>;

export interface SocketParts extends Doors {
  readonly identify: Identify;
  readonly ownAddress: string;
  readonly doLater: DoLater;
  readonly post: (connectionId: string, text: string) => Promise<boolean>;
}

/** Serves the three routes of the WebSocket API; the status decides whether a handshake is accepted. */
export async function serveSocket(event: SocketEvent, parts: SocketParts): Promise<{ readonly statusCode: number }> {
  const { routeKey, connectionId, connectedAt } = event.requestContext;
  switch (routeKey) {
    case '$connect':
      return { statusCode: await accept(event, parts) };
    case '$disconnect':
      await parts.leave(connectionId);
      return { statusCode: 200 };
    case '$default': {
      const text = textOf(event);
      const arrival: Arrival = { connectionId, connectedAt, protocol: protocolOf(text) };
      const serve = arrival.protocol === 'json' ? servePlain : servePacket;
      const said = await serve(text, arrival, parts);
      if (typeof said === 'string') await parts.post(connectionId, said);
      return { statusCode: 200 };
    }
  }
}

/** A path tells nothing in the cloud, where all sockets share one; Socket.IO clients name their protocol in the query. */
async function accept(event: SocketEvent, parts: SocketParts) {
  const { connectionId, connectedAt } = event.requestContext;
  const EIO = event.queryStringParameters?.['EIO'];
  if (EIO !== undefined && EIO !== '4') return 400;
  const protocol: Protocol = EIO === undefined ? 'json' : 'socketio';
  const introduced = protocol === 'json' ? await introduce(event, parts) : {};
  await parts.doLater({ kind: 'open', connectionId, connectedAt, protocol, ...introduced });
  return 200;
}

async function introduce(event: SocketEvent, { identify, ownAddress }: SocketParts) {
  const { token, sessionId } = introductionOf(event, ownAddress);
  return { member: token ? await identify(token) : undefined, sessionId };
}

/** Packets start with a digit and objects with a brace, so the message itself tells, without a look-up. */
const protocolOf = (text: string): Protocol => (text.trimStart().startsWith('{') ? 'json' : 'socketio');

const textOf = ({ body, isBase64Encoded }: SocketEvent) =>
  Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8').toString('utf8');
