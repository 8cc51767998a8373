import type { BusEvent } from '../../shared/events/event.ts';
import { END, walkFeeds } from '../../shared/events/feed.ts';
import { eventIdAt } from '../../shared/events/keys.ts';
import { publicEvent, type EventReader } from '../../shared/events/reader.ts';
import { feedsFor, maySee, passes, type EventFilter, type Viewer } from '../../shared/events/viewer.ts';
import { decodeCursor, encodeCursor } from '../../shared/store/cursor.ts';
import type { CursorPage } from '../../shared/workflow/cursor-page.ts';
import { sortableTime } from '../../shared/workflow/keys.ts';

export interface EventPageQuery extends EventFilter {
  readonly since?: number;
  readonly until?: number;
  readonly limit: number;
  readonly cursor?: string;
}

/** A page ends before it gets too heavy for an answer, and a filter that hardly matches does not read on and on. */
const MAX_BYTES = 4 * 1024 * 1024;
const MOST_LOOKED_AT = 1000;
const ROWS_PER_READ = 25;

/** The newest events first. A short page has a cursor whenever there may be more. */
export async function eventPage(
  reader: EventReader,
  viewer: Viewer,
  query: EventPageQuery,
): Promise<CursorPage<BusEvent>> {
  const data: BusEvent[] = [];
  let bytes = 0;
  let looked = 0;
  let last = query.cursor === undefined ? undefined : decodeCursor(query.cursor)['at'];
  const endHere = () => ({ data, next_cursor: last === undefined ? null : encodeCursor({ at: last }) });
  for await (const positions of chunksOf(positionsIn(viewer, query, last), ROWS_PER_READ)) {
    const rows = await reader.rows(positions.map(eventIdAt));
    const byId = new Map(rows.map((row) => [row.event_id, row]));
    for (const position of positions) {
      const row = byId.get(eventIdAt(position));
      if (row && maySee(viewer, row) && passes(row, query)) {
        if (data.length === query.limit || (data.length > 0 && bytes + row.bytes > MAX_BYTES)) return endHere();
        data.push(publicEvent(await reader.load(row)));
        bytes += row.bytes;
      }
      last = position;
    }
    looked += positions.length;
    if (looked >= MOST_LOOKED_AT) return endHere();
  }
  return { data, next_cursor: null };
}

async function* positionsIn(viewer: Viewer, query: EventPageQuery, after: string | undefined) {
  const { since = 0, until, limit } = query;
  const stretch = {
    from: sortableTime(since),
    to: after ?? (until === undefined ? END : `${sortableTime(until)}${END}`),
    newestFirst: true,
    pageSize: Math.min(limit + 1, 100),
  };
  for await (const position of walkFeeds(feedsFor(viewer, query), stretch)) {
    if (position !== after) yield position;
  }
}

export async function* chunksOf<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let chunk: T[] = [];
  for await (const item of items) {
    chunk.push(item);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
