import { randomInt } from 'node:crypto';
import type { Clock, Millis } from '../time.ts';

/** Holds an answer back until a fixed time has passed, so that its timing says nothing about what happened. */
export type Floor = (startedAt: Millis) => Promise<void>;

const JITTER_MS = 50;

export const createFloor =
  (floorMs: number, now: Clock, pause: (ms: number) => Promise<void>): Floor =>
  async (startedAt) => {
    if (floorMs === 0) return;
    const rest = startedAt + floorMs + randomInt(JITTER_MS) - now();
    if (rest > 0) await pause(rest);
  };
