import { type Delivery, deliveryRow, runIdFor } from '../../shared/events/delivery.ts';
import type { LoadedEvent } from '../../shared/events/event.ts';
import { MAX_RUNS_PER_ROOT } from '../../shared/events/loop.ts';
import { publicEvent } from '../../shared/events/reader.ts';
import { ConditionFailed } from '../../shared/store/dynamodb.ts';
import { absent } from '../../shared/store/expression.ts';
import type { Spill } from '../../shared/store/spill.ts';
import { openTable, type Row } from '../../shared/store/table.ts';
import { putting, transact } from '../../shared/store/transaction.ts';
import { runStart, START_LABELS, type NewRun } from '../../shared/workflow/run-start.ts';
import type { LiveVersion } from '../../shared/workflow/workflow-row.ts';
import type { Subscriber } from './subscribers.ts';

const table = openTable('workflows');

export interface Start {
  readonly event: LoadedEvent;
  readonly subscriber: Subscriber;
  readonly live: LiveVersion;
  /** The delivery as it will be when nothing stands in the way. */
  readonly delivery: Delivery;
}

export type Started =
  /** `false`: this delivery has been made before. */
  | { readonly kind: 'started'; readonly isNew: boolean }
  | { readonly kind: 'busy'; readonly activeRunId: string | null }
  | { readonly kind: 'root_limit'; readonly limit: number };

/** Delivery, run and active row in one transaction: a start happens once and wholly, whoever dies in the middle. */
export async function startRun(spill: Spill, start: Start, now: number): Promise<Started> {
  const operations = await runStart(spill, newRun(start), now);
  try {
    await transact([putting('delivery', table, deliveryRow(start.delivery), absent), ...operations]);
    return { kind: 'started', isNew: true };
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    return refusal(error);
  }
}

function refusal(failed: ConditionFailed): Started {
  if (failed.what === START_LABELS.active) return { kind: 'busy', activeRunId: firstRun(failed.existing) };
  if (failed.what === START_LABELS.root) return { kind: 'root_limit', limit: MAX_RUNS_PER_ROOT };
  if (failed.what === 'delivery') return { kind: 'started', isNew: false };
  throw failed;
}

function firstRun(active: Row | undefined) {
  const runs = active?.['runs'];
  const [first] = runs instanceof Set ? runs : [];
  return typeof first === 'string' ? first : null;
}

function newRun({ event, subscriber: { trigger, workflow }, live, delivery }: Start): NewRun {
  const { event_id, event_type, payload, correlation_id, source, published_at } = publicEvent(event);
  const isReplay = delivery.replay_id !== null;
  return {
    tenant: trigger.tenant,
    run_id: runIdFor(delivery),
    workflow_id: workflow.id,
    version_id: live.version_id,
    version: live.version,
    trigger: {
      type: isReplay ? 'replay' : trigger.type,
      trigger_id: trigger.id,
      event_id,
      scheduled_for: event.trigger?.trigger_id === trigger.id ? event.trigger.scheduled_for : null,
    },
    correlation_id,
    user_id: trigger.created_by,
    catalog_id: trigger.catalog_id ?? workflow.catalog_id,
    space_id: trigger.space_id ?? workflow.space_id,
    depth: event.depth,
    root_event_id: event.root_event_id,
    chain: event.chain,
    event: { id: event_id, type: event_type, payload, correlation_id, source, published_at },
    input: payload,
    concurrency: trigger.concurrency,
    ...(isReplay && { replay_of: runIdFor({ ...delivery, replay_id: null }) }),
  };
}
