import { dynamodb } from './dynamodb.ts';
import { toAttributes } from './expression.ts';
import type { Key, Row, Table } from './table.ts';

export type BatchWrite = { readonly put: Row & Key } | { readonly remove: Key };

const PER_CALL = 25;
const AT_ONCE = 4;

/** Many rows that need no condition, 25 a call and a few calls at a time. Each row is written on its own, in any order. */
export async function batchWrite(table: Table, writes: readonly BatchWrite[]): Promise<void> {
  const calls: (readonly BatchWrite[])[] = [];
  for (let at = 0; at < writes.length; at += PER_CALL) calls.push(writes.slice(at, at + PER_CALL));
  const worker = async () => {
    for (let call = calls.shift(); call; call = calls.shift()) await writeAll(table.name, call.map(toRequest));
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, calls.length) }, worker));
}

const toRequest = (write: BatchWrite) =>
  'put' in write
    ? { PutRequest: { Item: toAttributes(write.put) } }
    : { DeleteRequest: { Key: toAttributes({ pk: write.remove.pk, sk: write.remove.sk }) } };

async function writeAll(table: string, requests: readonly object[]) {
  let pending = requests;
  for (let attempt = 0; pending.length > 0; attempt += 1) {
    if (attempt > 0)
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * 2 ** Math.min(attempt, 6)));
    const { UnprocessedItems } = await dynamodb<{ UnprocessedItems?: Record<string, object[]> }>('BatchWriteItem', {
      RequestItems: { [table]: pending },
    });
    pending = UnprocessedItems?.[table] ?? [];
  }
}
