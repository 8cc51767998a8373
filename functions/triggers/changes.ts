import { conflict, notFound } from '../../shared/errors.ts';
import { tenantOf, type UserActor } from '../../shared/identity/actor.ts';
import type { CronTrigger, Trigger, WebhookTrigger } from '../../shared/triggers/trigger.ts';
import { changed } from './building.ts';
import { checkExpressions } from './checks.ts';
import { demandCron } from './cron.ts';
import type { TriggerChange } from './records.ts';
import { hintOf, newWebhookSecret, OVERLAP_MS } from './secrets.ts';
import type { Made, Parts } from './service.ts';

/** Changing and ending them. */
export function createTriggerChanges(parts: Parts) {
  const { store, schedules, secrets, now } = parts;

  const demand = async (actor: UserActor, { workflow_id, trigger_id }: Ids): Promise<Trigger> => {
    const trigger = await store.get(tenantOf(actor), workflow_id, trigger_id);
    if (!trigger) throw notFound('Trigger');
    return trigger;
  };

  return {
    demand,

    async list(actor: UserActor, workflowId: string) {
      const tenant = tenantOf(actor);
      if (!(await parts.workflow(tenant, workflowId))) throw notFound('Workflow');
      return store.list(tenant, workflowId);
    },

    async update(actor: UserActor, ids: Ids, change: TriggerChange): Promise<Made> {
      const before = await demand(actor, ids);
      await parts.demandUsable(actor, change);
      return replace(parts, before, changed(before, change, now()));
    },

    async remove(actor: UserActor, ids: Ids) {
      const trigger = await demand(actor, ids);
      await store.remove(trigger);
      if (trigger.type === 'cron') await schedules.remove(trigger.id);
    },

    async rotateSecret(actor: UserActor, ids: Ids, given: string | undefined): Promise<Made> {
      const before = demandWebhook(await demand(actor, ids));
      const secret = given ?? newWebhookSecret(before.style);
      const after = withSecret(before, { kept: await secrets.keep(before, secret), hint: hintOf(secret) }, now());
      await store.replace(before, after);
      return { trigger: after, ...(given === undefined && { secret }) };
    },
  };
}

export type TriggerChanges = ReturnType<typeof createTriggerChanges>;

export interface Ids {
  readonly workflow_id: string;
  readonly trigger_id: string;
}

export function demandWebhook(trigger: Trigger): WebhookTrigger {
  if (trigger.type !== 'webhook') throw conflict(`This is a ${trigger.type} trigger, not a webhook`);
  return trigger;
}

async function replace(parts: Parts, before: Trigger, after: Trigger): Promise<Made> {
  checkExpressions(after);
  if (after.type === 'cron') await saveSchedule(parts, before, after);
  else await parts.store.replace(before, after);
  return { trigger: after };
}

const withSecret = (
  before: WebhookTrigger,
  { kept, hint }: { kept: string; hint: string },
  now: number,
): WebhookTrigger => ({
  ...before,
  secret: kept,
  secret_hint: hint,
  previous_secret: before.secret,
  previous_until: now + OVERLAP_MS,
  revision: before.revision + 1,
  updated_at: now,
});

/** Whoever loses a race puts the winner's schedule back; a crash in between is repaired by the next tick. */
async function saveSchedule({ store, schedules, now }: Parts, before: Trigger, after: CronTrigger) {
  demandCron(after, now());
  await schedules.save(after, now());
  try {
    await store.replace(before, after);
  } catch (error) {
    const standing = await store.get(after.tenant, after.workflow_id, after.id);
    if (standing?.type === 'cron') await schedules.save(standing, now());
    else await schedules.remove(after.id);
    throw error;
  }
}
