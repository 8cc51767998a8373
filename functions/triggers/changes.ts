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

    async rotateSecret(actor: UserActor, ids: Ids, wish: Rotation): Promise<Made> {
      const before = demandWebhook(await demand(actor, ids));
      const secret = wish.secret ?? newWebhookSecret(before.style);
      const kept = { secret: await secrets.keep(before, secret), secret_hint: hintOf(secret) };
      const after = rotated(before, { ...kept, keepsOld: wish.keep_old }, now());
      await store.replace(before, after);
      return { trigger: after, ...(wish.secret === undefined && { secret }) };
    },
  };
}

export type TriggerChanges = ReturnType<typeof createTriggerChanges>;

export interface Ids {
  readonly workflow_id: string;
  readonly trigger_id: string;
}

/** A secret of the sender's own, and whether the old one may still be used for a day. */
export interface Rotation {
  readonly secret?: string;
  readonly keep_old: boolean;
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

interface NewSecret {
  readonly secret: string;
  readonly secret_hint: string;
  readonly keepsOld: boolean;
}

const rotated = (before: WebhookTrigger, { keepsOld, ...fresh }: NewSecret, now: number): WebhookTrigger => ({
  ...before,
  ...fresh,
  previous_secret: keepsOld ? before.secret : null,
  previous_until: keepsOld ? now + OVERLAP_MS : null,
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
