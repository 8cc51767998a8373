import { conflict } from '../errors.ts';
import type { Cause } from './event.ts';

/** A run may publish what starts another run, and so on. These numbers are where it ends. */
export const MAX_DEPTH = 10;
export const MAX_RUNS_PER_ROOT = 1000;
export const MAX_EMITS_PER_RUN = 50;
const CHAIN_KEPT = 16;

/** An event that nothing on this platform caused. */
export const fromOutside = (eventId: string): Cause => ({ depth: 0, root_event_id: eventId, chain: [] });

/** What an event published by a run carries; refused where a chain of runs has become too long. */
export function causedByRun(run: Cause & { readonly workflow_id: string }): Cause {
  const { depth, root_event_id, chain, workflow_id } = run;
  if (depth + 1 > MAX_DEPTH)
    throw conflict(`This chain of runs is ${MAX_DEPTH} events long; it may not publish another one`, {
      facts: { root_event_id, depth },
    });
  return { depth: depth + 1, root_event_id, chain: [...chain, workflow_id].slice(-CHAIN_KEPT) };
}
