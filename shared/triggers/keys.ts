import { triggerKey } from '../workflow/keys.ts';
import type { Trigger } from './trigger.ts';

/**
 * A trigger is the row TRIGGER#id of its workflow in the table `workflows`, so it goes when the workflow goes. Two kinds
 * of rows only point to it; whoever follows one to a trigger that is gone removes it.
 *
 * | pk         | sk             | what                                                               |
 * |------------|----------------|--------------------------------------------------------------------|
 * | SUBS#type  | tenant#trigger | an event trigger: read consistently, by tenant or (broadcasts) whole |
 * | HOOK#hook  | H              | a webhook trigger                                                    |
 * |            | R#time#id      | one request to it that was genuine                                   |
 */

export const TRIGGER_PREFIX = 'TRIGGER#';

export const keyOfTrigger = ({ tenant, workflow_id, id }: Pick<Trigger, 'tenant' | 'workflow_id' | 'id'>) =>
  triggerKey(tenant, workflow_id, id);

export const subscribersOf = (eventType: string) => `SUBS#${eventType}`;
export const subscribersIn = (tenant: string) => `${tenant}#`;
export const subscriptionKey = ({ tenant, event_type, id }: Pick<Trigger, 'tenant' | 'event_type' | 'id'>) => ({
  pk: subscribersOf(event_type),
  sk: `${subscribersIn(tenant)}${id}`,
});

export const hookPartition = (hookId: string) => `HOOK#${hookId}`;
export const hookKey = (hookId: string) => ({ pk: hookPartition(hookId), sk: 'H' });
