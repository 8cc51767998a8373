import { log } from '../../shared/log.ts';
import { LeaseLost, RunCancelled } from './failure.ts';
import { renewLease, type Held } from './lease-store.ts';

export interface Heartbeat {
  stop(): void;
}

interface Beat {
  readonly leaseMs: number;
  readonly now: () => number;
  readonly abort: AbortController;
}

const OFTEN_MS = 5000;

/** Keeps the lease while work goes on, and hears within seconds when somebody wants the run to end. */
export function startHeartbeat(held: Held, { leaseMs, now, abort }: Beat): Heartbeat {
  const beat = () => {
    renewLease(held, now() + leaseMs).catch((error: unknown) => {
      if (error instanceof LeaseLost || error instanceof RunCancelled) abort.abort(error);
      // Anything else may pass; if it does not, the lease ends and with it the right to commit.
      else log.warn('lease not renewed', { id: held.runId, error });
    });
  };
  const timer = setInterval(beat, Math.min(OFTEN_MS, leaseMs / 3));
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
