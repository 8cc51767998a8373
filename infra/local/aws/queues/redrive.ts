import { randomUUID } from 'node:crypto';
import { atomically } from '../database.ts';
import { nameIn } from '../identity.ts';
import type { QueueParts } from './parts.ts';

const PAGE = 200;

/** Redriven messages count as new: another id, a new age, no receives. Without a destination, only what has a known origin moves. */
export function redriveMessages({ db, registry, store, signal, now }: QueueParts, from: string, to?: string): number {
  const dead = registry.get(from).name;
  const destination = to === undefined ? undefined : registry.get(to).name;
  return atomically(db, () => {
    let moved = 0;
    for (let page = store.page(dead, 0, PAGE); page.length > 0; page = store.page(dead, page.at(-1)?.seq ?? 0, PAGE)) {
      for (const { seq, source } of page) {
        const queue = destination ?? (source && nameIn(source));
        if (!queue || !registry.has(queue)) continue;
        store.revive(seq, { queue, id: randomUUID(), now: now() });
        signal.wake(queue);
        moved += 1;
      }
    }
    return moved;
  });
}
