import type { Millis } from '../time.ts';
import type { CountedLimit } from './plans.ts';

/** The stretch of time one counter covers. Things that are kept (files, bytes) are counted for ever. */
export interface Period {
  readonly id: string;
  /** Epoch milliseconds when the count starts again; null when it never does. */
  readonly resetsAt: number | null;
}

type Kind = 'day' | 'month' | 'always';

const KINDS = {
  documents_per_month: 'month',
  storage_bytes: 'always',
  completions_per_day: 'day',
  knowledge_files: 'always',
} as const satisfies Record<CountedLimit, Kind>;

/** Days and months are those of UTC, so every function counts into the same row. */
export function periodOf(limit: CountedLimit, now: Millis): Period {
  const at = new Date(now);
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  const iso = at.toISOString();
  switch (KINDS[limit]) {
    case 'day':
      return { id: iso.slice(0, 10), resetsAt: Date.UTC(year, month, day + 1) };
    case 'month':
      return { id: iso.slice(0, 7), resetsAt: Date.UTC(year, month + 1, 1) };
    case 'always':
      return { id: 'always', resetsAt: null };
  }
}

/** A rate heals by waiting (429); the rest needs another plan or less data (402). */
export const isRate = (limit: CountedLimit) => KINDS[limit] === 'day';
