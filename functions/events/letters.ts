import * as z from 'zod';
import { deliveriesOfEvent } from '../../shared/events/delivery.ts';
import type { EventRow } from '../../shared/events/event.ts';
import { ConditionFailed } from '../../shared/store/dynamodb.ts';
import { when } from '../../shared/store/expression.ts';
import { openTable, type Row } from '../../shared/store/table.ts';
import type { CursorPage, CursorPaging } from '../../shared/workflow/cursor-page.ts';
import { filteredPage } from '../../shared/workflow/filtered-page.ts';
import { sortableTime } from '../../shared/workflow/keys.ts';
import { DeadLetter } from './records.ts';

/**
 * `DELIVERY#event / DEAD` in the table `workflows`: an event whose dispatch has failed. The queue's own dead letters
 * stay where they are and keep the alarm ringing; this row is what people see and act on.
 * gsi1 `DEADLETTERS` lists all, gsi2 `DEADLETTERS#tenant` one tenant's.
 */
const table = openTable('workflows');
const ALL = 'DEADLETTERS';
const KEPT_DAYS = 30;

export const Letter = DeadLetter.extend({ tenant: z.string() });
export type Letter = z.output<typeof Letter>;

type Named = Pick<EventRow, 'tenant' | 'event_id' | 'event_type'>;

export interface Letters {
  get(eventId: string): Promise<Letter | undefined>;
  list(tenant: string | undefined, query: CursorPaging & { state?: Letter['state'] }): Promise<CursorPage<Letter>>;
  /** Oldest first, for the sweeper. */
  walk(): AsyncGenerator<Letter>;
  /** Another attempt has failed, or is being made in vain. */
  record(event: Named, failure: { state: Letter['state']; error: string }, now: number): Promise<Letter>;
  /** Only from one state into another, so that two people do not do it twice. Undefined when it was not in that state. */
  move(
    eventId: string,
    states: { from: Letter['state']; to: Letter['state'] },
    now: number,
  ): Promise<Letter | undefined>;
  /** It has been dispatched after all. */
  remove(eventId: string): Promise<void>;
}

const keyOf = (eventId: string) => ({ pk: deliveriesOfEvent(eventId), sk: 'DEAD' });

export const createLetters = (): Letters => ({
  async get(eventId) {
    const row = await table.get(keyOf(eventId));
    return row && Letter.parse(row);
  },
  list(tenant, { state, ...paging }) {
    const where = tenant === undefined ? { index: 'gsi1', pk: ALL } : { index: 'gsi2', pk: `${ALL}#${tenant}` };
    const filter = state === undefined ? undefined : when('#state = :state', { state });
    return filteredPage(table, { ...where, ...paging, newestFirst: true, filter }, (row: Row) => Letter.parse(row));
  },
  async *walk() {
    for await (const row of table.walk({ index: 'gsi1', pk: ALL })) yield Letter.parse(row);
  },
  async record({ tenant, event_id, event_type }, { state, error }, now) {
    const set = { tenant, id: event_id, event_id, event_type, kind: 'dispatch', state, error, last_at: now };
    const ttl = Math.floor(now / 1000) + KEPT_DAYS * 86_400;
    const at = `${sortableTime(now)}#${event_id}`;
    const setOnce = { first_at: now, gsi1pk: ALL, gsi1sk: at, gsi2pk: `${ALL}#${tenant}`, gsi2sk: at };
    return Letter.parse(await table.update(keyOf(event_id), { set: { ...set, ttl }, setOnce, add: { attempts: 1 } }));
  },
  async move(eventId, { from, to }, now) {
    try {
      const isThere = when('#state = :from', { from });
      return Letter.parse(await table.update(keyOf(eventId), { set: { state: to, last_at: now } }, isThere));
    } catch (error) {
      if (error instanceof ConditionFailed) return undefined;
      throw error;
    }
  },
  async remove(eventId) {
    await table.delete(keyOf(eventId));
  },
});
