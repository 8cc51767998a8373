import * as z from 'zod';
import { batchOf, runBatch } from './batch.ts';
import { AwsFault } from '../fault.ts';
import { attributesMd5, md5, MessageAttribute, messageSize } from './digest.ts';
import { MAX_MESSAGE_BYTES } from './attributes.ts';
import type { Queues } from './queues.ts';
import type { ReceivedMessage } from './receive.ts';
import { systemAttributes } from './system-attributes.ts';
import { operation, type Operation } from '../wire.ts';

const Outgoing = {
  MessageBody: z.string(),
  DelaySeconds: z.int().min(0).max(900).optional(),
  MessageAttributes: z
    .record(z.string().regex(/^[\w.-]{1,256}$/), MessageAttribute)
    .refine((attributes) => Object.keys(attributes).length <= 10, 'A message has at most 10 attributes')
    .default({}),
  MessageSystemAttributes: z.record(z.string(), MessageAttribute).default({}),
  MessageGroupId: z.string().max(128).optional(),
};
const SendMessage = z.object({ QueueUrl: z.string(), ...Outgoing });
const Receipt = { ReceiptHandle: z.string() };
const Visibility = { ...Receipt, VisibilityTimeout: z.int().min(0).max(43_200) };
const ReceiveMessage = z.object({
  QueueUrl: z.string(),
  MaxNumberOfMessages: z.int().min(1).max(10).default(1),
  WaitTimeSeconds: z.int().min(0).max(20).optional(),
  VisibilityTimeout: z.int().min(0).max(43_200).optional(),
  AttributeNames: z.array(z.string()).default([]),
  MessageSystemAttributeNames: z.array(z.string()).default([]),
  MessageAttributeNames: z.array(z.string()).default([]),
});

export const messageOperations = (queues: Queues): Record<string, Operation> => ({
  SendMessage: operation(SendMessage, ({ QueueUrl, ...message }) => send(queues, QueueUrl, message)),
  SendMessageBatch: operation(batchOf(Outgoing), ({ QueueUrl, Entries }) => {
    queues.registry.get(QueueUrl);
    checkTotal(Entries);
    return runBatch(Entries, (entry) => send(queues, QueueUrl, entry));
  }),
  ReceiveMessage: operation(ReceiveMessage, async (input, { signal }) => {
    const messages = await queues.receive(input.QueueUrl, {
      max: input.MaxNumberOfMessages,
      wait: input.WaitTimeSeconds,
      visibility: input.VisibilityTimeout,
      signal,
    });
    return messages.length === 0 ? {} : { Messages: messages.map((message) => present(message, input)) };
  }),
  DeleteMessage: operation(z.object({ QueueUrl: z.string(), ...Receipt }), ({ QueueUrl, ReceiptHandle }) =>
    queues.delete(QueueUrl, ReceiptHandle),
  ),
  DeleteMessageBatch: operation(batchOf(Receipt), ({ QueueUrl, Entries }) =>
    runBatch(Entries, ({ ReceiptHandle }) => queues.delete(QueueUrl, ReceiptHandle)),
  ),
  ChangeMessageVisibility: operation(z.object({ QueueUrl: z.string(), ...Visibility }), (input) =>
    queues.changeVisibility(input.QueueUrl, input.ReceiptHandle, input.VisibilityTimeout),
  ),
  ChangeMessageVisibilityBatch: operation(batchOf(Visibility), ({ QueueUrl, Entries }) =>
    runBatch(Entries, (entry) => queues.changeVisibility(QueueUrl, entry.ReceiptHandle, entry.VisibilityTimeout)),
  ),
});

type Outgoing = Omit<z.infer<typeof SendMessage>, 'QueueUrl'>;

function send(queues: Queues, url: string, message: Outgoing) {
  const MessageId = queues.send(url, {
    body: message.MessageBody,
    attributes: message.MessageAttributes,
    delaySeconds: message.DelaySeconds,
    trace: message.MessageSystemAttributes['AWSTraceHeader']?.StringValue,
    groupId: message.MessageGroupId,
  });
  return {
    MessageId,
    MD5OfMessageBody: md5(message.MessageBody),
    MD5OfMessageAttributes: attributesMd5(message.MessageAttributes),
    MD5OfMessageSystemAttributes: attributesMd5(message.MessageSystemAttributes),
  };
}

function checkTotal(entries: readonly Outgoing[]) {
  const total = entries.reduce((sum, entry) => sum + messageSize(entry.MessageBody, entry.MessageAttributes), 0);
  if (total > MAX_MESSAGE_BYTES)
    throw new AwsFault('BatchRequestTooLong', `A batch has at most ${MAX_MESSAGE_BYTES} bytes; this one has ${total}.`);
}

function present(message: ReceivedMessage, asked: z.infer<typeof ReceiveMessage>) {
  const names = [...asked.AttributeNames, ...asked.MessageSystemAttributeNames];
  const system = Object.entries(systemAttributes(message)).filter(
    ([name]) => names.includes('All') || names.includes(name),
  );
  const own = Object.entries(message.attributes).filter(([name]) => isAsked(name, asked.MessageAttributeNames));
  return {
    MessageId: message.id,
    ReceiptHandle: message.receipt,
    MD5OfBody: md5(message.body),
    Body: message.body,
    Attributes: system.length > 0 ? Object.fromEntries(system) : undefined,
    MessageAttributes: own.length > 0 ? Object.fromEntries(own) : undefined,
    MD5OfMessageAttributes: attributesMd5(Object.fromEntries(own)),
  };
}

const isAsked = (name: string, patterns: readonly string[]) =>
  patterns.some(
    (pattern) =>
      pattern === 'All' || pattern === name || (pattern.endsWith('.*') && name.startsWith(pattern.slice(0, -2))),
  );
