import * as z from 'zod';
import { Delivery } from '../../shared/events/delivery.ts';
import { EventType, MAX_FILTER_LENGTH } from '../../shared/events/event.ts';
import { CONCURRENCIES, LOOP_POLICIES, MISSED_POLICIES, WEBHOOK_STYLES } from '../../shared/triggers/trigger.ts';

const Name = z.string().trim().min(1).max(120);
const Expression = z.string().trim().min(1).max(MAX_FILTER_LENGTH);
const Reference = z.string().min(1).max(80);

/** What every kind of trigger takes; defaults come with the kind. */
const common = {
  name: Name,
  enabled: z.boolean(),
  filter_expr: Expression.nullable(),
  catalog_id: Reference.nullable(),
  space_id: Reference.nullable(),
  loop_policy: z.enum(LOOP_POLICIES),
};

const defaults = {
  name: Name,
  enabled: common.enabled.default(true),
  filter_expr: common.filter_expr.default(null),
  catalog_id: common.catalog_id.default(null),
  space_id: common.space_id.default(null),
  loop_policy: common.loop_policy.default('bounded'),
};

export const NewEventTrigger = z.object({
  ...defaults,
  event_type: EventType,
  concurrency: z.enum(CONCURRENCIES).default('parallel'),
});
export type NewEventTrigger = z.output<typeof NewEventTrigger>;

const Overlap = z.enum(['parallel', 'skip']);
const Input = z.custom<unknown>((value) => value !== undefined, 'Field required');
const Cron = z.string().trim().min(9).max(200);
const Timezone = z.string().min(1).max(50);

export const NewCronTrigger = z.object({
  ...defaults,
  event_type: EventType.default('schedule_due'),
  /** Minute, hour, day of month, month, day of week. */
  cron: Cron,
  timezone: Timezone.default('UTC'),
  input: z.unknown().default(null),
  /** `skip`: no new run while the last one is active. */
  overlap: Overlap.default('parallel'),
  /** For a time that came more than five minutes late. */
  missed: z.enum(MISSED_POLICIES).default('run_once'),
});
export type NewCronTrigger = z.output<typeof NewCronTrigger>;

/** No HTML: answers are served from our own address. */
const Reply = z.object({
  status: z.int().min(200).max(299).default(200),
  content_type: z.enum(['application/json', 'text/plain']).default('application/json'),
  /** A template over `payload`, `headers`, `query` and `event`. */
  body: z.string().max(MAX_FILTER_LENGTH),
});

const hook = {
  /** Over `body`, `headers` and `query`; the body itself otherwise. */
  payload_expr: Expression.nullable(),
  /** Over `payload`, `headers` and `query`. */
  correlation_expr: Expression.nullable(),
  reply: Reply.nullable(),
};

export const NewWebhookTrigger = z.object({
  ...defaults,
  event_type: EventType.default('webhook_received'),
  concurrency: z.enum(CONCURRENCIES).default('parallel'),
  style: z.enum(WEBHOOK_STYLES).default('standard'),
  token_header: z
    .string()
    .regex(/^[A-Za-z][\w-]{0,60}$/, 'must be the name of a header')
    .default('x-webhook-token'),
  /** Given where the sender makes it; otherwise a new one is made and shown once. */
  secret: z.string().min(8).max(200).optional(),
  payload_expr: hook.payload_expr.default(null),
  correlation_expr: hook.correlation_expr.default(null),
  reply: hook.reply.default(null),
});
export type NewWebhookTrigger = z.output<typeof NewWebhookTrigger>;

/** What is not sent stays. Fields of another kind of trigger are refused. */
export const TriggerChange = z
  .object({
    ...common,
    event_type: EventType,
    concurrency: z.enum(CONCURRENCIES),
    cron: Cron,
    timezone: Timezone,
    input: Input,
    overlap: Overlap,
    missed: z.enum(MISSED_POLICIES),
    ...hook,
  })
  .partial();
export type TriggerChange = z.output<typeof TriggerChange>;

/** One genuine request to a webhook. The body is the event's payload and kept there. */
export const HookRequest = z.object({
  delivery_id: z.string(),
  received_at: z.int(),
  outcome: z.enum(['accepted', 'duplicate', 'failed']),
  event_id: z.string().nullable(),
  error: z.string().nullable(),
  bytes: z.int(),
  headers: z.record(z.string(), z.string()),
});
export type HookRequest = z.output<typeof HookRequest>;

/** The last request that was not genuine. One row: anybody can send those. */
export const Refusal = z.object({ at: z.int(), reason: z.string() });
export type Refusal = z.output<typeof Refusal>;

export const TriggerView = z.object({
  id: z.string(),
  workflow_id: z.string(),
  type: z.enum(['event', 'cron', 'webhook']),
  name: z.string(),
  enabled: z.boolean(),
  event_type: z.string(),
  filter_expr: z.string().nullable(),
  concurrency: z.enum(CONCURRENCIES),
  catalog_id: z.string().nullable(),
  space_id: z.string().nullable(),
  loop_policy: z.enum(LOOP_POLICIES),
  revision: z.int(),
  created_by: z.string(),
  created_at: z.int(),
  updated_at: z.int(),
  warnings: z.array(z.string()),
  cron: z.string().optional(),
  timezone: z.string().optional(),
  input: z.unknown().optional(),
  overlap: Overlap.optional(),
  missed: z.enum(MISSED_POLICIES).optional(),
  /** The next five times, in milliseconds. */
  next_runs: z.array(z.int()).optional(),
  hook_id: z.string().optional(),
  url: z.string().optional(),
  style: z.enum(WEBHOOK_STYLES).optional(),
  token_header: z.string().optional(),
  secret_hint: z.string().optional(),
  /** Only in the answer that made it. */
  secret: z.string().optional(),
  /** Until when the secret before this one is valid too. */
  previous_until: z.int().nullable().optional(),
  payload_expr: z.string().nullable().optional(),
  correlation_expr: z.string().nullable().optional(),
  reply: Reply.nullable().optional(),
  last_refusal: Refusal.nullable().optional(),
});
export type TriggerView = z.output<typeof TriggerView>;

export const TriggerDelivery = Delivery.omit({ tenant: true });
