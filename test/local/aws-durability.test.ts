import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { CreateScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';

let dataDir: string;
const children = new Set<ChildProcess>();

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'aws-durability-'));
});

afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await rm(dataDir, { recursive: true });
});

const startHost = async () => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'aws-host-process.ts'), dataDir], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
  const lines = createInterface(child.stdout);
  const [endpoint] = await Promise.race([once(lines, 'line'), once(child, 'exit').then(() => [''])]);
  const options = {
    endpoint: String(endpoint),
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
  };
  return {
    sqs: new SQSClient(options),
    events: new EventBridgeClient(options),
    scheduler: new SchedulerClient(options),
    url: (name: string) => `${endpoint}/000000000000/${name}`,
    complaints: () => complaints,
    kill: async () => {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
      children.delete(child);
    },
  };
};

test('what was accepted before kill -9 is there after it, and what was deleted is not', async () => {
  const first = await startHost();
  const QueueUrl = first.url('work');
  for (const MessageBody of ['handled', 'held', 'waiting', 'delayed'])
    await first.sqs.send(
      new SendMessageCommand({ QueueUrl, MessageBody, DelaySeconds: MessageBody === 'delayed' ? 900 : 0 }),
    );
  const [handled] = (await first.sqs.send(new ReceiveMessageCommand({ QueueUrl }))).Messages ?? [];
  await first.sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: handled?.ReceiptHandle }));
  await first.sqs.send(new ReceiveMessageCommand({ QueueUrl, VisibilityTimeout: 900 }));
  const Entries = [{ EventBusName: 'platform', Source: 's', DetailType: 't', Detail: '{"n":1}' }];
  await first.events.send(new PutEventsCommand({ Entries }));
  const at = new Date(Date.now() + 1000).toISOString().slice(0, 19);
  await first.scheduler.send(
    new CreateScheduleCommand({
      Name: 'later',
      ScheduleExpression: `at(${at})`,
      FlexibleTimeWindow: { Mode: 'OFF' },
      Target: {
        Arn: 'arn:aws:sqs:us-east-1:000000000000:events',
        RoleArn: 'arn:aws:iam::0:role/r',
        Input: 'scheduled',
      },
    }),
  );
  await first.kill();
  expect(first.complaints()).toBe('');

  const second = await startHost();
  const receive = async (name: string, WaitTimeSeconds = 0) => {
    const input = { QueueUrl: second.url(name), MaxNumberOfMessages: 10, WaitTimeSeconds };
    return ((await second.sqs.send(new ReceiveMessageCommand(input))).Messages ?? []).map(({ Body }) => Body ?? '');
  };
  expect((await receive('work')).toSorted()).toEqual(['held', 'waiting']);
  const counted = new GetQueueAttributesCommand({ QueueUrl: second.url('work'), AttributeNames: ['All'] });
  expect((await second.sqs.send(counted)).Attributes).toMatchObject({ ApproximateNumberOfMessagesDelayed: '1' });
  const event = await receive('events');
  expect(event.map((body) => (body === 'scheduled' ? body : JSON.parse(body).detail))).toContainEqual({ n: 1 });
  if (!event.includes('scheduled')) expect(await receive('events', 5)).toEqual(['scheduled']);
  await second.kill();
});
