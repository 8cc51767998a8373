import * as z from 'zod';

export const CONCURRENCIES = ['parallel', 'one_per_correlation'] as const;
/** `bounded`: only the platform's limits; `avoid`: not when this workflow is in the chain; `external_only`: no run's events. */
export const LOOP_POLICIES = ['bounded', 'avoid', 'external_only'] as const;

/** What every trigger has. It belongs to its workflow and goes with it. */
const common = {
  tenant: z.string(),
  id: z.string(),
  workflow_id: z.string(),
  name: z.string(),
  enabled: z.boolean(),
  event_type: z.string(),
  filter_expr: z.string().nullable(),
  concurrency: z.enum(CONCURRENCIES),
  catalog_id: z.string().nullable(),
  space_id: z.string().nullable(),
  loop_policy: z.enum(LOOP_POLICIES),
  /** Raised by every change. */
  revision: z.int(),
  created_by: z.string(),
  created_at: z.int(),
  updated_at: z.int(),
};

/** Subscribes its workflow to an event type. */
export const EventTrigger = z.object({ ...common, type: z.literal('event') });
export type EventTrigger = z.output<typeof EventTrigger>;

export const MISSED_POLICIES = ['run_once', 'skip'] as const;

/** Publishes an event at its times, which starts its own workflow. */
export const CronTrigger = z.object({
  ...common,
  type: z.literal('cron'),
  cron: z.string(),
  timezone: z.string(),
  /** JSON text: the payload of every event. */
  input: z.string(),
  missed: z.enum(MISSED_POLICIES),
});
export type CronTrigger = z.output<typeof CronTrigger>;

export const WEBHOOK_STYLES = ['standard', 'github', 'stripe', 'slack', 'token', 'bearer'] as const;
export type WebhookStyle = (typeof WEBHOOK_STYLES)[number];

/** Answers the sender with something of the trigger's own: templates over `payload`, `headers` and `event`. */
export const WebhookReply = z.object({
  status: z.int(),
  content_type: z.enum(['application/json', 'text/plain']),
  body: z.string(),
});
export type WebhookReply = z.output<typeof WebhookReply>;

/** Publishes what is posted to its own address. */
export const WebhookTrigger = z.object({
  ...common,
  type: z.literal('webhook'),
  hook_id: z.string(),
  style: z.enum(WEBHOOK_STYLES),
  /** The header that carries the secret, for the style `token`. */
  token_header: z.string(),
  /** Sealed where it signs, a keyed hash where it is only compared. */
  secret: z.string(),
  secret_hint: z.string(),
  /** Valid until `previous_until`, so that both sides can change it at leisure. */
  previous_secret: z.string().nullable(),
  previous_until: z.int().nullable(),
  payload_expr: z.string().nullable(),
  correlation_expr: z.string().nullable(),
  reply: WebhookReply.nullable(),
});
export type WebhookTrigger = z.output<typeof WebhookTrigger>;

export const Trigger = z.discriminatedUnion('type', [EventTrigger, CronTrigger, WebhookTrigger]);
export type Trigger = z.output<typeof Trigger>;
export type TriggerType = Trigger['type'];
