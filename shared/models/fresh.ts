import type { Clock } from '../time.ts';

/** A value that is read again now and then. */
export interface Fresh<T> {
  get(): Promise<T>;
  /** The next reader waits for a new one. */
  forget(): void;
}

export interface Ages {
  /** Younger values are used as they are. */
  readonly freshMs: number;
  /** Older ones are not used at all; in between one is used while the next is read. */
  readonly staleMs: number;
  readonly now: Clock;
}

export function createFresh<T>(load: () => Promise<T>, { freshMs, staleMs, now }: Ages): Fresh<T> {
  let held: { readonly value: T; readonly at: number } | undefined;
  let loading: Promise<T> | undefined;
  let generation = 0;
  const reload = () => {
    const begun = generation;
    const at = now();
    const reading = load().then((value) => {
      // What was being read while somebody changed it may be the old state.
      if (begun === generation) held = { value, at };
      return value;
    });
    loading = reading;
    const done = () => {
      if (loading === reading) loading = undefined;
    };
    reading.then(done, done);
    return reading;
  };
  return {
    get() {
      const age = held ? now() - held.at : Infinity;
      if (held && age < freshMs) return Promise.resolve(held.value);
      const reading = loading ?? reload();
      if (!held || age >= staleMs) return reading;
      reading.catch(() => {}); // the reader after the limit will hear of it
      return Promise.resolve(held.value);
    },
    forget() {
      generation += 1;
      held = undefined;
      loading = undefined;
    },
  };
}
