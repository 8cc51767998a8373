/** Wakes those who wait on a queue: when a message arrives, when one becomes visible, or when they are told to stop. */
export interface QueueSignal {
  wake(queue: string): void;
  wakeAll(): void;
  wait(queue: string, options: { readonly ms: number; readonly signal?: AbortSignal }): Promise<void>;
}

const LONGEST_TIMER = 60_000;

export function createQueueSignal(): QueueSignal {
  const waiting = new Map<string, Set<() => void>>();
  const wake = (queue: string) => {
    for (const resume of waiting.get(queue) ?? []) resume();
  };
  return {
    wake,
    wakeAll: () => {
      for (const queue of waiting.keys()) wake(queue);
    },
    wait: (queue, { ms, signal }) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const others = waiting.get(queue) ?? new Set();
        waiting.set(queue, others);
        const resume = () => {
          clearTimeout(timer);
          others.delete(resume);
          signal?.removeEventListener('abort', resume);
          resolve();
        };
        const timer = setTimeout(resume, Math.min(Math.max(ms, 0), LONGEST_TIMER));
        others.add(resume);
        signal?.addEventListener('abort', resume);
      }),
  };
}
