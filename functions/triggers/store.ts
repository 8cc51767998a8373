import * as z from 'zod';
import { AppError, conflict, notFound } from '../../shared/errors.ts';
import { deliveriesOfTrigger, Delivery, type Outcome } from '../../shared/events/delivery.ts';
import { ConditionFailed } from '../../shared/store/dynamodb.ts';
import { absent, present, when } from '../../shared/store/expression.ts';
import { openTable } from '../../shared/store/table.ts';
import { checking, deleting, putting, transact, type Operation } from '../../shared/store/transaction.ts';
import {
  hookKey,
  keyOfTrigger,
  subscribersIn,
  subscribersOf,
  subscriptionKey,
  TRIGGER_PREFIX,
} from '../../shared/triggers/keys.ts';
import { Trigger } from '../../shared/triggers/trigger.ts';
import type { CursorPage, CursorPaging } from '../../shared/workflow/cursor-page.ts';
import { filteredPage } from '../../shared/workflow/filtered-page.ts';
import { triggerKey, workflowKey, workflowPartition } from '../../shared/workflow/keys.ts';

/** Rows of the table `workflows`; see shared/triggers/keys.ts. */
const table = openTable('workflows');

const MOST_PER_WORKFLOW = 100;
const MOST_PER_TYPE = 100;

export interface TriggerStore {
  get(tenant: string, workflowId: string, triggerId: string): Promise<Trigger | undefined>;
  /** All of one workflow: their number is limited. */
  list(tenant: string, workflowId: string): Promise<Trigger[]>;
  create(trigger: Trigger): Promise<void>;
  /** Refuses when somebody else has changed it meanwhile. */
  replace(before: Trigger, after: Trigger): Promise<void>;
  remove(trigger: Trigger): Promise<void>;
  deliveries(trigger: Trigger, query: CursorPaging & { outcome?: Outcome }): Promise<CursorPage<Delivery>>;
  /** Where a webhook's address leads. */
  behindHook(hookId: string): Promise<Trigger | undefined>;
}

export const createTriggerStore = (): TriggerStore => ({
  async get(tenant, workflowId, triggerId) {
    const row = await table.get(triggerKey(tenant, workflowId, triggerId));
    return row && Trigger.parse(row);
  },
  list: listTriggers,
  async create(trigger) {
    await demandRoom(trigger);
    const { tenant, workflow_id } = trigger;
    await transact([
      checking('workflow', table, workflowKey(tenant, workflow_id), IS_PUBLISHED),
      putting('trigger', table, { ...keyOfTrigger(trigger), ...trigger }, absent),
      ...pointersTo(trigger).map((row) => putting('pointer', table, row, absent)),
    ]).catch(asMissing('workflow', () => notFound('Workflow')));
  },
  async replace(before, after) {
    const isUnchanged = when('#revision = :revision', { revision: before.revision });
    await transact([
      putting('trigger', table, { ...keyOfTrigger(after), ...after }, isUnchanged),
      ...movedPointers(before, after),
    ]).catch(asMissing('trigger', changedMeanwhile));
  },
  async remove(trigger) {
    await transact([
      deleting('trigger', table, keyOfTrigger(trigger), present),
      ...pointersTo(trigger).map(({ pk, sk }) => deleting('pointer', table, { pk, sk })),
    ]).catch(asMissing('trigger', () => notFound('Trigger')));
  },
  deliveries({ tenant, id }, { outcome, ...paging }) {
    const where = { index: 'gsi1', pk: deliveriesOfTrigger(tenant, id), newestFirst: true };
    const filter = outcome === undefined ? undefined : when('#outcome = :outcome', { outcome });
    return filteredPage(table, { ...where, ...paging, filter }, (row) => Delivery.parse(row));
  },
  behindHook,
});

/** The name says what must hold; the labels of the other rows keep their own errors. */
const IS_PUBLISHED = when('attribute_type(#live_version, :map) AND attribute_not_exists(#deleting)', { map: 'M' });

const asMissing = (label: string, failure: () => AppError) => (error: unknown) => {
  throw error instanceof ConditionFailed && error.what === label ? failure() : error;
};

const changedMeanwhile = () => new AppError('stale_version', 'The trigger has been changed or deleted meanwhile');

async function listTriggers(tenant: string, workflowId: string) {
  const found: Trigger[] = [];
  for await (const row of table.walk({ pk: workflowPartition(tenant, workflowId), prefix: TRIGGER_PREFIX }))
    found.push(Trigger.parse(row));
  return found.toSorted((a, b) => a.created_at - b.created_at);
}

async function demandRoom({ tenant, workflow_id, type, event_type }: Trigger) {
  const subscribers = { pk: subscribersOf(event_type), prefix: subscribersIn(tenant), limit: MOST_PER_TYPE };
  const [own, same] = await Promise.all([
    listTriggers(tenant, workflow_id),
    type === 'event' ? table.query(subscribers) : { rows: [] },
  ]);
  if (own.length >= MOST_PER_WORKFLOW) throw conflict(`A workflow has at most ${MOST_PER_WORKFLOW} triggers`);
  if (same.rows.length >= MOST_PER_TYPE)
    throw conflict(`At most ${MOST_PER_TYPE} triggers wait for the same event_type`);
}

/** The rows by which events and requests find a trigger. */
function pointersTo(trigger: Trigger) {
  const { tenant, workflow_id, id } = trigger;
  const place = { tenant, workflow_id, id };
  switch (trigger.type) {
    case 'event':
      return [{ ...subscriptionKey(trigger), ...place }];
    case 'webhook':
      return [{ ...hookKey(trigger.hook_id), ...place }];
    case 'cron':
      return [];
  }
}

function movedPointers(before: Trigger, after: Trigger): Operation[] {
  if (after.type !== 'event' || before.event_type === after.event_type) return [];
  return [
    ...pointersTo(before).map(({ pk, sk }) => deleting('pointer', table, { pk, sk })),
    ...pointersTo(after).map((row) => putting('pointer', table, row)),
  ];
}

const Place = z.object({ tenant: z.string(), workflow_id: z.string(), id: z.string() });

async function behindHook(hookId: string): Promise<Trigger | undefined> {
  const pointer = await table.get(hookKey(hookId));
  if (!pointer) return undefined;
  const row = await table.get(keyOfTrigger(Place.parse(pointer)));
  if (row) return Trigger.parse(row);
  await table.delete(hookKey(hookId));
  return undefined;
}
