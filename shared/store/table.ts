import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { requiredFromEnvironment } from '../settings/environment.ts';
import { tableVariable } from '../settings/names.ts';
import { decodeStartKey, encodeCursor } from './cursor.ts';
import { ConditionFailed, dynamodb, isCode } from './dynamodb.ts';
import {
  changeExpression,
  expressionFields,
  namesIn,
  toAttributes,
  valuesIn,
  when,
  type Change,
  type Condition,
} from './expression.ts';

export interface Key {
  readonly pk: string;
  readonly sk: string;
}

export type Row = Readonly<Record<string, unknown>>;
type Attributes = Record<string, AttributeValue>;

export interface Query {
  readonly pk: string;
  /** Rows whose sort key starts with this. */
  readonly prefix?: string;
  /** Rows whose sort key lies between these, both included. */
  readonly between?: readonly [from: string, to: string];
  readonly index?: string;
  readonly limit?: number;
  readonly cursor?: string;
  readonly newestFirst?: boolean;
  readonly consistent?: boolean;
  readonly filter?: Condition;
}

export interface Page {
  readonly rows: readonly Row[];
  readonly cursor: string | undefined;
}

/** One table. Rows come out as plain objects for the family's schema to parse. */
export interface Table {
  readonly name: string;
  get(key: Key, options?: { readonly consistent?: boolean }): Promise<Row | undefined>;
  put(row: Row & Key, condition?: Condition): Promise<void>;
  update(key: Key, change: Change, condition?: Condition): Promise<Row>;
  /** Like `update`, but answers with what the changed attributes held before: less to carry for large rows. */
  swap(key: Key, change: Change, condition?: Condition): Promise<Row>;
  delete(key: Key, condition?: Condition): Promise<Row | undefined>;
  query(query: Query): Promise<Page>;
  /** Every row of a query, page by page: for what is bounded by design, or for walking without holding it all. */
  walk(query: Omit<Query, 'cursor'>): AsyncGenerator<Row>;
}

/** The name is read at the first call, so importing a store needs no environment. */
export function openTable(table: string): Table {
  let known: string | undefined;
  const name = () => (known ??= requiredFromEnvironment(tableVariable(table)));
  return {
    get name() {
      return name();
    },
    get: (key, options) => getRow(name(), key, options?.consistent ?? true),
    async put(row, condition) {
      const fields = expressionFields(undefined, condition);
      await write(table, 'PutItem', { TableName: name(), Item: toAttributes(row), ...fields });
    },
    async update(key, change, condition) {
      const fields = expressionFields(changeExpression(change), condition);
      const request = { TableName: name(), Key: toAttributes({ ...key }), ReturnValues: 'ALL_NEW', ...fields };
      return (await write(table, 'UpdateItem', request)) ?? {};
    },
    async swap(key, change, condition) {
      const fields = expressionFields(changeExpression(change), condition);
      const request = { TableName: name(), Key: toAttributes({ ...key }), ReturnValues: 'UPDATED_OLD', ...fields };
      return (await write(table, 'UpdateItem', request)) ?? {};
    },
    async delete(key, condition) {
      const fields = expressionFields(undefined, condition);
      const request = { TableName: name(), Key: toAttributes({ ...key }), ReturnValues: 'ALL_OLD', ...fields };
      return write(table, 'DeleteItem', request);
    },
    query: (query) => runQuery(name(), query),
    walk: (query) => walkPages(name(), query),
  };
}

async function getRow(TableName: string, key: Key, ConsistentRead: boolean) {
  const request = { TableName, Key: toAttributes({ ...key }), ConsistentRead };
  const { Item } = await dynamodb<{ Item?: Attributes }>('GetItem', request);
  return Item && unmarshall(Item);
}

async function* walkPages(TableName: string, query: Omit<Query, 'cursor'>) {
  let cursor: string | undefined;
  do {
    const page: Page = await runQuery(TableName, { ...query, cursor });
    yield* page.rows;
    cursor = page.cursor;
  } while (cursor !== undefined);
}

async function write(
  table: string,
  operation: 'PutItem' | 'UpdateItem' | 'DeleteItem',
  request: object,
): Promise<Row | undefined> {
  try {
    const input = { ...request, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' };
    const { Attributes } = await dynamodb<{ Attributes?: Attributes }>(operation, input);
    return Attributes && unmarshall(Attributes);
  } catch (error) {
    if (!isCode(error, 'ConditionalCheckFailedException')) throw error;
    const existing = error.details['Item'] as Attributes | undefined;
    throw new ConditionFailed(table, existing && unmarshall(existing));
  }
}

async function runQuery(TableName: string, query: Query): Promise<Page> {
  const key = keyCondition(query);
  const parts = [key, ...(query.filter ? [query.filter] : [])];
  const request = {
    TableName,
    ...(query.index && { IndexName: query.index }),
    KeyConditionExpression: key.expression,
    ...(query.filter && { FilterExpression: query.filter.expression }),
    ExpressionAttributeNames: Object.assign({}, ...parts.map(namesIn)) as Record<string, string>,
    ExpressionAttributeValues: toAttributes(Object.assign({}, ...parts.map(valuesIn)) as Record<string, unknown>),
    ScanIndexForward: !query.newestFirst,
    ...(query.limit && { Limit: query.limit }),
    ...(query.cursor && { ExclusiveStartKey: toAttributes(decodeStartKey(query.cursor, query)) }),
    ...(!query.index && { ConsistentRead: query.consistent ?? true }),
  };
  const { Items = [], LastEvaluatedKey } = await dynamodb<{ Items?: Attributes[]; LastEvaluatedKey?: Attributes }>(
    'Query',
    request,
  );
  return {
    rows: Items.map((item) => unmarshall(item)),
    cursor: LastEvaluatedKey && encodeCursor(unmarshall(LastEvaluatedKey)),
  };
}

function keyCondition({ pk, prefix, between, index = '' }: Query): Condition {
  const [hash, range] = [`#${index}pk`, `#${index}sk`];
  if (between)
    return when(`${hash} = :pk AND ${range} BETWEEN :from AND :to`, { pk, from: between[0], to: between[1] });
  if (prefix !== undefined) return when(`${hash} = :pk AND begins_with(${range}, :prefix)`, { pk, prefix });
  return when(`${hash} = :pk`, { pk });
}
