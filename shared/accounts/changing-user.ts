import { conflict } from '../errors.ts';
import { userKey } from '../identity/rows.ts';
import { when, type Change } from '../store/expression.ts';
import { openTable } from '../store/table.ts';
import { updating, type Operation } from '../store/transaction.ts';
import type { UserRecord } from './rows.ts';

const accounts = openTable('accounts');

/** Only while the account still is what was read: same sessions, still active. */
export const changingUser = (user: UserRecord, change: Change): Operation =>
  updating('user', accounts, userKey(user.userId), {
    ...change,
    if: when('#tokenVersion = :tokenVersion AND #status = :status', {
      tokenVersion: user.tokenVersion,
      status: user.status,
    }),
  });

/** What its failure means. */
export const changedMeanwhile = () => conflict('The account was changed at this moment; try again');
