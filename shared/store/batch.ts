import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { dynamodb } from './dynamodb.ts';
import { toAttributes } from './expression.ts';
import type { Key, Row, Table } from './table.ts';

type Attributes = Record<string, AttributeValue>;
interface Wanted {
  readonly table: Table;
  readonly key: Key;
}

/** Several rows, of several tables if need be, in one round trip (per 100). Answers stand in the order asked; absent ones are undefined. */
export async function batchGet(wanted: readonly Wanted[], { consistent = true } = {}): Promise<(Row | undefined)[]> {
  const found = new Map<string, Row>();
  for (let at = 0; at < wanted.length; at += 100) await fetchInto(found, wanted.slice(at, at + 100), consistent);
  return wanted.map(({ table, key }) => found.get(nameOf(table.name, key)));
}

const nameOf = (table: string, { pk, sk }: { readonly pk?: unknown; readonly sk?: unknown }) =>
  JSON.stringify([table, pk, sk]);

interface Pending {
  readonly Keys: Attributes[];
  readonly ConsistentRead: boolean;
}

async function fetchInto(found: Map<string, Row>, wanted: readonly Wanted[], ConsistentRead: boolean) {
  let RequestItems: Record<string, Pending> = {};
  const unique = new Map(wanted.map((one) => [nameOf(one.table.name, one.key), one]));
  for (const { table, key } of unique.values()) {
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
