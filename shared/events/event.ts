import * as z from 'zod';
import { StoredJson } from '../workflow/stored-json.ts';

/** The tenant of an event that belongs to nobody: it starts every published workflow subscribed to its type. */
export const BROADCAST = 'broadcast';

/** `org:<id>` or `user:<id>`, as `tenantOf` writes them. */
export const TenantId = z.string().regex(/^(org|user):[\w-]{1,80}$/, 'must be org:<id> or user:<id>');

export const EventType = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,99}$/, 'must be snake_case: letters, digits and underscores, at most 100');
export const CorrelationId = z.string().min(1).max(256);
export const Source = z.string().min(1).max(200);
export const EventId = z.string().regex(/^[\w.:-]{1,128}$/, 'must have 1 to 128 letters, digits and _.:-');

/** Of a filter, in characters. */
export const MAX_FILTER_LENGTH = 4096;

/** What everyone sees of an event. */
export const BusEvent = z.object({
  event_id: z.string(),
  event_type: z.string(),
  source: z.string(),
  correlation_id: z.string(),
  user_id: z.string(),
  payload: z.unknown(),
  /** Milliseconds. */
  published_at: z.int(),
});
export type BusEvent = z.output<typeof BusEvent>;

/** How far an event is from the outside: what the loop guard reads. */
export const Cause = z.object({
  /** 0 for an event from outside, one more for what a run publishes. */
  depth: z.int(),
  root_event_id: z.string(),
  /** The workflows whose runs led here, the last ones only. */
  chain: z.array(z.string()),
});
export type Cause = z.output<typeof Cause>;

/** The webhook or schedule behind an event; that trigger's own workflow starts whoever else subscribes. */
export const TriggerRef = z.object({
  workflow_id: z.string(),
  trigger_id: z.string(),
  /** The time a schedule meant, in milliseconds. */
  scheduled_for: z.int().nullable(),
});
export type TriggerRef = z.output<typeof TriggerRef>;

/** The row. It is written once and never changed. */
export const EventRow = z.object({
  ...BusEvent.omit({ payload: true }).shape,
  ...Cause.shape,
  tenant: z.string(),
  trigger: TriggerRef.nullable(),
  payload: StoredJson,
  /** Of the payload as JSON text. */
  bytes: z.int(),
  /** SHA-256 of everything the publisher said, whatever the order of keys. */
  digest: z.string(),
  /** Tells a publisher's own repeated write from somebody else's. */
  nonce: z.string(),
});
export type EventRow = z.output<typeof EventRow>;

/** An event with its payload as exact JSON text. */
export interface LoadedEvent extends Omit<EventRow, 'payload'> {
  readonly payloadText: string;
}
