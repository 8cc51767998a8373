import { END, walkFeeds } from '../../shared/events/feed.ts';
import { eventIdAt, everythingFeed } from '../../shared/events/keys.ts';
import type { Pointer } from '../../shared/events/message.ts';
import type { EventReader } from '../../shared/events/reader.ts';
import { sortableTime } from '../../shared/workflow/keys.ts';
import type { Letters } from './letters.ts';
import { chunksOf } from './page.ts';

export interface SweepParts {
  readonly reader: EventReader;
  readonly letters: Letters;
  /** Up to which position every event is known to be dispatched or on record as a letter. */
  readonly mark: { read(): Promise<string | undefined>; write(position: string): Promise<void> };
  readonly areDone: (eventIds: readonly string[]) => Promise<readonly boolean[]>;
  readonly send: (pointer: Pointer) => Promise<void>;
  readonly now: () => number;
}

const OVERDUE_MS = 2 * 60_000;
/** Longer than the queue tries: what is still a letter then, nobody is working on. */
const GIVEN_UP_MS = 15 * 60_000;
/** Letters untouched for longer were seen by an earlier sweep. */
const STALE_MS = 24 * 3_600_000;
const FIRST_LOOK_BACK_MS = 3_600_000;
const LONGEST_MS = 40_000;
const PER_READ = 100;

export interface Swept {
  readonly republished: number;
  readonly died: number;
}

/**
 * The last net under the bus: stream, relay, bus and queue each try for hours, but whatever they lose all the same,
 * by a wrong permission or a deleted rule, is found here. Each event is looked at once, in the order of publication.
 */
export async function sweepEvents(parts: SweepParts): Promise<Swept> {
  return { republished: await republishOverdue(parts), died: await buryAbandoned(parts) };
}

async function republishOverdue({ reader, letters, mark, areDone, send, now }: SweepParts): Promise<number> {
  const startedAt = now();
  const from = (await mark.read()) ?? sortableTime(startedAt - FIRST_LOOK_BACK_MS);
  const to = `${sortableTime(startedAt - OVERDUE_MS)}${END}`;
  let republished = 0;
  const positions = walkFeeds([everythingFeed()], { from, to, newestFirst: false, pageSize: PER_READ });
  for await (const chunk of chunksOf(positions, PER_READ)) {
    const ids = chunk.map(eventIdAt);
    const done = await areDone(ids);
    const overdue = await reader.rows(ids.filter((_, i) => !done[i]));
    for (const { tenant, event_id, event_type } of overdue) {
      if (await letters.get(event_id)) continue;
      const pointer = { tenant, event_id, event_type, again: true } as const;
      await letters.record(pointer, { state: 'republished', error: 'The event did not reach the dispatcher' }, now());
      await send(pointer);
      republished += 1;
    }
    await mark.write(chunk.at(-1) ?? from);
    if (now() - startedAt > LONGEST_MS) break;
  }
  return republished;
}

async function buryAbandoned({ letters, now }: SweepParts): Promise<number> {
  let died = 0;
  for await (const { id, state } of letters.walk(now() - STALE_MS, now() - GIVEN_UP_MS)) {
    if (state === 'dead') continue;
    if (await letters.move(id, { from: state, to: 'dead' }, now())) died += 1;
  }
  return died;
}
