import { randomUUID } from 'node:crypto';
import { AwsFault } from '../fault.ts';
import { messageSize, type MessageAttributes } from './digest.ts';
import type { QueueParts } from './parts.ts';

export interface OutgoingMessage {
  readonly body: string;
  readonly attributes?: MessageAttributes;
  /** The queue's own delay unless given. */
  readonly delaySeconds?: number;
  readonly trace?: string;
  readonly groupId?: string;
}

export function sendMessage({ registry, store, signal, now }: QueueParts, reference: string, message: OutgoingMessage) {
  const queue = registry.get(reference);
  checkMessage(message, Number(queue.attributes['MaximumMessageSize']));
  const id = randomUUID();
  const sentAt = now();
  store.insert({
    id,
    queue: queue.name,
    sent_at: sentAt,
    visible_at: sentAt + (message.delaySeconds ?? Number(queue.attributes['DelaySeconds'])) * 1000,
    body: message.body,
    attributes: message.attributes ?? {},
    trace: message.trace ?? null,
    group_id: message.groupId ?? null,
  });
  signal.wake(queue.name);
  return id;
}

const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

function checkMessage({ body, attributes = {} }: OutgoingMessage, limit: number) {
  if (body === '') throw new AwsFault('MissingParameter', 'The request must contain the parameter MessageBody.');
  if (FORBIDDEN.test(body))
    throw new AwsFault('InvalidMessageContents', 'The message contains characters outside the allowed set.');
  if (messageSize(body, attributes) <= limit) return;
  const why = `One or more parameters are invalid. Reason: Message must be shorter than ${limit} bytes.`;
  throw new AwsFault('InvalidParameterValue', why);
}
