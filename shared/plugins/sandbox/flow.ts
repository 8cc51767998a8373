/** How much a sandbox may say. In bytes; every message counts for at least `message`, however short it is. */
export const FLOW = {
  message: 4096,
  /** Said and not yet heard; whoever has said more waits inside its own thread. */
  underWay: 1024 * 1024,
  /** The longest single message, unless the plugin was given something half as long. */
  longest: 4 * 1024 * 1024,
} as const;

const BURST = 8 * 1024 * 1024;
const PER_MS = 4096;
const MOST_UNREAD = 16 * 1024 * 1024;

export interface Flow {
  /** Shared with the worker: what is under way from it, and to it. */
  readonly gauge: Int32Array<SharedArrayBuffer>;
  /** A message of this length was dealt with. The worker learns of it at once, or later when it says too much. */
  done(length: number): void;
  /** Counts something that is about to be sent to the worker; true when it has not read what was sent before. */
  isDeaf(length: number): boolean;
  stop(): void;
}

/** Slows a talkative plugin down in its own thread, so that ours never has more to hear than it can bear. */
export function createFlow(): Flow {
  const gauge = new Int32Array(new SharedArrayBuffer(8));
  let allowance = BURST;
  let countedAt = performance.now();
  let owed = 0;
  let timer: NodeJS.Timeout | undefined;
  const release = (bytes: number) => {
    Atomics.sub(gauge, 0, bytes);
    Atomics.notify(gauge, 0);
  };
  const refill = () => {
    const now = performance.now();
    allowance = Math.min(BURST, allowance + (now - countedAt) * PER_MS);
    countedAt = now;
  };
  const settle = () => {
    timer = undefined;
    refill();
    if (allowance < 0) return wait();
    release(owed);
    owed = 0;
  };
  const wait = () => void (timer = setTimeout(settle, Math.ceil(-allowance / PER_MS)).unref());
  return {
    gauge,
    done(length) {
      const bytes = FLOW.message + length;
      refill();
      allowance -= bytes;
      if (allowance >= 0 && owed === 0) return release(bytes);
      owed += bytes;
      if (!timer) wait();
    },
    isDeaf: (length) => Atomics.add(gauge, 1, length) > MOST_UNREAD,
    stop: () => clearTimeout(timer),
  };
}
