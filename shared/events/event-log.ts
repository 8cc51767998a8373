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
  /** For an id made of what caused the event: the first one stays, whatever a repetition says. */
  appendOnce(event: NewEvent): Promise<Appended>;
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
  const append = async (event: NewEvent): Promise<Standing> => {
    const row = await prepare(event);
    const mine = EventRow.parse(row);
    try {
      await events.put(row, absent);
      return { mine, first: mine };
    } catch (error) {
      if (!(error instanceof ConditionFailed) || !error.existing) throw error;
      return { mine, first: EventRow.parse(error.existing) };
    }
  };
  return {
    async append(event) {
      const standing = await append(event);
      if (!isSame(standing)) await refuse(spill, standing);
      return appended(standing);
    },
    async appendOnce(event) {
      const standing = await append(event);
      if (!isSame(standing)) await spill.drop(standing.mine.payload);
      return appended(standing);
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

/** What was to be written, and what stands under its id. */
interface Standing {
  readonly mine: EventRow;
  readonly first: EventRow;
}

const isSame = ({ mine, first }: Standing) => mine.digest === first.digest;

/** Our own write may have been sent twice on its way; that is no duplicate. */
const appended = ({ mine, first }: Standing): Appended => ({ event: first, duplicate: first.nonce !== mine.nonce });

async function refuse(spill: Spill, { mine, first }: Standing): Promise<never> {
  await spill.drop(mine.payload);
  throw new AppError('idempotency_conflict', 'This id or key was used for an event with another content', {
    facts: { event_id: first.event_id },
  });
}
