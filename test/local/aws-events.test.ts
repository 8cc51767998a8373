import { EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startAwsHost, type AwsHost } from '../../infra/local/aws/host.ts';

const NOW = Date.parse('2026-03-01T12:00:00.789Z');
let host: AwsHost;
let events: EventBridgeClient;

beforeAll(async () => {
  host = await startAwsHost({
    dataDir: undefined,
    now: () => NOW,
    queues: [{ name: 'dispatch' }, { name: 'audit' }],
    buses: ['platform'],
    rules: [
      { bus: 'platform', pattern: { 'detail-type': ['bus_event'] }, targets: ['dispatch'] },
      { bus: 'platform', pattern: { source: [{ prefix: 'atrium.' }] }, targets: ['audit', 'dispatch'] },
    ],
  });
  events = new EventBridgeClient({
    endpoint: host.endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
  });
});

afterAll(async () => {
  events.destroy();
  await host.stop();
});

const put = (...Entries: PutEventsRequestEntry[]) => events.send(new PutEventsCommand({ Entries }));

const entry = (changes: Partial<PutEventsRequestEntry> = {}): PutEventsRequestEntry => ({
  EventBusName: 'platform',
  Source: 'other',
  DetailType: 'bus_event',
  Detail: '{"a":1}',
  ...changes,
});

const drain = async (queue: string) => {
  const messages = await host.queue(queue).receive({ max: 100 });
  for (const { receipt } of messages) host.queue(queue).delete(receipt);
  return messages.map(({ body }) => body);
};

test('a matching event reaches the queue in the EventBridge envelope', async () => {
  const { Entries, FailedEntryCount } = await put(entry({ Resources: ['r1'] }));
  expect(FailedEntryCount).toBe(0);
  expect((await drain('dispatch')).map((body) => JSON.parse(body))).toEqual([
    {
      version: '0',
      id: Entries?.[0]?.EventId,
      'detail-type': 'bus_event',
      source: 'other',
      account: '000000000000',
      time: '2026-03-01T12:00:00Z',
      region: 'us-east-1',
      resources: ['r1'],
      detail: { a: 1 },
    },
  ]);
});

test('the detail keeps numbers that JavaScript cannot hold, and the given time is used', async () => {
  await put(entry({ Detail: '{"big":12345678901234567890}', Time: new Date('2020-05-06T07:08:09Z') }));
  const [body] = await drain('dispatch');
  expect(body).toContain('12345678901234567890');
  expect(body).toContain('"time":"2020-05-06T07:08:09Z"');
});

test('an event goes once to each queue of all rules that match, and nowhere when none does', async () => {
  await put(entry({ Source: 'atrium.events' }), entry({ DetailType: 'unheard' }));
  expect([await drain('dispatch'), await drain('audit')].map((bodies) => bodies.length)).toEqual([1, 1]);
});

test('wrong entries fail alone and the others are delivered', async () => {
  const result = await put(
    entry(),
    entry({ Detail: '[1]' }),
    entry({ Source: undefined }),
    entry({ Source: 'aws.s3' }),
    entry({ EventBusName: 'nobus' }),
  );
  expect(result.FailedEntryCount).toBe(4);
  expect(result.Entries?.map(({ ErrorCode }) => ErrorCode)).toEqual([
    undefined,
    'MalformedDetail',
    'InvalidArgument',
    'NotAuthorizedForSourceException',
    'InvalidArgument',
  ]);
  expect(await drain('dispatch')).toHaveLength(1);
});

test('more than ten entries or one megabyte is refused whole', async () => {
  await expect(put(...Array.from({ length: 11 }, () => entry()))).rejects.toMatchObject({
    name: 'ValidationException',
  });
  const large = entry({ Detail: JSON.stringify({ text: 'x'.repeat(600 * 1024) }) });
  await expect(put(large, large)).rejects.toMatchObject({ name: 'ValidationException' });
  expect(await drain('dispatch')).toEqual([]);
});

test('a bus is named by ARN as well', async () => {
  await put(entry({ EventBusName: 'arn:aws:events:us-east-1:000000000000:event-bus/platform' }));
  expect(await drain('dispatch')).toHaveLength(1);
});

test('a rule to a queue or bus that does not exist stops the start', async () => {
  const start = (bus: string, target: string) =>
    startAwsHost({
      dataDir: undefined,
      buses: ['b'],
      queues: [{ name: 'q' }],
      rules: [{ bus, pattern: {}, targets: [target] }],
    });
  await expect(start('b', 'nowhere')).rejects.toThrow('the queue nowhere, which does not exist');
  await expect(start('nobus', 'q')).rejects.toThrow('the bus nobus, which is not declared');
});
