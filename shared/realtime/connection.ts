import { createHash } from 'node:crypto';
import * as z from 'zod';
import { openTable } from '../store/table.ts';

/**
 * Rows of the table `realtime`.
 *
 *   USER#<user>         CONN#<connection>   a tab of this user; all of them are one query
 *   CONN#<connection>   META                whose it is; written together with the row above
 *   CALL#<connection>   <number>            a question that this connection was asked, then its answer
 *   PAYLOAD#<user>#<id> <part>              an event too large for a socket message
 */
export const realtime = openTable('realtime');

export const connectionKey = (userId: string, connectionId: string) => ({
  pk: `USER#${userId}`,
  sk: `CONN#${connectionId}`,
});
export const connectionIdKey = (connectionId: string) => ({ pk: `CONN#${connectionId}`, sk: 'META' });
export const callKey = (connectionId: string, id: number) => ({ pk: `CALL#${connectionId}`, sk: String(id) });
export const payloadPartition = (userId: string, payloadId: string) => `PAYLOAD#${userId}#${payloadId}`;

/** Who opened a connection and with what, as far as it takes to find out later whether that still holds. */
export const Member = z.object({
  userId: z.string(),
  name: z.string(),
  orgId: z.string().nullable(),
  tokenVersion: z.number(),
  credential: z.object({ kind: z.enum(['token', 'key']), id: z.string(), expiresAt: z.number().nullable() }),
});
export type Member = z.output<typeof Member>;

export const Protocol = z.enum(['socketio', 'json']);
export type Protocol = z.output<typeof Protocol>;

export const Connection = z.object({
  connectionId: z.string(),
  protocol: Protocol,
  sessionId: z.string(),
  /** Epoch milliseconds. */
  connectedAt: z.number(),
  ttl: z.number(),
  member: Member,
});
export type Connection = z.output<typeof Connection>;

/** The gateway ends every connection after two hours; clients come back by themselves. */
export const LONGEST_CONNECTION_MS = 2 * 60 * 60_000;

/** Every step of the handshake, on whichever function it runs, names the session alike without storing it. */
export function sessionIdOf(connectionId: string): string {
  const hex = createHash('sha256').update(connectionId).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
