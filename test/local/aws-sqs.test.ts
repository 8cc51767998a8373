import {
  BatchEntryIdsNotDistinct,
  ChangeMessageVisibilityBatchCommand,
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  DeleteMessageBatchCommand,
  DeleteMessageCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ListQueuesCommand,
  MessageNotInflight,
  PurgeQueueCommand,
  QueueDoesNotExist,
  QueueNameExists,
  ReceiptHandleIsInvalid,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SetQueueAttributesCommand,
  SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startAwsHost, type AwsHost } from '../../infra/local/aws/host.ts';

let now = Date.parse('2026-03-01T12:00:00Z');
let host: AwsHost;
let sqs: SQSClient;

beforeAll(async () => {
  host = await startAwsHost({ dataDir: undefined, now: () => now });
  sqs = new SQSClient({
    endpoint: host.endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
  });
});

afterAll(async () => {
  sqs.destroy();
  await host.stop();
});

const passSeconds = (seconds: number) => {
  now += seconds * 1000;
  host.tick();
};

const newQueue = async (Attributes: Record<string, string> = {}) => {
  const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: `q-${randomUUID()}`, Attributes }));
  return QueueUrl ?? '';
};

const send = (QueueUrl: string, MessageBody: string) => sqs.send(new SendMessageCommand({ QueueUrl, MessageBody }));

const receive = async (QueueUrl: string, options: Partial<ReceiveMessageCommand['input']> = {}) =>
  (await sqs.send(new ReceiveMessageCommand({ QueueUrl, MessageSystemAttributeNames: ['All'], ...options })))
    .Messages ?? [];

const attributes = async (QueueUrl: string) =>
  (await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }))).Attributes ?? {};

const withDeadLetters = async (maxReceiveCount: number) => {
  const dead = await newQueue();
  const { QueueArn } = await attributes(dead);
  const url = await newQueue({ RedrivePolicy: JSON.stringify({ deadLetterTargetArn: QueueArn, maxReceiveCount }) });
  return { url, dead, deadArn: QueueArn ?? '' };
};

describe('queues', () => {
  test('a queue is found by its name, listed by prefix and described with its attributes', async () => {
    const QueueName = `q-${randomUUID()}`;
    const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName, Attributes: { VisibilityTimeout: '45' } }));
    expect(QueueUrl).toBe(`${host.endpoint}/000000000000/${QueueName}`);
    expect(await sqs.send(new GetQueueUrlCommand({ QueueName }))).toMatchObject({ QueueUrl });
    expect(await sqs.send(new ListQueuesCommand({ QueueNamePrefix: QueueName }))).toMatchObject({
      QueueUrls: [QueueUrl],
    });
    expect(await attributes(QueueUrl ?? '')).toMatchObject({
      QueueArn: `arn:aws:sqs:us-east-1:000000000000:${QueueName}`,
      VisibilityTimeout: '45',
      MaximumMessageSize: '1048576',
      ApproximateNumberOfMessages: '0',
    });
  });

  test('a long list of queues comes in pages', async () => {
    const prefix = `page-${randomUUID()}`;
    for (const n of [1, 2, 3]) await sqs.send(new CreateQueueCommand({ QueueName: `${prefix}-${n}` }));
    const first = await sqs.send(new ListQueuesCommand({ QueueNamePrefix: prefix, MaxResults: 2 }));
    const second = await sqs.send(
      new ListQueuesCommand({ QueueNamePrefix: prefix, MaxResults: 2, NextToken: first.NextToken }),
    );
    expect([first.QueueUrls?.length, second.QueueUrls?.length, second.NextToken]).toEqual([2, 1, undefined]);
  });

  test('creating a queue again is harmless unless an attribute differs', async () => {
    const QueueName = `q-${randomUUID()}`;
    await sqs.send(new CreateQueueCommand({ QueueName, Attributes: { DelaySeconds: '3' } }));
    await sqs.send(new CreateQueueCommand({ QueueName, Attributes: { DelaySeconds: '3' } }));
    const differing = sqs.send(new CreateQueueCommand({ QueueName, Attributes: { DelaySeconds: '4' } }));
    await expect(differing).rejects.toBeInstanceOf(QueueNameExists);
  });

  test('attributes can be changed, and nonsense is refused by name', async () => {
    const QueueUrl = await newQueue();
    await sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { DelaySeconds: '7' } }));
    expect(await attributes(QueueUrl)).toMatchObject({ DelaySeconds: '7' });
    const set = (Attributes: Record<string, string>) =>
      sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes }));
    await expect(set({ DelaySeconds: '901' })).rejects.toMatchObject({ name: 'InvalidAttributeValue' });
    await expect(set({ Colour: 'red' })).rejects.toMatchObject({ name: 'InvalidAttributeName' });
    await expect(
      set({ RedrivePolicy: '{"deadLetterTargetArn":"arn:aws:sqs:x:1:none","maxReceiveCount":1}' }),
    ).rejects.toMatchObject({ name: 'InvalidAttributeValue' });
    await expect(sqs.send(new CreateQueueCommand({ QueueName: 'ordered.fifo' }))).rejects.toThrow(
      'FIFO queues are not hosted',
    );
  });

  test('a queue that does not exist raises the typed exception with its legacy code', async () => {
    const missing = sqs.send(new GetQueueUrlCommand({ QueueName: 'nowhere' }));
    await expect(missing).rejects.toBeInstanceOf(QueueDoesNotExist);
    await expect(missing).rejects.toMatchObject({ Code: 'AWS.SimpleQueueService.NonExistentQueue' });
  });

  test('a deleted queue is gone with its messages', async () => {
    const QueueUrl = await newQueue();
    await send(QueueUrl, 'x');
    await sqs.send(new DeleteQueueCommand({ QueueUrl }));
    await expect(receive(QueueUrl)).rejects.toBeInstanceOf(QueueDoesNotExist);
  });
});

describe('messages', () => {
  test('a message arrives with its body, attributes, digests and system attributes', async () => {
    const QueueUrl = await newQueue();
    const sent = await sqs.send(
      new SendMessageCommand({
        QueueUrl,
        MessageBody: 'grüße 👋',
        MessageAttributes: {
          zeta: { DataType: 'String', StringValue: 'last' },
          alpha: { DataType: 'Number', StringValue: '42' },
          blob: { DataType: 'Binary', BinaryValue: new Uint8Array([0, 1, 255]) },
        },
        MessageSystemAttributes: { AWSTraceHeader: { DataType: 'String', StringValue: 'Root=1-2-3' } },
      }),
    );
    const [message] = await receive(QueueUrl, { MessageAttributeNames: ['All'] });
    expect(message).toMatchObject({ MessageId: sent.MessageId, Body: 'grüße 👋', MD5OfBody: sent.MD5OfMessageBody });
    expect(message?.MD5OfMessageAttributes).toBe(sent.MD5OfMessageAttributes);
    expect(message?.MessageAttributes).toMatchObject({
      alpha: { StringValue: '42' },
      blob: { BinaryValue: new Uint8Array([0, 1, 255]) },
    });
    expect(message?.Attributes).toMatchObject({
      ApproximateReceiveCount: '1',
      SentTimestamp: String(now),
      ApproximateFirstReceiveTimestamp: String(now),
      AWSTraceHeader: 'Root=1-2-3',
    });
  });

  test('the attribute digest is the one SQS documents', async () => {
    const QueueUrl = await newQueue();
    const MessageAttributes = { timestamp: { DataType: 'Number', StringValue: '1493147359900' } };
    const sent = await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'x', MessageAttributes }));
    expect(sent.MD5OfMessageAttributes).toBe('235c5c510d26fb653d073faed50ae77c');
  });

  test('only the attributes asked for are returned', async () => {
    const QueueUrl = await newQueue();
    const value = { DataType: 'String', StringValue: 'v' };
    const MessageAttributes = { 'app.one': value, 'app.two': value, other: value };
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'x', MessageAttributes }));
    const [byPrefix] = await receive(QueueUrl, { MessageAttributeNames: ['app.*'], VisibilityTimeout: 0 });
    expect(Object.keys(byPrefix?.MessageAttributes ?? {})).toEqual(['app.one', 'app.two']);
    const [bare] = await receive(QueueUrl, { MessageSystemAttributeNames: [], VisibilityTimeout: 0 });
    expect([bare?.Attributes, bare?.MessageAttributes]).toEqual([undefined, undefined]);
  });

  test('a received message is hidden until its visibility timeout, then comes again and counts', async () => {
    const QueueUrl = await newQueue({ VisibilityTimeout: '10' });
    await send(QueueUrl, 'again');
    const [first] = await receive(QueueUrl);
    expect(await receive(QueueUrl)).toEqual([]);
    passSeconds(10);
    const [second] = await receive(QueueUrl);
    expect(second?.MessageId).toBe(first?.MessageId);
    expect(second?.Attributes?.['ApproximateReceiveCount']).toBe('2');
    expect(second?.ReceiptHandle).not.toBe(first?.ReceiptHandle);
  });

  test('a stale receipt deletes nothing, the current one does', async () => {
    const QueueUrl = await newQueue({ VisibilityTimeout: '5' });
    await send(QueueUrl, 'once');
    const [stale] = await receive(QueueUrl);
    passSeconds(5);
    const [current] = await receive(QueueUrl);
    await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: stale?.ReceiptHandle }));
    expect(await attributes(QueueUrl)).toMatchObject({ ApproximateNumberOfMessagesNotVisible: '1' });
    await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: current?.ReceiptHandle }));
    await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: current?.ReceiptHandle }));
    passSeconds(5);
    expect(await receive(QueueUrl)).toEqual([]);
    const nonsense = sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: 'nonsense' }));
    await expect(nonsense).rejects.toBeInstanceOf(ReceiptHandleIsInvalid);
  });

  test('visibility can be lengthened and ended, but only while the message is in flight', async () => {
    const QueueUrl = await newQueue({ VisibilityTimeout: '10' });
    await send(QueueUrl, 'x');
    const [message] = await receive(QueueUrl);
    const change = (VisibilityTimeout: number) =>
      sqs.send(
        new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle: message?.ReceiptHandle, VisibilityTimeout }),
      );
    await change(60);
    passSeconds(30);
    expect(await receive(QueueUrl)).toEqual([]);
    await change(0);
    await expect(change(30)).rejects.toBeInstanceOf(MessageNotInflight);
    expect(await receive(QueueUrl)).toHaveLength(1);
  });

  test('a delayed message appears after its delay, the queue delay being the default', async () => {
    const QueueUrl = await newQueue({ DelaySeconds: '20' });
    await send(QueueUrl, 'queue delay');
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'own delay', DelaySeconds: 5 }));
    expect(await attributes(QueueUrl)).toMatchObject({ ApproximateNumberOfMessagesDelayed: '2' });
    passSeconds(5);
    expect((await receive(QueueUrl, { MaxNumberOfMessages: 10 })).map(({ Body }) => Body)).toEqual(['own delay']);
    passSeconds(15);
    expect((await receive(QueueUrl, { MaxNumberOfMessages: 10 })).map(({ Body }) => Body)).toEqual(['queue delay']);
  });

  test('a long poll answers as soon as a message arrives, and with nothing when the wait is over', async () => {
    const QueueUrl = await newQueue();
    const waiting = receive(QueueUrl, { WaitTimeSeconds: 20 });
    await send(QueueUrl, 'soon');
    expect((await waiting).map(({ Body }) => Body)).toEqual(['soon']);
    expect(await receive(QueueUrl, { WaitTimeSeconds: 1 })).toEqual([]);
  });

  test('a long poll whose caller hung up takes no message', async () => {
    const QueueUrl = await newQueue();
    const caller = new AbortController();
    const waiting = sqs.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20 }), {
      abortSignal: caller.signal,
    });
    setTimeout(() => caller.abort(), 50);
    await expect(waiting).rejects.toThrow();
    // By the time these are answered the host has seen the closed socket.
    for (let trips = 0; trips < 3; trips += 1) await attributes(QueueUrl);
    await send(QueueUrl, 'still here');
    expect(await receive(QueueUrl)).toHaveLength(1);
  });

  test('each of many messages goes to exactly one of two concurrent receivers', async () => {
    const QueueUrl = await newQueue();
    for (let batch = 0; batch < 5; batch += 1)
      await sqs.send(
        new SendMessageBatchCommand({
          QueueUrl,
          Entries: Array.from({ length: 10 }, (_, i) => ({ Id: `${i}`, MessageBody: `${batch}-${i}` })),
        }),
      );
    const drain = async () => {
      const bodies: (string | undefined)[] = [];
      for (
        let page = await receive(QueueUrl, { MaxNumberOfMessages: 10 });
        page.length > 0;
        page = await receive(QueueUrl, { MaxNumberOfMessages: 10 })
      )
        bodies.push(...page.map(({ Body }) => Body));
      return bodies;
    };
    const all = (await Promise.all([drain(), drain()])).flat();
    expect([all.length, new Set(all).size]).toEqual([50, 50]);
  });

  test('messages past their retention are forgotten', async () => {
    const QueueUrl = await newQueue({ MessageRetentionPeriod: '60' });
    await send(QueueUrl, 'old');
    passSeconds(61);
    expect(await receive(QueueUrl)).toEqual([]);
  });

  test('a message of one megabyte is taken, one byte more is refused, and so are forbidden characters', async () => {
    const QueueUrl = await newQueue();
    await send(QueueUrl, 'x'.repeat(1024 * 1024));
    await expect(send(QueueUrl, 'x'.repeat(1024 * 1024 + 1))).rejects.toMatchObject({ name: 'InvalidParameterValue' });
    await expect(send(QueueUrl, 'bell \u0007')).rejects.toMatchObject({ name: 'InvalidMessageContents' });
    const [message] = await receive(QueueUrl);
    expect(message?.Body).toHaveLength(1024 * 1024);
  });

  test('purging empties the queue', async () => {
    const QueueUrl = await newQueue();
    await send(QueueUrl, 'x');
    await sqs.send(new PurgeQueueCommand({ QueueUrl }));
    expect(await receive(QueueUrl)).toEqual([]);
  });
});

describe('batches', () => {
  test('entries succeed and fail one by one', async () => {
    const QueueUrl = await newQueue({ MaximumMessageSize: '1024' });
    const Entries = [
      { Id: 'good', MessageBody: 'fine' },
      { Id: 'bad', MessageBody: 'x'.repeat(1025) },
    ];
    const result = await sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    expect(result.Successful?.map(({ Id }) => Id)).toEqual(['good']);
    expect(result.Failed).toMatchObject([{ Id: 'bad', SenderFault: true, Code: 'InvalidParameterValue' }]);
  });

  test('visibility and deletion work in batches too', async () => {
    const QueueUrl = await newQueue();
    for (const body of ['a', 'b']) await send(QueueUrl, body);
    const messages = await receive(QueueUrl, { MaxNumberOfMessages: 10 });
    const handles = messages.map(({ ReceiptHandle }, i) => ({ Id: `${i}`, ReceiptHandle }));
    const shown = await sqs.send(
      new ChangeMessageVisibilityBatchCommand({
        QueueUrl,
        Entries: handles.map((one) => ({ ...one, VisibilityTimeout: 100 })),
      }),
    );
    expect(shown.Successful).toHaveLength(2);
    const deleted = await sqs.send(
      new DeleteMessageBatchCommand({ QueueUrl, Entries: [...handles, { Id: 'x', ReceiptHandle: 'nonsense' }] }),
    );
    expect(deleted.Successful).toHaveLength(2);
    expect(deleted.Failed).toMatchObject([{ Id: 'x', Code: 'ReceiptHandleIsInvalid' }]);
  });

  test('a batch that is wrong as a whole is refused and sends nothing', async () => {
    const QueueUrl = await newQueue();
    const entry = (Id: string, MessageBody = 'x') => ({ Id, MessageBody });
    const sendBatch = (Entries: { Id: string; MessageBody: string }[]) =>
      sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    await expect(sendBatch([entry('a'), entry('a')])).rejects.toBeInstanceOf(BatchEntryIdsNotDistinct);
    await expect(sendBatch([])).rejects.toMatchObject({ name: 'EmptyBatchRequest' });
    await expect(sendBatch(Array.from({ length: 11 }, (_, i) => entry(`${i}`)))).rejects.toMatchObject({
      name: 'TooManyEntriesInBatchRequest',
    });
    const half = 'x'.repeat(600 * 1024);
    await expect(sendBatch([entry('a', half), entry('b', half)])).rejects.toMatchObject({
      name: 'BatchRequestTooLong',
    });
    expect(await receive(QueueUrl)).toEqual([]);
  });
});

describe('dead letters', () => {
  test('a message received too often moves to the dead-letter queue with its origin', async () => {
    const { url, dead } = await withDeadLetters(2);
    const { MessageId } = await send(url, 'poison');
    for (let attempt = 0; attempt < 2; attempt += 1)
      expect(await receive(url, { VisibilityTimeout: 0 })).toHaveLength(1);
    expect(await receive(url)).toEqual([]);
    const [letter] = await receive(dead);
    expect(letter).toMatchObject({ MessageId, Body: 'poison' });
    expect(letter?.Attributes?.['DeadLetterQueueSourceArn']).toBe((await attributes(url))['QueueArn']);
  });

  test('a long poll on the dead-letter queue sees the message arrive', async () => {
    const { url, dead } = await withDeadLetters(1);
    await send(url, 'poison');
    await receive(url, { VisibilityTimeout: 0 });
    const waiting = receive(dead, { WaitTimeSeconds: 20 });
    await receive(url);
    expect(await waiting).toHaveLength(1);
  });

  test('dead letters can be sent back to where they came from as new messages', async () => {
    const { url, dead, deadArn } = await withDeadLetters(1);
    const { MessageId } = await send(url, 'again');
    await receive(url, { VisibilityTimeout: 0 });
    await receive(url);
    await sqs.send(new StartMessageMoveTaskCommand({ SourceArn: deadArn }));
    expect(await receive(dead)).toEqual([]);
    const [message] = await receive(url);
    expect(message).toMatchObject({ Body: 'again', Attributes: { ApproximateReceiveCount: '1' } });
    expect(message?.MessageId).not.toBe(MessageId);
  });

  test('only a dead-letter queue can be redriven', async () => {
    const { QueueArn } = await attributes(await newQueue());
    await expect(sqs.send(new StartMessageMoveTaskCommand({ SourceArn: QueueArn }))).rejects.toThrow(
      'Dead Letter Queue',
    );
  });
});
