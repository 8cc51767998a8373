import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { localEnvironment } from '../../infra/local/environment.ts';
import { localTableName } from '../../infra/local/tables.ts';
import { createJsonClient } from '../../shared/aws/json.ts';
import { toAttributes } from '../../shared/store/expression.ts';
import type { Key, Row } from '../../shared/store/table.ts';
import type { HostInfo } from '../support/spawn-host.ts';

type BenchTable = 'events' | 'workflows';

/** The tables behind one of several hosts; the stores know only the one that the environment names. */
export interface BenchEngine {
  /** Those that are there, in any order. */
  read(table: BenchTable, keys: readonly Key[]): Promise<Row[]>;
  /** Rows that nobody is told about. Stops at the deadline and answers how many were written. */
  load(table: BenchTable, rows: Iterable<Row & Key>, deadline: number): Promise<number>;
}

const PER_CALL = 100;
const CREDENTIALS = ['AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'] as const;

export function openEngine({ endpoints }: HostInfo): BenchEngine {
  const environment = localEnvironment(endpoints);
  for (const name of CREDENTIALS) process.env[name] = environment[name];
  const endpoint = new URL(endpoints.dynamodb);
  const operate = createJsonClient('dynamodb', { targetPrefix: 'DynamoDB_20120810', version: '1.0', endpoint });
  return {
    async read(table, keys) {
      const name = localTableName(table);
      const pages = chunksOf(keys, PER_CALL).map((page) => {
        const Keys = page.map(({ pk, sk }) => toAttributes({ pk, sk }));
        return operate<Found>('BatchGetItem', { RequestItems: { [name]: { Keys, ConsistentRead: true } } });
      });
      return (await Promise.all(pages)).flatMap(({ Responses }) =>
        (Responses[name] ?? []).map((row) => unmarshall(row)),
      );
    },
    async load(table, rows, deadline) {
      const TableName = localTableName(table);
      const stream = (StreamSpecification: object) => operate('UpdateTable', { TableName, StreamSpecification });
      // Old rows were relayed long ago, so the stream is away while they come.
      await stream({ StreamEnabled: false });
      const written = await writeAll(operate, { TableName, rows, deadline });
      await stream({ StreamEnabled: true, StreamViewType: 'NEW_IMAGE' });
      return written;
    },
  };
}

interface Found {
  readonly Responses: Record<string, Record<string, AttributeValue>[]>;
}

interface Load {
  readonly TableName: string;
  readonly rows: Iterable<Row & Key>;
  readonly deadline: number;
}

/** By transactions: the engine commits each row of a batch on its own, which takes ten times as long. */
async function writeAll(operate: ReturnType<typeof createJsonClient>, { TableName, rows, deadline }: Load) {
  let written = 0;
  const write = async (page: readonly Row[]) => {
    const TransactItems = page.map((row) => ({ Put: { TableName, Item: toAttributes(row) } }));
    await operate('TransactWriteItems', { TransactItems });
    written += page.length;
  };
  let page: Row[] = [];
  let writing = Promise.resolve();
  for (const row of rows) {
    page.push(row);
    if (page.length < PER_CALL) continue;
    await writing; // the next page is made while this one is written
    writing = write(page);
    page = [];
    if (Date.now() > deadline) break;
  }
  await writing;
  if (page.length > 0) await write(page);
  return written;
}

const chunksOf = <T>(all: readonly T[], size: number) =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size));
