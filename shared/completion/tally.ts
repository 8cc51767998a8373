import { tenantOf } from '../identity/actor.ts';
import type { CountedLimit } from '../plans/plans.ts';
import type { Payer, Quota, Reservation } from '../plans/quota.ts';
import type { Clock } from '../time.ts';
import { createTallyPage, type TallyPage } from './tally-page.ts';

/** Counts where nothing can be refused: nobody has to wait for it, and many uses cost one write. */
export interface Tally {
  add(payer: Payer): TallyMark;
  of(payer: Payer): Pick<TallyPage, 'used' | 'heard' | 'written'>;
}

export interface TallyMark extends Reservation {
  /** Written down. */
  readonly counted: Promise<void>;
}

const REMEMBERED = 10_000;
/** One for all families of a process: each must know what the others have counted. */
const pages = new Map<string, TallyPage>();

export function createTally(quota: Pick<Quota, 'count'>, limit: CountedLimit, now: Clock): Tally {
  const pageOf = (payer: Payer): TallyPage => {
    const name = `${limit} ${tenantOf(payer)}`;
    const known = pages.get(name);
    if (known) return known;
    if (pages.size >= REMEMBERED) forgetBlank();
    const page = createTallyPage((amount) => quota.count(payer, limit, amount), now);
    pages.set(name, page);
    return page;
  };
  return {
    of: pageOf,
    add(payer) {
      const page = pageOf(payer);
      let isHeld = true;
      return {
        counted: page.mark(1),
        async release() {
          if (isHeld) void page.mark(-1).catch(() => {}); // what is given back too late is taken off the next marks
          isHeld = false;
        },
      };
    },
  };
}

function forgetBlank() {
  for (const [name, page] of pages) if (page.isBlank()) pages.delete(name);
}
