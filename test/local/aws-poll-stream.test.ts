import { DynamoDBClient, CreateTableCommand, DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { startAwsHost, type AwsHost } from '../../infra/local/aws/host.ts';
import { pollStream, type StreamConsumer, type StreamPoller } from '../../infra/local/aws/lambda/poll-stream.ts';
import { keepStreamsShort, trimStreams } from '../../infra/local/aws/lambda/stream-upkeep.ts';
import { configureLog } from '../../shared/log.ts';

configureLog({ write: () => {} });

const ENGINE = join(import.meta.dirname, '../../node_modules/@dynoxide/linux-x64/dynoxide');
let directory: string;
let engine: ChildProcess;
let endpoint: string;
let db: DynamoDBClient;
let host: AwsHost;
let poller: StreamPoller | undefined;
let tables = 0;

const startEngine = async () => {
  const port = await freePort();
  endpoint = `http://127.0.0.1:${port}`;
  engine = spawn(ENGINE, ['serve', '--port', String(port), '--db-path', join(directory, 'tables.db')], {
    stdio: 'ignore',
  });
  await vi.waitFor(() => fetch(endpoint), { timeout: 5000, interval: 20 });
  db = new DynamoDBClient({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
};

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

const stopEngine = async () => {
  db.destroy();
  const gone = once(engine, 'exit');
  engine.kill('SIGKILL');
  await gone;
};

beforeAll(async () => {
  process.env['AWS_ACCESS_KEY_ID'] ??= 'local';
  process.env['AWS_SECRET_ACCESS_KEY'] ??= 'local';
  directory = await mkdtemp(join(tmpdir(), 'aws-stream-'));
  await startEngine();
  host = await startAwsHost({ dataDir: join(directory, 'aws'), queues: [{ name: 'failures' }] });
});

afterEach(async () => poller?.stop());

afterAll(async () => {
  await host.stop();
  await stopEngine();
  await rm(directory, { recursive: true });
});

const newTable = async () => {
  const TableName = `table-${(tables += 1)}`;
  await db.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
    }),
  );
  return TableName;
};

const put = (TableName: string, pk: string) =>
  db.send(new PutItemCommand({ TableName, Item: { pk: { S: pk }, data: { B: new Uint8Array([1, 2]) } } }));

const poll = (table: string, consumer: Partial<StreamConsumer> & Pick<StreamConsumer, 'handler'>) =>
  (poller = pollStream({
    table,
    endpoint,
    functionName: 'relay',
    timeout: 30,
    positions: host.positions,
    ...consumer,
  }));

const keysOf = (event: DynamoDBStreamEvent) => event.Records.map(({ dynamodb }) => dynamodb?.Keys?.['pk']?.S ?? '');

/** A function that remembers every batch it saw and fails on the given keys. */
const recorder = (failsOn: ReadonlySet<string> = new Set()) => {
  const batches: string[][] = [];
  const handler = async (event: DynamoDBStreamEvent) => {
    batches.push(keysOf(event));
    if (keysOf(event).some((key) => failsOn.has(key))) throw new Error('bad record');
  };
  return { batches, handler, seen: () => batches.flat() };
};

test('changes arrive in order, in the shape Lambda gives them', async () => {
  const table = await newTable();
  const events: DynamoDBStreamEvent[] = [];
  poll(table, { handler: (event) => void events.push(event) });
  await put(table, 'a');
  await db.send(new DeleteItemCommand({ TableName: table, Key: { pk: { S: 'a' } } }));
  await expect.poll(() => events.flatMap(({ Records }) => Records)).toHaveLength(2);
  const [inserted, removed] = events.flatMap(({ Records }) => Records);
  expect(inserted).toMatchObject({
    eventName: 'INSERT',
    eventSource: 'aws:dynamodb',
    eventID: expect.any(String),
    eventSourceARN: expect.stringContaining(`:table/${table}/stream/`),
    dynamodb: {
      Keys: { pk: { S: 'a' } },
      NewImage: { pk: { S: 'a' }, data: { B: 'AQI=' } },
      SequenceNumber: '1',
      StreamViewType: 'NEW_AND_OLD_IMAGES',
      ApproximateCreationDateTime: expect.any(Number),
    },
  });
  expect(removed).toMatchObject({ eventName: 'REMOVE', dynamodb: { OldImage: { pk: { S: 'a' } } } });
});

test('a nudge delivers at once what an idle poller would find later', async () => {
  const table = await newTable();
  const { handler, seen } = recorder();
  const { nudge } = poll(table, { handler });
  for (let i = 0; i < 30; i += 1) {
    await put(table, `k${i}`);
    nudge();
  }
  await expect.poll(() => seen()).toEqual(Array.from({ length: 30 }, (_, i) => `k${i}`));
});

test('after a crash of host and engine the consumer goes on after its last handled record', async () => {
  const table = await newTable();
  const before = recorder();
  await put(table, 'before');
  poll(table, before);
  await expect.poll(before.seen).toEqual(['before']);
  await poller?.stop();
  await put(table, 'meanwhile');
  await host.stop();
  await stopEngine();
  await startEngine();
  host = await startAwsHost({ dataDir: join(directory, 'aws') });
  const after = recorder();
  poll(table, after);
  await put(table, 'after');
  await expect.poll(after.seen).toEqual(['meanwhile', 'after']);
});

test('two functions read the same stream independently', async () => {
  const table = await newTable();
  await put(table, 'a');
  const [one, two] = [recorder(), recorder()];
  poll(table, { ...one, functionName: 'one' });
  await expect.poll(one.seen).toEqual(['a']);
  await poller?.stop();
  poll(table, { ...two, functionName: 'two' });
  await expect.poll(two.seen).toEqual(['a']);
});

test('a failing batch is tried again whole before it is halved', async () => {
  const table = await newTable();
  for (const key of ['a', 'b']) await put(table, key);
  let failures = 1;
  const batches: string[][] = [];
  poll(table, {
    handler: async (event) => {
      batches.push(keysOf(event));
      if (failures-- > 0) throw new Error('passing fault');
    },
  });
  await expect
    .poll(() => batches)
    .toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ]);
});

test('a poison record is isolated, reported to the failure queue, and the rest is handled', async () => {
  const table = await newTable();
  for (const key of ['a', 'bad', 'c', 'd']) await put(table, key);
  const { handler, batches } = recorder(new Set(['bad']));
  poll(table, { handler, retryAttempts: 1, onFailure: host.queue('failures') });
  const [failure] = await host.queue('failures').receive({ max: 1, wait: 10 });
  await expect.poll(() => batches.at(-1)).toEqual(['c', 'd']);
  expect(batches.filter((batch) => !batch.includes('bad'))).toEqual([['a'], ['c', 'd']]);
  expect(JSON.parse(failure?.body ?? '')).toMatchObject({
    requestContext: { condition: 'RetryAttemptsExhausted', approximateInvokeCount: 2 },
    DDBStreamBatchInfo: { startSequenceNumber: '2', endSequenceNumber: '2', batchSize: 1, shardId: expect.any(String) },
  });
});

test('what a function reports as failed is where it goes on', async () => {
  const table = await newTable();
  for (const key of ['a', 'b', 'c']) await put(table, key);
  const batches: string[][] = [];
  poll(table, {
    handler: (event) => {
      batches.push(keysOf(event));
      const failed = batches.length === 1 ? event.Records[1]?.dynamodb?.SequenceNumber : undefined;
      return { batchItemFailures: failed ? [{ itemIdentifier: failed }] : [] };
    },
  });
  await expect
    .poll(() => batches)
    .toEqual([
      ['a', 'b', 'c'],
      ['b', 'c'],
    ]);
});

test('stopping during retries leaves the record for the next start', async () => {
  const table = await newTable();
  await put(table, 'a');
  const failing = recorder(new Set(['a']));
  poll(table, failing);
  await expect.poll(() => failing.batches.length).toBeGreaterThan(0);
  await poller?.stop();
  const next = recorder();
  poll(table, next);
  await expect.poll(next.seen).toEqual(['a']);
});

test('handled records go after a day, unhandled and newest ones stay, and writing stays indexed', async () => {
  const table = await newTable();
  const file = join(directory, 'tables.db');
  keepStreamsShort({ file, positions: host.positions }).stop();
  for (const key of ['a', 'b', 'c']) await put(table, key);
  const first = recorder();
  poll(table, {
    ...first,
    batchSize: 2,
    handler: async (event) =>
      keysOf(event).includes('c') ? Promise.reject(new Error('not yet')) : first.handler(event),
  });
  await expect.poll(first.seen).toEqual(['a', 'b']);
  await poller?.stop();
  trimStreams({ file, positions: host.positions, now: () => Date.now() + 2 * 86_400_000 });
  const records = new DatabaseSync(file, { readOnly: true });
  expect(records.prepare('SELECT sequence_number FROM _stream_records WHERE table_name = ?').all(table)).toEqual([
    { sequence_number: '3' },
  ]);
  const plan = records
    .prepare(
      'EXPLAIN QUERY PLAN SELECT MAX(CAST(sequence_number AS INTEGER)) FROM _stream_records WHERE table_name = ?',
    )
    .all(table);
  expect(JSON.stringify(plan)).toContain('stream_records_in_order');
  records.close();
  const second = recorder();
  poll(table, second);
  await put(table, 'd');
  await expect.poll(second.seen).toEqual(['c', 'd']);
});
