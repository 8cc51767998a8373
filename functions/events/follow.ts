import { END, walkFeeds } from '../../shared/events/feed.ts';
import { eventIdAt, timeAt, type Feed } from '../../shared/events/keys.ts';
import { publicEvent, type EventReader } from '../../shared/events/reader.ts';
import { maySee, passes, type EventFilter, type Viewer } from '../../shared/events/viewer.ts';
import type { EventSink } from '../../shared/http/streamed.ts';
import { sortableTime } from '../../shared/workflow/keys.ts';
import { chunksOf } from './page.ts';

export interface FollowParts {
  readonly reader: EventReader;
  readonly now: () => number;
  /** Resolves early when the signal aborts. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
}

export interface Following {
  readonly viewer: Viewer;
  readonly feeds: readonly Feed[];
  readonly filter: EventFilter;
  /** The position of the last event the client has, or the time it wants to start from. */
  readonly after: string;
}

const POLL_MS = 1000;
/**
 * Indexes follow their table by some milliseconds, and publishers' clocks differ by a few. An event is shown once it is
 * this old: by then all earlier ones are there too, so the order is final and a position is all that resuming needs.
 */
const SETTLE_MS = 1000;
/** Should one still come later than that, it is found within this time and shown out of order, without a position. */
const LATE_MS = 30_000;
const LOOK_FOR_LATE_EVERY_MS = 5000;
/** Functions end after 15 minutes; ending a little earlier lets the client return in order. */
const LIFE_MS = 14 * 60_000;
const ROWS_PER_READ = 25;

/** Shows events in the order of their publication, each once, until the client goes or the connection has lived enough. */
export async function followEvents(parts: FollowParts, following: Following, sink: EventSink): Promise<void> {
  const { now, pause } = parts;
  const endsAt = now() + LIFE_MS;
  const seen = new Set<string>();
  let position = following.after;
  let lookForLateAt = now() + LOOK_FOR_LATE_EVERY_MS;
  await sink.write('retry: 1000\n: following\n\n');
  while (!sink.gone.aborted && now() < endsAt) {
    const settled = now() - SETTLE_MS;
    const stretch = { from: position, to: `${sortableTime(settled)}${END}` };
    position = await showStretch(parts, following, { ...stretch, sink, seen, isLate: false });
    if (now() >= lookForLateAt) {
      const from = later(following.after, sortableTime(settled - LATE_MS));
      await showStretch(parts, following, { from, to: position, sink, seen, isLate: true });
      forget(seen, settled - LATE_MS);
      lookForLateAt = now() + LOOK_FOR_LATE_EVERY_MS;
    }
    await pause(POLL_MS, sink.gone);
  }
}

const later = (a: string, b: string) => (a > b ? a : b);

interface Showing {
  readonly from: string;
  readonly to: string;
  readonly sink: EventSink;
  /** Positions shown or passed over already; the first one of a stretch is always among them or before all events. */
  readonly seen: Set<string>;
  readonly isLate: boolean;
}

/** The position reached. */
async function showStretch({ reader }: FollowParts, following: Following, showing: Showing): Promise<string> {
  const { from, to, sink, seen, isLate } = showing;
  const { viewer, filter, feeds, after } = following;
  let reached = from;
  const positions = walkFeeds(feeds, { from, to, newestFirst: false, pageSize: 100 });
  for await (const chunk of chunksOf(positions, ROWS_PER_READ)) {
    const fresh = chunk.filter((position) => position !== after && !seen.has(position));
    const rows = await reader.rows(fresh.map(eventIdAt));
    const byId = new Map(rows.map((row) => [row.event_id, row]));
    for (const position of fresh) {
      if (sink.gone.aborted) return reached;
      const row = byId.get(eventIdAt(position));
      if (row && maySee(viewer, row) && passes(row, filter)) {
        const event = publicEvent(await reader.load(row));
        await sink.send({ event: 'bus_event', data: event, ...(isLate ? {} : { id: event.event_id }) });
      }
      seen.add(position);
      reached = position;
    }
  }
  return reached;
}

function forget(seen: Set<string>, before: number) {
  for (const position of seen) if (timeAt(position) < before) seen.delete(position);
}
