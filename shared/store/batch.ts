import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { dynamodb } from './dynamodb.ts';
import { toAttributes } from './expression.ts';
import type { Key, Row, Table } from './table.ts';

type Attributes = Record<string, AttributeValue>;
export interface Wanted {
  readonly table: Table;
  readonly key: Key;
}

/** Several rows, of several tables if need be, in one round trip. Answers stand in the order asked; absent ones are undefined. */
export async function batchGet(wanted: readonly Wanted[], { consistent = true } = {}): Promise<(Row | undefined)[]> {
  const found = new Map<string, Row>();
  const names = wanted.map(({ table, key }) => nameOf(table.name, key));
  const unique = [...new Map(wanted.map((one, i) => [names[i], one])).values()];
  const calls = Array.from({ length: Math.ceil(unique.length / PER_CALL) }, (_, i) =>
    fetchInto(found, unique.slice(i * PER_CALL, (i + 1) * PER_CALL), consistent),
  );
  await Promise.all(calls);
  return names.map((name) => found.get(name));
}

const PER_CALL = 100;

const nameOf = (table: string, { pk, sk }: { readonly pk?: unknown; readonly sk?: unknown }) =>
  JSON.stringify([table, pk, sk]);

interface Pending {
  readonly Keys: Attributes[];
  readonly ConsistentRead: boolean;
}

/** The rows wanted here are all different ones. */
async function fetchInto(found: Map<string, Row>, wanted: readonly Wanted[], ConsistentRead: boolean) {
  let RequestItems: Record<string, Pending> = {};
  for (const { table, key } of wanted) {
    (RequestItems[table.name] ??= { Keys: [], ConsistentRead }).Keys.push(toAttributes({ pk: key.pk, sk: key.sk }));
  }
  for (let attempt = 0; Object.keys(RequestItems).length > 0; attempt += 1) {
    if (attempt > 0)
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * 2 ** Math.min(attempt, 6)));
    const answer = await dynamodb<{
      Responses?: Record<string, Attributes[]>;
      UnprocessedKeys?: Record<string, Pending>;
    }>('BatchGetItem', { RequestItems });
    for (const [table, items] of Object.entries(answer.Responses ?? {})) {
      for (const item of items) {
        const row = unmarshall(item);
        found.set(nameOf(table, row), row);
      }
    }
    RequestItems = answer.UnprocessedKeys ?? {};
  }
}
