import { runIdFor, type Delivery } from '../../shared/events/delivery.ts';
import type { EventRow, LoadedEvent } from '../../shared/events/event.ts';
import { filterVariables, runSavedFilter } from '../../shared/events/filter.ts';
import type { Pointer } from '../../shared/events/message.ts';
import type { EventReader } from '../../shared/events/reader.ts';
import type { Variables } from '../../shared/filter/variables.ts';
import { log } from '../../shared/log.ts';
import { decide } from './decide.ts';
import type { Start, Started } from './start-run.ts';
import type { DeliveryStore, TypeStore } from './store.ts';
import type { Subscriber, SubscriberPage } from './subscribers.ts';

export interface DispatchParts {
  readonly reader: EventReader;
  readonly deliveries: DeliveryStore;
  readonly types: TypeStore;
  readonly findSubscribers: (event: EventRow, pointer: Pointer) => Promise<SubscriberPage>;
  readonly startRun: (start: Start, now: number) => Promise<Started>;
  readonly send: (pointer: Pointer) => Promise<void>;
  readonly now: () => number;
}

/** Delivers one event to everyone who waits for it. Doing it again changes nothing. */
export async function dispatchEvent(parts: DispatchParts, pointer: Pointer, attempt: number): Promise<void> {
  const { reader, deliveries, types, now } = parts;
  const isFirstPass = pointer.replay === undefined;
  const [row, doneAt] = await Promise.all([
    reader.row(pointer.event_id),
    isFirstPass ? deliveries.doneAt(pointer.event_id) : undefined,
  ]);
  if (doneAt !== undefined) return;
  if (!row) return log.warn('the event is no longer kept', { id: pointer.event_id });
  const [event, { subscribers, next }] = await Promise.all([reader.load(row), parts.findSubscribers(row, pointer)]);
  await deliverAll(parts, { event, pointer, attempt, variables: lazily(() => filterVariables(event)) }, subscribers);
  if (next !== undefined) return parts.send({ ...pointer, after: next });
  if (!isFirstPass) return;
  await Promise.all([deliveries.markDone(row.event_id, now()), types.remember(row.tenant, row.event_type, now())]);
}

interface Delivering {
  readonly event: LoadedEvent;
  readonly pointer: Pointer;
  readonly attempt: number;
  /** Converted for the first filter that asks, and then shared. */
  readonly variables: () => Variables;
}

const AT_ONCE = 10;

/** One subscriber's trouble keeps nobody else waiting; the message comes again for those that failed. */
async function deliverAll(parts: DispatchParts, delivering: Delivering, subscribers: readonly Subscriber[]) {
  const waiting = [...subscribers];
  const failures: unknown[] = [];
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      await deliver(parts, delivering, next).catch((error: unknown) => failures.push(error));
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, waiting.length) }, worker));
  if (failures.length > 0) throw failures[0];
}

async function deliver(parts: DispatchParts, delivering: Delivering, subscriber: Subscriber): Promise<void> {
  const { event, pointer, variables } = delivering;
  const isReplay = pointer.replay !== undefined;
  const decision = decide({ event, ...subscriber, isReplay }, (source) => runSavedFilter(source, variables()));
  if (decision.kind === 'ignore') return;
  const at = parts.now();
  const delivery = deliveryTo(subscriber, delivering, at);
  if (decision.kind === 'skip') {
    await parts.deliveries.put({ ...delivery, outcome: decision.outcome, reason: decision.reason });
    return;
  }
  const start = { event, subscriber, live: decision.live, delivery: { ...delivery, run_id: runIdFor(delivery) } };
  const skipped = skippedBy(await parts.startRun(start, at));
  if (skipped) await parts.deliveries.put({ ...delivery, ...skipped });
}

function deliveryTo({ trigger }: Subscriber, { event, pointer, attempt }: Delivering, at: number): Delivery {
  return {
    event_id: event.event_id,
    event_type: event.event_type,
    correlation_id: event.correlation_id,
    tenant: trigger.tenant,
    workflow_id: trigger.workflow_id,
    subscription_id: trigger.id,
    outcome: 'started',
    reason: null,
    run_id: null,
    active_run_id: null,
    evaluated_at: at,
    attempt,
    replay_id: pointer.replay?.id ?? null,
  };
}

function skippedBy(started: Started): (Pick<Delivery, 'outcome' | 'reason'> & Partial<Delivery>) | undefined {
  switch (started.kind) {
    case 'started':
      return undefined;
    case 'busy':
      return {
        outcome: 'skipped_busy',
        reason: 'A run with this correlation_id is active',
        active_run_id: started.activeRunId,
      };
    case 'root_limit':
      return { outcome: 'skipped_loop', reason: `One event from outside may cause ${started.limit} runs` };
  }
}

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
