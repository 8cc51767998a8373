import { setTimeout as pause } from 'node:timers/promises';
import { tenantOf } from '../identity/actor.ts';
import type { CountedLimit } from '../plans/plans.ts';
import type { Payer, Quota, Reservation } from '../plans/quota.ts';
import { isSoleWriter } from '../store/sole-writer.ts';

/** Counts for those who may use something without end: nobody has to wait for it, and many uses cost one write. */
export interface Tally {
  add(payer: Payer): TallyMark;
}

export interface TallyMark extends Reservation {
  /** Written down. */
  readonly counted: Promise<void>;
}

/** A function that waits is paid for; a host that runs anyway can wait longer. */
const gatherMs = () => (isSoleWriter() ? 1000 : 100);

interface Page {
  readonly payer: Payer;
  marks: number;
  writing: Promise<void> | undefined;
}

export function createTally(quota: Pick<Quota, 'reserve'>, limit: CountedLimit): Tally {
  const pages = new Map<string, Page>();

  const write = async (tenant: string, page: Page) => {
    await pause(gatherMs());
    page.writing = undefined;
    const { marks } = page;
    page.marks = Math.min(0, marks);
    if (page.marks === 0) pages.delete(tenant);
    if (marks > 0) await quota.reserve(page.payer, limit, marks);
  };
  const mark = (payer: Payer, amount: 1 | -1) => {
    const tenant = tenantOf(payer);
    const page = pages.get(tenant) ?? { payer, marks: 0, writing: undefined };
    pages.set(tenant, page);
    page.marks += amount;
    return (page.writing ??= write(tenant, page));
  };
  return {
    add(payer) {
      let isHeld = true;
      return {
        counted: mark(payer, 1),
        async release() {
          if (isHeld) void mark(payer, -1).catch(() => {}); // what is given back too late is taken off the next page
          isHeld = false;
        },
      };
    },
  };
}
