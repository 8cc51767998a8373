import * as z from 'zod';
import { deliveriesOfEvent } from '../../shared/events/delivery.ts';
import { Pointer } from '../../shared/events/message.ts';
import { ConditionFailed } from '../../shared/store/dynamodb.ts';
import { when } from '../../shared/store/expression.ts';
import { openTable } from '../../shared/store/table.ts';
import type { CursorPage, CursorPaging } from '../../shared/workflow/cursor-page.ts';
import { filteredPage } from '../../shared/workflow/filtered-page.ts';
import { sortableTime } from '../../shared/workflow/keys.ts';
import { DeadLetter } from './records.ts';

/**
 * `DELIVERY#event / DEAD[#replay]` in the table `workflows`: an event or a replay whose dispatch has failed. The queue's
 * own dead letters stay where they are and keep the alarm ringing; these rows are what people see and act on.
 * gsi1 `DEADLETTERS` lists all, gsi2 `DEADLETTERS#tenant` one tenant's.
 */
const table = openTable('workflows');
const ALL = 'DEADLETTERS';
const KEPT_DAYS = 30;

export const Letter = DeadLetter.extend({ pointer: Pointer });
export type Letter = z.output<typeof Letter>;
type State = Letter['state'];

export interface Letters {
  get(id: string): Promise<Letter | undefined>;
  list(tenant: string | undefined, query: CursorPaging & { state?: State }): Promise<CursorPage<Letter>>;
  /** Those last touched between two times. */
  walk(from: number, to: number): AsyncGenerator<Letter>;
  /** Another attempt has failed. */
  record(pointer: Pointer, failure: { state: State; error: string }, now: number): Promise<Letter>;
  /** Only out of one state into another, so that two people do not do it twice. Undefined when it was not in that state. */
  move(id: string, states: { from: State; to: State }, now: number): Promise<Letter | undefined>;
  /** It has been dispatched after all. */
  remove(id: string): Promise<void>;
}

/** An event's id, or that of the event and of its replay. */
export const letterId = ({ event_id, replay }: Pointer) => (replay ? `${event_id}~${replay.id}` : event_id);

function keyOf(id: string) {
  const [eventId = '', replayId] = id.split('~');
  return { pk: deliveriesOfEvent(eventId), sk: replayId === undefined ? 'DEAD' : `DEAD#${replayId}` };
}

export const createLetters = (): Letters => ({
  async get(id) {
    const row = await table.get(keyOf(id));
    return row && Letter.parse(row);
  },
  list(tenant, { state, ...paging }) {
    const where = tenant === undefined ? { index: 'gsi1', pk: ALL } : { index: 'gsi2', pk: `${ALL}#${tenant}` };
    const filter = state === undefined ? undefined : when('#state = :state', { state });
    return filteredPage(table, { ...where, ...paging, newestFirst: true, filter }, (row) => Letter.parse(row));
  },
  async *walk(from, to) {
    const between = [sortableTime(from), sortableTime(to)] as const;
    for await (const row of table.walk({ index: 'gsi1', pk: ALL, between })) yield Letter.parse(row);
  },
  record,
  async move(id, { from, to }, now) {
    try {
      const set = { state: to, ...touched(id, now) };
      return Letter.parse(await table.update(keyOf(id), { set }, when('#state = :from', { from })));
    } catch (error) {
      if (error instanceof ConditionFailed) return undefined;
      throw error;
    }
  },
  async remove(id) {
    await table.delete(keyOf(id));
  },
});

async function record(pointer: Pointer, failure: { state: State; error: string }, now: number) {
  const { tenant, event_id, event_type } = pointer;
  const id = letterId(pointer);
  const ttl = Math.floor(now / 1000) + KEPT_DAYS * 86_400;
  const set = { id, event_id, event_type, kind: 'dispatch', ...failure, pointer, ttl, ...touched(id, now) };
  const setOnce = { first_at: now, gsi1pk: ALL, gsi2pk: `${ALL}#${tenant}` };
  return Letter.parse(await table.update(keyOf(id), { set, setOnce, add: { attempts: 1 } }));
}

const touched = (id: string, now: number) => {
  const position = `${sortableTime(now)}#${id}`;
  return { last_at: now, gsi1sk: position, gsi2sk: position };
};
