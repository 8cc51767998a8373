import { AppError } from '../errors.ts';
import { ConditionFailed } from '../store/dynamodb.ts';
import { absent } from '../store/expression.ts';
import type { Spill } from '../store/spill.ts';
import { openTable, type Key, type Row } from '../store/table.ts';
import { putting, type Operation } from '../store/transaction.ts';
import { StoredJson } from '../workflow/stored-json.ts';
import { EventRow } from './event.ts';
import { eventKey, indexKeys } from './keys.ts';
import { describeEvent, type DescribedEvent, type NewEvent } from './prepare.ts';

const INLINE_BYTES = 200 * 1024;
const KEPT_DAYS = 90;
const events = openTable('events');

export interface Appended {
  readonly event: EventRow;
  /** The event was there already; `event` is the first one. */
  readonly duplicate: boolean;
}

/** The only writer of events. A row is put where there is none and never touched again; that put is what publishes. */
export interface EventLog {
  /** One conditional put. The same id with another content is refused. */
  append(event: NewEvent): Promise<Appended>;
  /**
   * The same as a row of the caller's own transaction, for effects that must come with the event. When its condition
   * fails, the event has been published before.
   */
  appending(label: string, event: NewEvent): Promise<{ readonly event: EventRow; readonly operation: Operation }>;
}

export interface EventLogParts {
  readonly spill: Spill;
  readonly now: () => number;
  readonly newId: () => string;
}

export function createEventLog({ spill, now, newId }: EventLogParts): EventLog {
  const prepare = async (event: NewEvent) => {
    const described = describeEvent(event, { now: now(), newId });
    return rowFor(described, await storePayload(spill, described));
  };
  return {
    async append(event) {
      const row = await prepare(event);
      try {
        await events.put(row, absent);
        return { event: EventRow.parse(row), duplicate: false };
      } catch (error) {
        if (!(error instanceof ConditionFailed) || !error.existing) throw error;
        return standing(spill, EventRow.parse(row), EventRow.parse(error.existing));
      }
    },
    async appending(label, event) {
      const row = await prepare(event);
      return { event: EventRow.parse(row), operation: putting(label, events, row, absent) };
    },
  };
}

/** The digest is part of the name, so that two contents under one id never share an object. */
const storePayload = async (spill: Spill, { tenant, event_id, digest, payloadText }: DescribedEvent) =>
  StoredJson.parse(await spill.pack(`events/${tenant}/${event_id}/${digest}`, payloadText, INLINE_BYTES));

function rowFor({ payloadText: _text, ...described }: DescribedEvent, payload: StoredJson): Row & Key {
  const ttl = Math.floor(described.published_at / 1000) + KEPT_DAYS * 86_400;
  return { ...eventKey(described.event_id), ...described, payload, ...indexKeys(described), ttl };
}

/** What to say when the id is taken: by our own repeated write, by the same event, or by another one. */
async function standing(spill: Spill, mine: EventRow, first: EventRow): Promise<Appended> {
  if (first.nonce === mine.nonce) return { event: first, duplicate: false };
  if (first.digest === mine.digest) return { event: first, duplicate: true };
  await spill.drop(mine.payload);
  throw new AppError('idempotency_conflict', 'This id or key was used for an event with another content', {
    facts: { event_id: first.event_id },
  });
}
