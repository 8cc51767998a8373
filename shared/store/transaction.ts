import { randomUUID } from 'node:crypto';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { conflict } from '../errors.ts';
import { ConditionFailed, dynamodb, isCode } from './dynamodb.ts';
import { changeExpression, expressionFields, toAttributes, type Change, type Condition } from './expression.ts';
import type { Key, Row, Table } from './table.ts';

/** One row of a transaction. The label tells which condition failed. */
export interface Operation {
  readonly label: string;
  readonly request: Readonly<Record<string, unknown>>;
}

const keyOf = (key: Key) => toAttributes({ pk: key.pk, sk: key.sk });
const REPORT = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' };

export const putting = (label: string, table: Table, row: Row & Key, condition?: Condition): Operation => ({
  label,
  request: {
    Put: { TableName: table.name, Item: toAttributes(row), ...expressionFields(undefined, condition), ...REPORT },
  },
});

export const updating = (
  label: string,
  table: Table,
  key: Key,
  change: Change & { readonly if?: Condition },
): Operation => ({
  label,
  request: {
    Update: {
      TableName: table.name,
      Key: keyOf(key),
      ...expressionFields(changeExpression(change), change.if),
      ...REPORT,
    },
  },
});

export const deleting = (label: string, table: Table, key: Key, condition?: Condition): Operation => ({
  label,
  request: { Delete: { TableName: table.name, Key: keyOf(key), ...expressionFields(undefined, condition), ...REPORT } },
});

export const checking = (label: string, table: Table, key: Key, condition: Condition): Operation => ({
  label,
  request: {
    ConditionCheck: { TableName: table.name, Key: keyOf(key), ...expressionFields(undefined, condition), ...REPORT },
  },
});

interface Reason {
  readonly Code?: string;
  readonly Item?: Record<string, AttributeValue>;
}

const MAX_CONFLICTS = 12;

/** All rows or none. A clash with another transaction is tried again; a failed condition is thrown with its label. */
export async function transact(operations: readonly Operation[]): Promise<void> {
  const ClientRequestToken = randomUUID();
  for (let attempt = 1; ; attempt += 1) {
    const reasons = await attemptOnce(operations, ClientRequestToken);
    if (!reasons) return;
    const failed = reasons.findIndex((reason) => reason.Code === 'ConditionalCheckFailed');
    if (failed !== -1) throw failureAt(operations[failed], reasons[failed]);
    if (attempt === MAX_CONFLICTS) throw conflict('Too many changes to the same thing at once; try again');
    await new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(200, 5 * 2 ** attempt)));
  }
}

/** The reasons why it was cancelled, or nothing when it went through. */
async function attemptOnce(
  operations: readonly Operation[],
  ClientRequestToken: string,
): Promise<readonly Reason[] | undefined> {
  try {
    await dynamodb('TransactWriteItems', { TransactItems: operations.map((op) => op.request), ClientRequestToken });
    return undefined;
  } catch (error) {
    if (isCode(error, 'TransactionInProgressException') || isCode(error, 'TransactionConflictException')) return [];
    if (!isCode(error, 'TransactionCanceledException')) throw error;
    return (error.details['CancellationReasons'] ?? []) as Reason[];
  }
}

const failureAt = (operation: Operation | undefined, reason: Reason | undefined) =>
  new ConditionFailed(operation?.label ?? 'transaction', reason?.Item && unmarshall(reason.Item));
