import * as z from 'zod';
import { sortableTime } from '../workflow/keys.ts';
import { runIdOf } from '../workflow/run-record.ts';

/** What became of one event at one trigger. Nothing that was looked at goes without such a row. */
export const OUTCOMES = [
  'started',
  /** The filter was false. */
  'skipped_filter',
  /** A run with this correlation id is active. */
  'skipped_busy',
  /** The loop guard stopped it. */
  'skipped_loop',
  /** A scheduled time that came too late for its missed-run policy. */
  'skipped_missed',
  /** The filter raised. */
  'filter_error',
  /** The trigger or its workflow is paused or archived. */
  'paused',
  'not_published',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

export const Delivery = z.object({
  event_id: z.string(),
  event_type: z.string(),
  correlation_id: z.string(),
  tenant: z.string(),
  workflow_id: z.string(),
  /** The trigger; for an event trigger that is the subscription. */
  subscription_id: z.string(),
  outcome: z.enum(OUTCOMES),
  reason: z.string().nullable(),
  run_id: z.string().nullable(),
  /** The run that was in the way. */
  active_run_id: z.string().nullable(),
  evaluated_at: z.int(),
  /** Of the message: 1 unless it had to be tried again. */
  attempt: z.int(),
  /** Names the replay or redelivery that asked for it. */
  replay_id: z.string().nullable(),
});
export type Delivery = z.output<typeof Delivery>;

/** What identifies a delivery. A replay has a name of its own and is therefore another delivery. */
export interface DeliveryId {
  readonly event_id: string;
  readonly tenant: string;
  readonly subscription_id: string;
  readonly replay_id: string | null;
}

/** A delivery starts at most one run, and this is its id. */
export const runIdFor = ({ event_id, tenant, subscription_id, replay_id }: DeliveryId) =>
  runIdOf(event_id, tenant, subscription_id, replay_id ?? '');

const KEPT_DAYS = 30;

/** Rows of the table `workflows`, beside `DONE` and `DEAD` of the same event. */
export const deliveriesOfEvent = (eventId: string) => `DELIVERY#${eventId}`;
export const deliveriesToTenant = (tenant: string) => `SUB#${tenant}#`;
export const deliveryKey = ({ event_id, tenant, subscription_id, replay_id }: DeliveryId) => ({
  pk: deliveriesOfEvent(event_id),
  sk: `${deliveriesToTenant(tenant)}${subscription_id}${replay_id === null ? '' : `#${replay_id}`}`,
});
export const deliveriesOfTrigger = (tenant: string, triggerId: string) => `DELIVERIES#${tenant}#${triggerId}`;

export const deliveryRow = (delivery: Delivery) => ({
  ...deliveryKey(delivery),
  ...delivery,
  gsi1pk: deliveriesOfTrigger(delivery.tenant, delivery.subscription_id),
  gsi1sk: `${sortableTime(delivery.evaluated_at)}#${delivery.event_id}`,
  ttl: Math.floor(delivery.evaluated_at / 1000) + KEPT_DAYS * 86_400,
});
