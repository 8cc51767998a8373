import * as z from 'zod';
import { AppError } from '../errors.ts';
import { orElse } from '../store/dynamodb.ts';
import { deleting, putting, transact, updating } from '../store/transaction.ts';
import type { Connection } from './connection.ts';
import { connectionKey, isAtRevision, listKey, settings } from './store.ts';

/** One list of connections in place of another. */
export interface ListChange {
  /** Each with the revision after the one it replaces. */
  readonly saved: readonly Connection[];
  readonly removed: readonly Connection[];
  /** Of the whole list, read before its connections were. */
  readonly seenRevision: number;
}

const REVISION_KEY = { pk: 'CONNECTIONS#LIST', sk: 'REVISION' };
const Revision = z.object({ revision: z.number() });

/** Two who each add a connection change no row in common; this number tells them apart. */
export async function readListRevision(): Promise<number> {
  const row = await settings.get(REVISION_KEY);
  return row ? Revision.parse(row).revision : 0;
}

/** All of it or nothing. Refuses when anything of it has changed since it was read. */
export async function changeList(change: ListChange): Promise<void> {
  const { saved, removed, seenRevision } = change;
  if (saved.length + removed.length === 0) return;
  refuseTooLarge(change);
  const isUnchanged = isAtRevision(seenRevision);
  await transact([
    updating('list', settings, REVISION_KEY, { set: { revision: seenRevision + 1 }, if: isUnchanged }),
    ...saved.map((one) =>
      putting('connection', settings, { ...connectionKey(one.id), ...one }, isAtRevision(one.revision - 1)),
    ),
    ...removed.flatMap((one) => [
      deleting('connection', settings, connectionKey(one.id), isAtRevision(one.revision)),
      deleting('known models', settings, listKey(one.id)),
    ]),
  ]).catch(
    orElse(
      () => new AppError('stale_version', 'Somebody else has changed the connections at the same time; try again'),
    ),
  );
}

/** What DynamoDB takes in one transaction and in one row, with some room. */
const MOST_OPERATIONS = 100;
const LARGEST_CHANGE = 3_900_000;
const LARGEST_ROW = 390_000;

/** Two rows go with a connection that goes; one row is the revision. */
export function refuseTooMany({ saved, removed }: { saved: number; removed: number }): void {
  if (1 + saved + 2 * removed > MOST_OPERATIONS)
    throw new AppError(
      'invalid_request',
      `This changes ${saved} connections and removes ${removed}, but one update takes ${MOST_OPERATIONS - 1} changes, of which a removal is two: send it in parts`,
    );
}

function refuseTooLarge({ saved, removed }: ListChange): void {
  refuseTooMany({ saved: saved.length, removed: removed.length });
  const sizes = saved.map((one) => Buffer.byteLength(JSON.stringify(one)));
  const large = saved.find((_, i) => (sizes[i] ?? 0) > LARGEST_ROW);
  if (large) throw new AppError('payload_too_large', `There is more said about ${large.url} than fits in one row`);
  if (sizes.reduce((sum, size) => sum + size, 0) > LARGEST_CHANGE)
    throw new AppError('payload_too_large', 'These changes are too large for one update: send them in parts');
}
