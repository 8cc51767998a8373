import * as z from 'zod';
import { parseExact } from '../exact-json.ts';
import { batchGet } from '../store/batch.ts';
import type { Spill } from '../store/spill.ts';
import { openTable } from '../store/table.ts';
import { EventRow, type BusEvent, type LoadedEvent } from './event.ts';
import { eventKey } from './keys.ts';

const events = openTable('events');

export interface EventReader {
  row(eventId: string): Promise<EventRow | undefined>;
  /** Those that are still kept, in the order asked. */
  rows(eventIds: readonly string[]): Promise<EventRow[]>;
  /** With the payload, wherever it lies. */
  load(row: EventRow): Promise<LoadedEvent>;
}

export const createEventReader = (spill: Spill): EventReader => ({
  async row(eventId) {
    const row = await events.get(eventKey(eventId));
    return row && EventRow.parse(row);
  },
  async rows(eventIds) {
    const found = await batchGet(eventIds.map((id) => ({ table: events, key: eventKey(id) })));
    return found.filter((row) => row !== undefined).map((row) => EventRow.parse(row));
  },
  async load({ payload, ...rest }) {
    return { ...rest, payloadText: z.string().parse(await spill.unpack(payload)) };
  },
});

/** The seven public fields; the payload prints exactly as it was sent. */
export const publicEvent = (event: LoadedEvent): BusEvent => ({
  event_id: event.event_id,
  event_type: event.event_type,
  source: event.source,
  correlation_id: event.correlation_id,
  user_id: event.user_id,
  payload: parseExact(event.payloadText),
  published_at: event.published_at,
});
