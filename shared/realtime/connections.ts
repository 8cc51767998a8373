import { log } from '../log.ts';
import type { Row } from '../store/table.ts';
import { deleting, putting, transact } from '../store/transaction.ts';
import { toSeconds, type Millis } from '../time.ts';
import { Connection, connectionIdKey, connectionKey, LONGEST_CONNECTION_MS, realtime } from './connection.ts';
import { closeSocket } from './sockets.ts';
import { inStanding } from './standing.ts';

/** Whoever has more tabs than this sees events in this many of them. */
const MOST_TABS = 100;

/** The open connections of a user: one query when there are none, one more read when there are some. */
export async function connectionsOf(userId: string, now: Millis): Promise<readonly Connection[]> {
  const { pk } = connectionKey(userId, '');
  const { rows } = await realtime.query({ pk, prefix: 'CONN#', limit: MOST_TABS });
  const open = rows.flatMap(asConnection).filter(({ ttl }) => ttl > toSeconds(now));
  if (open.length === 0) return [];
  const standing = await inStanding(open, now);
  await Promise.all(open.filter((one) => !standing.has(one)).map(cutConnection));
  return [...standing];
}

export async function findConnection(connectionId: string): Promise<Connection | undefined> {
  return asConnection(await realtime.get(connectionIdKey(connectionId)))[0];
}

/** A row that an older version wrote in another way counts as gone; it expires soon, and its client comes back. */
function asConnection(row: Row | undefined): Connection[] {
  const { data } = Connection.safeParse(row);
  return data ? [data] : [];
}

/** A connection belongs to one user at a time; saying so again changes nothing, saying otherwise moves it. */
export async function keepConnection(connection: Omit<Connection, 'ttl'>, before: Connection | undefined) {
  const { connectionId, connectedAt, member } = connection;
  const ttl = toSeconds((connectedAt + LONGEST_CONNECTION_MS) as Millis) + 60;
  const row = { ...connection, ttl };
  const isMoving = before !== undefined && before.member.userId !== member.userId;
  await transact([
    putting('connection', realtime, { ...connectionIdKey(connectionId), ...row }),
    putting('member', realtime, { ...connectionKey(member.userId, connectionId), ...row }),
    ...(isMoving ? [deleting('former', realtime, connectionKey(before.member.userId, connectionId))] : []),
  ]);
}

/** Should one of the two rows survive a crash, the next event or the next beat meets a gone connection and ends it. */
export async function forgetConnection({ connectionId, member }: Connection) {
  await Promise.all([
    realtime.delete(connectionIdKey(connectionId)),
    realtime.delete(connectionKey(member.userId, connectionId)),
  ]);
}

/** For those who may no longer listen. Whoever meets them wants to go on with the others, so this never throws. */
export async function cutConnection(connection: Connection) {
  try {
    await forgetConnection(connection);
    await closeSocket(connection.connectionId);
  } catch (error) {
    log.warn('connection not cut', { id: connection.connectionId, error });
  }
}
