import * as z from 'zod';
import { BROADCAST, type EventRow } from '../../shared/events/event.ts';
import type { Pointer } from '../../shared/events/message.ts';
import { batchGet } from '../../shared/store/batch.ts';
import { openTable, type Key } from '../../shared/store/table.ts';
import { keyOfTrigger, subscribersIn, subscribersOf } from '../../shared/triggers/keys.ts';
import { Trigger } from '../../shared/triggers/trigger.ts';
import { workflowKey } from '../../shared/workflow/keys.ts';
import { WorkflowRow } from '../../shared/workflow/workflow-row.ts';

const table = openTable('workflows');

/** Small enough for one batched read of triggers and workflows. */
const PER_PAGE = 50;

export interface Subscriber {
  readonly trigger: Trigger;
  readonly workflow: WorkflowRow;
}

export interface SubscriberPage {
  readonly subscribers: readonly Subscriber[];
  /** Where the next page starts, when there is one. */
  readonly next: string | undefined;
}

type Wanted = Pick<Pointer, 'replay' | 'after'>;

const SubscriptionRow = z.object({
  pk: z.string(),
  sk: z.string(),
  tenant: z.string(),
  workflow_id: z.string(),
  id: z.string(),
});

/**
 * Who waits for this event: the triggers of its tenant that name its type (of every tenant for a broadcast), and the
 * webhook or schedule it came from. Read by key and consistently; the work grows with what is found, with nothing else.
 */
export async function findSubscribers(event: EventRow, { replay, after }: Wanted): Promise<SubscriberPage> {
  const tenant = replay?.tenant ?? (event.tenant === BROADCAST ? undefined : event.tenant);
  const { rows, cursor } = await table.query({
    pk: subscribersOf(event.event_type),
    ...(tenant !== undefined && { prefix: subscribersIn(tenant) }),
    limit: PER_PAGE - 1,
    cursor: after,
  });
  const subscriptions = rows.map((row) => SubscriptionRow.parse(row));
  const own = after === undefined ? ownTrigger(event) : [];
  const isWanted = ({ id }: { id: string }) => replay?.subscription_ids?.includes(id) ?? true;
  const found = await readSubscribers([...own, ...subscriptions].filter(isWanted));
  const waits = found.filter(({ trigger }) => trigger.type !== 'event' || trigger.event_type === event.event_type);
  const orphans = subscriptions.filter((one) => isWanted(one) && !waits.some(({ trigger }) => trigger.id === one.id));
  await Promise.all(orphans.map(({ pk, sk }) => table.delete({ pk, sk })));
  return { subscribers: waits, next: cursor };
}

interface Place {
  readonly tenant: string;
  readonly workflow_id: string;
  readonly id: string;
}

const ownTrigger = ({ tenant, trigger }: EventRow): Place[] =>
  trigger === null ? [] : [{ tenant, workflow_id: trigger.workflow_id, id: trigger.trigger_id }];

/** Triggers whose workflow is gone, or that are gone themselves, are left out. */
async function readSubscribers(places: readonly Place[]): Promise<Subscriber[]> {
  const keys = places.flatMap((place): Key[] => [keyOfTrigger(place), workflowKey(place.tenant, place.workflow_id)]);
  const rows = await batchGet(keys.map((key) => ({ table, key })));
  return places.flatMap((_, i) => {
    const [trigger, workflow] = [rows[2 * i], rows[2 * i + 1]];
    if (!trigger || !workflow || workflow['deleting']) return [];
    return [{ trigger: Trigger.parse(trigger), workflow: WorkflowRow.parse(workflow) }];
  });
}
