/** The time that a call has for itself; it stands while the call waits for somebody else. */
export interface CallClock {
  /** Stands until the function it answers with is called. */
  hold(): () => void;
  stop(): void;
}

export function startClock(ms: number, onEnd: () => void): CallClock {
  let left = ms;
  let holders = 0;
  let hasStopped = false;
  let startedAt = 0;
  let timer: NodeJS.Timeout | undefined;
  const run = () => {
    startedAt = performance.now();
    timer = setTimeout(onEnd, Math.max(0, left));
  };
  run();
  return {
    hold() {
      if (holders === 0) {
        clearTimeout(timer);
        left -= performance.now() - startedAt;
      }
      holders += 1;
      return () => {
        holders -= 1;
        if (holders === 0 && !hasStopped) run();
      };
    },
    stop() {
      hasStopped = true;
      clearTimeout(timer);
    },
  };
}
