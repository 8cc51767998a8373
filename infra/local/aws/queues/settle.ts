import { AwsFault } from '../fault.ts';
import type { QueueParts } from './parts.ts';

/** A receipt names one receive of one message; the next receive makes it stale. */
export const receiptOf = (seq: number, token: string) => `${seq}.${token}`;

/** Deleting with a stale receipt, or twice, succeeds and does nothing. */
export function deleteMessage(parts: QueueParts, queue: string, receipt: string) {
  const message = findLeased(parts, queue, receipt);
  if (message) parts.store.remove(message.seq);
}

interface VisibilityChange {
  readonly queue: string;
  readonly receipt: string;
  readonly seconds: number;
}

export function changeVisibility(parts: QueueParts, { queue, receipt, seconds }: VisibilityChange) {
  const { store, signal, now } = parts;
  const message = findLeased(parts, queue, receipt);
  if (!message || message.visible_at <= now())
    throw new AwsFault('MessageNotInflight', 'The message referred to is not in flight.');
  store.hide(message.seq, now() + seconds * 1000);
  signal.wake(message.queue);
}

function findLeased({ registry, store }: QueueParts, queue: string, receipt: string) {
  const seq = /^(\d{1,15})\.[\w-]{22}$/.exec(receipt)?.[1];
  if (!seq) throw new AwsFault('ReceiptHandleIsInvalid', `The input receipt handle "${receipt}" is not valid.`, 404);
  const message = store.find(Number(seq), registry.get(queue).name);
  return message?.receipt === receipt ? message : undefined;
}
