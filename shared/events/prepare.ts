import { AppError, invalidField } from '../errors.ts';
import { isDeeperThan } from '../exact-json.ts';
import { canonicalJson, sha256 } from '../workflow/canonical.ts';
import { EventType, type Cause, type EventRow, type TriggerRef } from './event.ts';
import { fromOutside } from './loop.ts';

export const MAX_PAYLOAD_BYTES = 1024 * 1024;
export const MAX_PAYLOAD_DEPTH = 100;

/** An event as its publisher describes it. */
export interface NewEvent {
  /** Whose workflows it starts, or BROADCAST. */
  readonly tenant: string;
  readonly event_type: string;
  readonly source: string;
  readonly user_id: string;
  /** A JSON value; numbers read with `parseExact` stay as they were written. */
  readonly payload: unknown;
  /** The event's own id unless given, so that it links to nothing else. */
  readonly correlation_id?: string;
  /** Given where publishing again must not make a second event. */
  readonly event_id?: string;
  /** Given when a run publishes it. */
  readonly cause?: Cause;
  readonly trigger?: TriggerRef;
}

/** Everything about an event but where its payload lies. */
export interface DescribedEvent extends Omit<EventRow, 'payload'> {
  readonly payloadText: string;
}

/** Checks an event and gives it its id, time and digest. Pure: the caller brings clock and ids. */
export function describeEvent(event: NewEvent, { now, newId }: { now: number; newId: () => string }): DescribedEvent {
  const payloadText = payloadTextOf(event.payload);
  demandType(event.event_type);
  const event_id = event.event_id ?? `evt_${newId()}`;
  const { tenant, event_type, source, user_id } = event;
  const said = { tenant, event_type, source, user_id, correlation_id: event.correlation_id, payload: event.payload };
  return {
    tenant,
    event_id,
    event_type,
    source,
    user_id,
    correlation_id: event.correlation_id ?? event_id,
    published_at: now,
    ...(event.cause ?? fromOutside(event_id)),
    trigger: event.trigger ?? null,
    bytes: Buffer.byteLength(payloadText),
    digest: sha256(canonicalJson(said)),
    nonce: newId(),
    payloadText,
  };
}

/** The same parts always give the same id. */
export const derivedEventId = (...parts: readonly string[]) => `evt_${sha256(JSON.stringify(parts)).slice(0, 40)}`;

function payloadTextOf(payload: unknown): string {
  if (isDeeperThan(payload, MAX_PAYLOAD_DEPTH))
    throw invalidField(['body', 'payload'], `nested deeper than ${MAX_PAYLOAD_DEPTH} levels`);
  const text = JSON.stringify(payload ?? null);
  if (Buffer.byteLength(text) > MAX_PAYLOAD_BYTES)
    throw new AppError('payload_too_large', `A payload may have ${MAX_PAYLOAD_BYTES} bytes as JSON`, {
      facts: { limit_bytes: MAX_PAYLOAD_BYTES },
    });
  return text;
}

function demandType(eventType: string) {
  const checked = EventType.safeParse(eventType);
  if (!checked.success)
    throw invalidField(['body', 'event_type'], checked.error.issues[0]?.message ?? 'is not an event type');
}
