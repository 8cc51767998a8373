import { setTimeout as pause } from 'node:timers/promises';
import { isSoleWriter } from '../store/sole-writer.ts';
import type { Clock } from '../time.ts';

/** What one tenant has used. Marks are gathered for a moment and written together. */
export interface TallyPage {
  /** Resolves when the mark is written. */
  mark(amount: 1 | -1): Promise<void>;
  /** As the table said a moment ago, with what is not written yet; undefined where others may have written meanwhile. */
  used(): number | undefined;
  /** The table has just said it. */
  heard(used: number): void;
  /** Writes what is left, and waits for what is on its way. */
  written(): Promise<void>;
  isBlank(): boolean;
}

/** A function that waits is paid for; a host that runs anyway can wait longer. */
const gatherMs = () => (isSoleWriter() ? 1000 : 100);
const KNOWN_MS = 10_000;

/** `count` writes so many uses down and gives back how many there are. */
export function createTallyPage(count: (amount: number) => Promise<number>, now: Clock): TallyPage {
  let marks = 0;
  let sent = 0;
  let gathering: Promise<void> | undefined;
  let sending = Promise.resolve();
  let said: { readonly used: number; readonly at: number } | undefined;

  const heard = (used: number) => void (said = { used, at: now() });
  const unheard = (error: unknown) => {
    said = undefined;
    throw error;
  };
  const write = async () => {
    const amount = Math.max(0, marks);
    if (amount === 0) return;
    marks -= amount;
    sent += amount;
    const counting = count(amount).then(heard, unheard);
    await counting.finally(() => (sent -= amount));
  };
  const send = () => (sending = sending.then(write, write));
  const gather = async () => {
    await pause(gatherMs());
    gathering = undefined;
    await send();
  };
  return {
    mark(amount) {
      marks += amount;
      return (gathering ??= gather());
    },
    used: () => (said && isSoleWriter() && now() - said.at < KNOWN_MS ? said.used + marks + sent : undefined),
    heard,
    written: send,
    isBlank: () => marks === 0 && sent === 0,
  };
}
