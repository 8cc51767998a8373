import { UserRecord } from '../accounts/rows.ts';
import { AppError, conflict, notFound } from '../errors.ts';
import { userKey } from '../identity/rows.ts';
import { ConditionFailed } from '../store/dynamodb.ts';
import { openTable } from '../store/table.ts';
import { transact, type Operation } from '../store/transaction.ts';
import { STALE } from './changes.ts';

const accounts = openTable('accounts');
const MAX_ATTEMPTS = 8;

export interface MemberChange {
  /** The rows to write for the person as they stand now, or nothing when they already are as wanted. */
  plan(user: UserRecord): readonly Operation[] | undefined;
  /** What a failed condition other than a stale read means. */
  refuse(failed: ConditionFailed): AppError;
}

export interface Changed {
  readonly user: UserRecord;
  readonly isChanged: boolean;
}

/** Reads, decides and writes; when someone else changed the person in between, decides again. */
export async function changeMember(
  userId: string,
  belongs: (user: UserRecord) => boolean,
  change: MemberChange,
): Promise<Changed> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const user = await readUser(userId);
    if (!user || !belongs(user)) throw notFound('User');
    const operations = change.plan(user);
    if (!operations) return { user, isChanged: false };
    if (await attemptOnce(operations, change)) return { user: (await readUser(userId)) ?? user, isChanged: true };
  }
  throw conflict('This person is being changed by someone else; try again');
}

export async function readUser(userId: string): Promise<UserRecord | undefined> {
  const row = await accounts.get(userKey(userId));
  return row && UserRecord.parse(row);
}

/** False when the person was no longer the one that was read. */
async function attemptOnce(operations: readonly Operation[], change: MemberChange): Promise<boolean> {
  try {
    await transact(operations);
    return true;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    if (error.what === STALE) return false;
    throw change.refuse(error);
  }
}

export const lastAdmin = () =>
  new AppError('last_admin', 'An organization cannot be left without an active administrator');
