import type { Context, SQSEvent } from 'aws-lambda';
import { afterEach, expect, test } from 'vitest';
import { startAwsHost, type AwsHost } from '../../infra/local/aws/host.ts';
import { pollQueue, type Poller, type QueueConsumer } from '../../infra/local/aws/lambda/poll-queue.ts';
import { configureLog } from '../../shared/log.ts';

configureLog({ write: () => {} });

let host: AwsHost | undefined;
let poller: Poller | undefined;

afterEach(async () => {
  await poller?.stop();
  await host?.stop();
});

type Setup = Partial<QueueConsumer> & Pick<QueueConsumer, 'handler'> & { readonly messages?: readonly string[] };

const start = async ({ messages = [], ...consumer }: Setup, now: () => number = Date.now) => {
  host = await startAwsHost({
    dataDir: undefined,
    now,
    queues: [
      { name: 'dead' },
      { name: 'work', attributes: { VisibilityTimeout: '30' }, deadLetters: { queue: 'dead', maxReceives: 2 } },
    ],
  });
  for (const body of messages) host.queues.send('work', { body });
  poller = pollQueue({ queue: host.queue('work'), functionName: 'worker', timeout: 30, ...consumer });
  return host;
};

const gate = () => {
  let open = () => {};
  const passed = new Promise<void>((resolve) => (open = resolve));
  return { open: () => open(), passed };
};

const EMPTY = { visible: 0, inFlight: 0, delayed: 0 };

test('messages arrive as the event Lambda builds, and are deleted when the function succeeds', async () => {
  const events: [SQSEvent, Context][] = [];
  const { queues } = await start({ handler: (event, context) => void events.push([event, context]) });
  const attributes = { kind: { DataType: 'String', StringValue: 'demo' } };
  const messageId = queues.send('work', { body: 'hello', attributes, trace: 'Root=1' });
  await expect.poll(() => queues.counts('work')).toEqual(EMPTY);
  expect(events[0]?.[0].Records).toEqual([
    {
      messageId,
      receiptHandle: expect.any(String),
      body: 'hello',
      attributes: {
        ApproximateReceiveCount: '1',
        SentTimestamp: expect.stringMatching(/^\d+$/),
        SenderId: expect.any(String),
        ApproximateFirstReceiveTimestamp: expect.stringMatching(/^\d+$/),
        AWSTraceHeader: 'Root=1',
      },
      messageAttributes: {
        kind: { dataType: 'String', stringValue: 'demo', stringListValues: [], binaryListValues: [] },
      },
      md5OfBody: '5d41402abc4b2a76b9719d911017c592',
      md5OfMessageAttributes: expect.stringMatching(/^[0-9a-f]{32}$/),
      eventSource: 'aws:sqs',
      eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:work',
      awsRegion: 'us-east-1',
    },
  ]);
  expect(events[0]?.[1]).toMatchObject({ functionName: 'worker', awsRequestId: expect.any(String) });
  expect(events[0]?.[1].getRemainingTimeInMillis()).toBeGreaterThan(20_000);
});

test('only what the function reports as failed comes again, after the visibility timeout', async () => {
  let now = Date.now();
  const seen: string[][] = [];
  const handler = (event: SQSEvent) => {
    seen.push(event.Records.map(({ body }) => body));
    const bad = seen.length === 1 ? event.Records.filter(({ body }) => body === 'bad') : [];
    return { batchItemFailures: bad.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };
  const { queues, tick } = await start({ handler, messages: ['good', 'bad'] }, () => now);
  await expect.poll(() => queues.counts('work')).toEqual({ ...EMPTY, inFlight: 1 });
  now += 30_000;
  tick();
  await expect.poll(() => queues.counts('work')).toEqual(EMPTY);
  expect(seen).toEqual([['good', 'bad'], ['bad']]);
});

test.each<[string, QueueConsumer['handler']]>([
  ['that throws', () => Promise.reject(new Error('no'))],
  ['that reports a stranger as failed', () => ({ batchItemFailures: [{ itemIdentifier: 'stranger' }] })],
  ['that reports an empty id', () => ({ batchItemFailures: [{ itemIdentifier: '' }] })],
  ['that runs past its time limit', () => new Promise(() => {})],
])('a function %s has its batch redelivered and then buried', async (_, handler) => {
  let now = Date.now();
  const { queues, tick } = await start({ handler, timeout: 0.02 }, () => now);
  queues.send('work', { body: 'poison' });
  await expect
    .poll(() => {
      now += 30_000;
      tick();
      return queues.counts('dead').visible;
    })
    .toBe(1);
  expect(queues.counts('work')).toEqual(EMPTY);
});

test('batches run side by side up to the limit, and no further', async () => {
  const open = gate();
  let running = 0;
  let most = 0;
  const handler = async () => {
    running += 1;
    most = Math.max(most, running);
    await open.passed;
    running -= 1;
  };
  const { queues } = await start({ handler, batchSize: 1, concurrency: 2 });
  for (const body of ['a', 'b', 'c', 'd']) queues.send('work', { body });
  await expect.poll(() => running).toBe(2);
  expect(queues.counts('work')).toEqual({ ...EMPTY, visible: 2, inFlight: 2 });
  open.open();
  await expect.poll(() => queues.counts('work')).toEqual(EMPTY);
  expect(most).toBe(2);
});

test('stopping waits for what is running and takes nothing more', async () => {
  const open = gate();
  const { queues } = await start({ handler: () => open.passed, concurrency: 1 });
  queues.send('work', { body: 'running' });
  await expect.poll(() => queues.counts('work').inFlight).toBe(1);
  const stopped = poller!.stop();
  queues.send('work', { body: 'left' });
  open.open();
  await stopped;
  expect(queues.counts('work')).toEqual({ ...EMPTY, visible: 1 });
});
