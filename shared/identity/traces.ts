import { sessionKey } from '../accounts/rows.ts';
import { dynamodb, isCode } from '../store/dynamodb.ts';
import { changeExpression, expressionFields, toAttributes, when } from '../store/expression.ts';
import { openTable, type Key } from '../store/table.ts';
import type { Millis } from '../time.ts';
import type { UserActor } from './actor.ts';
import { rowsBehind } from './reader.ts';
import { apiKeyKey } from './rows.ts';

/** When a key or a session was last used; accurate to ten minutes, which makes it almost free. */
export interface Traces {
  leave(actor: UserActor, now: Millis): Promise<void>;
}

const EVERY_MS = 10 * 60_000;
const REMEMBERED = 10_000;
const accounts = openTable('accounts');

export function createTraces(): Traces {
  const left = new Map<string, Millis>();
  return {
    async leave(actor, now) {
      if (now - (left.get(actor.credentialId) ?? 0) < EVERY_MS) return;
      if (left.size >= REMEMBERED) left.clear();
      left.set(actor.credentialId, now);
      const { key, keyHash } = rowsBehind(actor) ?? {};
      if (keyHash === undefined) return mark(sessionKey(actor.userId, actor.credentialId), 'lastSeenAt', now);
      if (now - (key?.lastUsedAt ?? 0) >= EVERY_MS) return mark(apiKeyKey(keyHash), 'lastUsedAt', now);
    },
  };
}

/** Asks for nothing back: a function that only reads this table may write these two attributes and see no more. */
async function mark(key: Key, attribute: 'lastSeenAt' | 'lastUsedAt', now: Millis) {
  const isDue = when(`attribute_exists(pk) AND (attribute_not_exists(#${attribute}) OR #${attribute} <= :before)`, {
    before: now - EVERY_MS,
  });
  const fields = expressionFields(changeExpression({ set: { [attribute]: now } }), isDue);
  const request = { TableName: accounts.name, Key: toAttributes({ ...key }), ...fields };
  await dynamodb('UpdateItem', request).catch((error: unknown) => {
    if (!isCode(error, 'ConditionalCheckFailedException')) throw error;
  });
}
