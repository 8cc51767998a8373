import { openTable, type Table } from '../store/table.ts';
import type { Feed } from './keys.ts';

/** A stretch of a list: positions between two bounds, both included. */
export interface Stretch {
  readonly from: string;
  readonly to: string;
  readonly newestFirst: boolean;
  /** Positions asked for at a time, of each partition. */
  readonly pageSize: number;
}

/** Sorts behind every position. */
export const END = '~';

const events = openTable('events');

/** The positions of several lists as one, in order. Pages are read as they are needed. */
export async function* walkFeeds(feeds: readonly Feed[], stretch: Stretch): AsyncGenerator<string> {
  if (stretch.from > stretch.to) return;
  const lanes = feeds.flatMap(({ index, partitions }) =>
    partitions.map((pk) => openLane(events, { index, pk }, stretch)),
  );
  await Promise.all(lanes.map((lane) => lane.fill()));
  const isBefore = (a: string, b: string) => (stretch.newestFirst ? a > b : a < b);
  for (;;) {
    const next = firstOf(lanes, isBefore);
    if (!next) return;
    yield next.take();
    await next.fill();
  }
}

interface Lane {
  head(): string | undefined;
  take(): string;
  /** Makes sure that `head` is known. */
  fill(): Promise<void>;
}

function openLane(table: Table, { index, pk }: { index: string; pk: string }, stretch: Stretch): Lane {
  const { from, to, newestFirst, pageSize } = stretch;
  let waiting: string[] = [];
  let cursor: string | undefined;
  let isOpen = true;
  return {
    head: () => waiting[0],
    take: () => waiting.shift() ?? '',
    async fill() {
      while (isOpen && waiting.length === 0) {
        const query = { pk, index, between: [from, to] as const, newestFirst, limit: pageSize, cursor };
        const page = await table.query(query);
        waiting = page.rows.map((row) => String(row[`${index}sk`]));
        cursor = page.cursor;
        isOpen = cursor !== undefined;
      }
    },
  };
}

function firstOf(lanes: readonly Lane[], isBefore: (a: string, b: string) => boolean): Lane | undefined {
  let first: Lane | undefined;
  for (const lane of lanes) {
    const head = lane.head();
    const best = first?.head();
    if (head !== undefined && (best === undefined || isBefore(head, best))) first = lane;
  }
  return first;
}
