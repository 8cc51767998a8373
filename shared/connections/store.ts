import * as z from 'zod';
import { AppError, notFound } from '../errors.ts';
import { orElse } from '../store/dynamodb.ts';
import { absent, when } from '../store/expression.ts';
import { openTable } from '../store/table.ts';
import { Connection } from './connection.ts';

/**
 * Rows of the table `settings`:
 *
 *   CONNECTIONS   CONN#<id>   a connection that an operator has saved
 *                 LIST#<id>   the ids its upstream last listed, so that a fresh process need not ask before a completion
 *   CONNECTIONS#LIST   REVISION   how often a whole list was put in place of another (list-change.ts)
 */
export const settings = openTable('settings');
const PARTITION = 'CONNECTIONS';
export const connectionKey = (id: string) => ({ pk: PARTITION, sk: `CONN#${id}` });
export const listKey = (id: string) => ({ pk: PARTITION, sk: `LIST#${id}` });

const KnownList = z.object({ connectionId: z.string(), url: z.string(), ids: z.array(z.string()) });
export type KnownList = z.output<typeof KnownList>;

export interface SavedConnections {
  readonly connections: readonly Connection[];
  readonly lists: readonly KnownList[];
}

export async function readConnections(): Promise<SavedConnections> {
  const connections: Connection[] = [];
  const lists: KnownList[] = [];
  for await (const row of settings.walk({ pk: PARTITION })) {
    if (String(row['sk']).startsWith('CONN#')) connections.push(Connection.parse(row));
    else lists.push(KnownList.parse(row));
  }
  return { connections, lists };
}

export async function insertConnection(connection: Connection): Promise<void> {
  const taken = () => new AppError('conflict', 'A connection with this id exists already');
  await settings.put({ ...connectionKey(connection.id), ...connection }, absent).catch(orElse(taken));
}

/** Only the revision that was read may be replaced; revision 0 is one that was never saved. */
export async function replaceConnection(connection: Connection, seenRevision: number): Promise<void> {
  const row = { ...connectionKey(connection.id), ...connection };
  const changed = () => new AppError('stale_version', 'Somebody else has changed this connection; load it again');
  await settings.put(row, isAtRevision(seenRevision)).catch(orElse(changed));
}

export const isAtRevision = (revision: number) =>
  revision === 0 ? absent : when('#revision = :revision', { revision });

export async function removeConnection(id: string): Promise<void> {
  const before = await settings.delete(connectionKey(id));
  await settings.delete(listKey(id));
  if (!before) throw notFound('Connection');
}

export const rememberList = (list: KnownList) => settings.put({ ...listKey(list.connectionId), ...list });
