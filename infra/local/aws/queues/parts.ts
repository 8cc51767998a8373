import type { DatabaseSync } from 'node:sqlite';
import type { MessageStore } from './message-store.ts';
import type { QueueRegistry } from './registry.ts';
import type { QueueSignal } from './signal.ts';

/** What the operations on queues share. */
export interface QueueParts {
  readonly db: DatabaseSync;
  readonly now: () => number;
  readonly registry: QueueRegistry;
  readonly store: MessageStore;
  readonly signal: QueueSignal;
}
