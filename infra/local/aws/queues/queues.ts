import { createMessageStore } from './message-store.ts';
import type { QueueAttributes } from './attributes.ts';
import { createQueueRegistry, type QueueRecord, type QueueRegistry, type RegistryOptions } from './registry.ts';
import type { QueueParts } from './parts.ts';
import { createQueueSignal } from './signal.ts';
import { retention, receiveMessages, type ReceivedMessage, type ReceiveOptions } from './receive.ts';
import { redriveMessages } from './redrive.ts';
import { sendMessage, type OutgoingMessage } from './send.ts';
import { changeVisibility, deleteMessage } from './settle.ts';

/** SQS's standard queues, kept in the local database. A queue is referred to by name, address or ARN. */
export interface Queues {
  readonly registry: QueueRegistry;
  /** Creates the queue, or brings an existing one to these attributes. */
  declare(name: string, attributes: QueueAttributes): QueueRecord;
  /** Returns the message id once the message is committed. */
  send(queue: string, message: OutgoingMessage): string;
  receive(queue: string, options: ReceiveOptions): Promise<readonly ReceivedMessage[]>;
  delete(queue: string, receipt: string): void;
  changeVisibility(queue: string, receipt: string, seconds: number): void;
  purge(queue: string): void;
  remove(queue: string): void;
  /** Sends dead letters back to where they came from, or all to one queue; returns how many. */
  redrive(deadLetterQueue: string, destination?: string): number;
  counts(queue: string): { readonly visible: number; readonly inFlight: number; readonly delayed: number };
  /** Looks at the clock again: forgets what is past its retention and wakes those who wait. */
  tick(): void;
}

export function createQueues(options: RegistryOptions): Queues {
  const { db, now } = options;
  const registry = createQueueRegistry(options);
  const parts: QueueParts = { db, now, registry, store: createMessageStore(db), signal: createQueueSignal() };
  const { store, signal } = parts;
  // Whoever held messages died with the last process; a standard queue may always deliver twice.
  store.releaseAll(now());
  return {
    registry,
    declare: (name, attributes) =>
      registry.has(name) ? registry.update(name, attributes) : registry.create(name, attributes),
    send: (queue, message) => sendMessage(parts, queue, message),
    receive: (queue, receive) => receiveMessages(parts, queue, receive),
    delete: (queue, receipt) => deleteMessage(parts, queue, receipt),
    changeVisibility: (queue, receipt, seconds) => changeVisibility(parts, { queue, receipt, seconds }),
    purge: (queue) => void store.purge(registry.get(queue).name),
    remove(queue) {
      const { name } = registry.get(queue);
      registry.remove(name);
      store.purge(name);
      signal.wake(name);
    },
    redrive: (from, to) => redriveMessages(parts, from, to),
    counts: (queue) => store.counts(registry.get(queue).name, now()),
    tick() {
      for (const queue of registry.list()) store.expire(queue.name, now() - retention(queue));
      signal.wakeAll();
    },
  };
}
