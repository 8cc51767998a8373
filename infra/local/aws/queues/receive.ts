import { randomBytes } from 'node:crypto';
import { atomically } from '../database.ts';
import { nameIn } from '../identity.ts';
import type { MessageRow } from './message-store.ts';
import { redrivePolicy } from './attributes.ts';
import type { QueueRecord } from './registry.ts';
import type { QueueParts } from './parts.ts';
import { receiptOf } from './settle.ts';

export interface ReceiveOptions {
  readonly max: number;
  /** Seconds; the queue's own values unless given. */
  readonly wait?: number;
  readonly visibility?: number;
  readonly signal?: AbortSignal;
}

export type ReceivedMessage = MessageRow & { readonly receipt: string };

/** Long polling: answers as soon as something is visible, with nothing when the wait is over or the caller has gone. */
export async function receiveMessages(parts: QueueParts, reference: string, options: ReceiveOptions) {
  const { registry, store, signal, now } = parts;
  const { name, attributes } = registry.get(reference);
  const deadline = performance.now() + (options.wait ?? Number(attributes['ReceiveMessageWaitTimeSeconds'])) * 1000;
  while (!options.signal?.aborted) {
    const messages = takeVisible(parts, registry.get(name), options);
    const left = deadline - performance.now();
    if (messages.length > 0 || left <= 0) return messages;
    const next = store.nextVisibleAt(name, now());
    await signal.wait(name, { ms: next === undefined ? left : Math.min(left, next - now()), signal: options.signal });
  }
  return [];
}

export const retention = (queue: QueueRecord) => Number(queue.attributes['MessageRetentionPeriod']) * 1000;

function takeVisible(parts: QueueParts, queue: QueueRecord, { max, visibility }: ReceiveOptions): ReceivedMessage[] {
  const now = parts.now();
  const visibleAt = now + (visibility ?? Number(queue.attributes['VisibilityTimeout'])) * 1000;
  return atomically(parts.db, () => {
    for (;;) {
      const found = parts.store.visible(queue.name, now, max);
      const alive = found.filter((message) => !isExpired(parts, queue, message) && !isBuried(parts, queue, message));
      if (alive.length > 0 || found.length === 0) return alive.map((message) => lease(parts, message, visibleAt));
    }
  });
}

function isExpired({ store, now }: QueueParts, queue: QueueRecord, message: MessageRow) {
  if (message.sent_at > now() - retention(queue)) return false;
  store.remove(message.seq);
  return true;
}

/** As in SQS, a message received often enough moves to the dead-letter queue when it would be received once more. */
function isBuried({ registry, store, signal, now }: QueueParts, queue: QueueRecord, message: MessageRow) {
  const policy = redrivePolicy(queue.attributes);
  if (!policy || message.receives < policy.maxReceiveCount || !registry.has(policy.deadLetterTargetArn)) return false;
  const target = nameIn(policy.deadLetterTargetArn);
  store.bury(message.seq, { queue: target, source: queue.arn, now: now() });
  signal.wake(target);
  return true;
}

function lease({ store, now }: QueueParts, message: MessageRow, visibleAt: number): ReceivedMessage {
  const receipt = receiptOf(message.seq, randomBytes(16).toString('base64url'));
  store.take(message.seq, { receipt, visibleAt, now: now() });
  return {
    ...message,
    receipt,
    visible_at: visibleAt,
    receives: message.receives + 1,
    first_received_at: message.first_received_at ?? now(),
  };
}
