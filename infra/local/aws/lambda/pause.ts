/** A sleep that can be cut short. */
export interface Pause {
  /** Resolves after so many milliseconds, at a nudge, or when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Ends the current sleep, or the next one if nobody sleeps. */
  nudge(): void;
}

export function createPause(): Pause {
  let end: (() => void) | undefined;
  let isNudged = false;
  return {
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        end = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', finish);
          end = undefined;
          isNudged = false;
          resolve();
        };
        const finish = () => end?.();
        const timer = setTimeout(finish, ms);
        signal.addEventListener('abort', finish);
        if (isNudged || signal.aborted) finish();
      }),
    nudge() {
      isNudged = true;
      end?.();
    },
  };
}
