import * as z from 'zod';
import {
  BusEvent,
  CorrelationId,
  EventId,
  EventType,
  MAX_FILTER_LENGTH,
  Source,
  TenantId,
} from '../../shared/events/event.ts';
import { Delivery } from '../../shared/events/delivery.ts';

const Payload = z.custom<unknown>((value) => value !== undefined, 'Field required');

/** What a system that holds the event key sends. Without a tenant the event is a broadcast. */
export const Ingest = z.object({
  event_type: EventType,
  correlation_id: CorrelationId,
  source: Source,
  payload: Payload,
  user_id: z.string().min(1).max(128).optional(),
  tenant_id: TenantId.optional(),
  event_id: EventId.optional(),
});
export type Ingest = z.output<typeof Ingest>;

/** Names that say which part of the platform published; nobody else may use them. */
const RESERVED = /^(workflow|webhook|cron):/;

export const Publish = z.object({
  event_type: EventType,
  payload: Payload,
  correlation_id: CorrelationId.optional(),
  source: Source.refine((source) => !RESERVED.test(source), 'workflow:, webhook: and cron: are reserved').default(
    'api',
  ),
});
export type Publish = z.output<typeof Publish>;

export const Accepted = z.object({
  event_id: z.string(),
  event_type: z.string(),
  correlation_id: z.string(),
  source: z.string(),
  published_at: z.int(),
  status: z.literal('accepted'),
  /** The same event was accepted before; this is the first one. */
  duplicate: z.boolean(),
});

export const EventQuery = z.object({
  event_type: z.string().max(100).optional(),
  correlation_id: z.string().max(256).optional(),
  source: z.string().max(200).optional(),
});

/** Milliseconds, both included. */
export const TimeRange = z.object({
  since: z.coerce.number().int().min(0).optional(),
  until: z.coerce.number().int().min(0).optional(),
});

export const DeliveryView = Delivery.omit({ tenant: true });

export const LETTER_STATES = ['retrying', 'republished', 'dead', 'redriven'] as const;

/** An event that could not be dispatched, or not yet. */
export const DeadLetter = z.object({
  /** The event's id, or that of the event and its replay. */
  id: z.string(),
  event_id: z.string(),
  event_type: z.string(),
  kind: z.literal('dispatch'),
  state: z.enum(LETTER_STATES),
  error: z.string(),
  attempts: z.int(),
  first_at: z.int(),
  last_at: z.int(),
});
export type DeadLetter = z.output<typeof DeadLetter>;

export const EventDetail = BusEvent.extend({
  /** When every subscription had been looked at; null while that is still to come. */
  dispatched_at: z.int().nullable(),
  deliveries: z.array(DeliveryView),
  /** For `GET …/deliveries`, when there are more. */
  next_deliveries_cursor: z.string().nullable(),
  dead_letter: DeadLetter.nullable(),
});

export const Replay = z
  .object({
    /** Only these triggers; all that match otherwise. */
    subscription_ids: z.array(z.string().max(80)).min(1).max(100).optional(),
  })
  .prefault({});

export const TryFilter = z
  .object({
    filter_expr: z.string().max(MAX_FILTER_LENGTH * 4),
    /** An event of your own making … */
    event: z.looseObject({ payload: z.unknown() }).optional(),
    /** … or one that is there. */
    event_id: z.string().max(128).optional(),
  })
  .refine(({ event, event_id }) => (event === undefined) !== (event_id === undefined), 'Give event or event_id');
export type TryFilter = z.output<typeof TryFilter>;

export const TriedFilter = z.object({
  /** Whether the event would fire; a filter that raises counts as false. */
  matched: z.boolean(),
  value: z.unknown(),
  /** The value as Python would show it. */
  repr: z.string().nullable(),
  error: z
    .object({
      message: z.string(),
      /** Only for an expression that does not compile. */
      position: z.object({ line: z.int(), column: z.int(), offset: z.int() }).nullable(),
    })
    .nullable(),
  steps_used: z.int(),
});
