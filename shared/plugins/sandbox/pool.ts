import type { Limits } from './limits.ts';
import { createPlaces, type Place } from './places.ts';
import { openSandbox, type Outside } from './sandbox.ts';
import { createWarmth } from './warmth.ts';

/** A plugin's code under a name that changes whenever the code does. */
export interface Program {
  readonly id: string;
  readonly revision: string | number;
  readonly source: string;
}

export interface SandboxCall {
  readonly method: string;
  readonly args: readonly unknown[];
}

export interface SandboxPool {
  run(program: Program, call: SandboxCall, outside: Outside): Promise<unknown>;
  close(): Promise<void>;
}

export interface PoolLimits extends Limits {
  /** How many calls may be at work at once; waiting for somebody outside is not work. */
  readonly atWork: number;
  /** What sandboxes may hold that wait for their next call. */
  readonly warmMb: number;
}

/**
 * Every call has a sandbox to itself, so a plugin that hangs or crashes takes only its own request along. Those that
 * behaved are kept warm for the next call; a new revision starts afresh.
 */
export function createSandboxPool(limits: PoolLimits): SandboxPool {
  const warmth = createWarmth(limits.warmMb);
  const enter = createPlaces({ most: limits.atWork, patienceMs: limits.timeoutMs });
  return {
    async run(program, { method, args }, outside) {
      const place = await enter(program.id);
      try {
        const sandbox = warmth.take(program) ?? (await openSandbox(program.source, limits));
        try {
          return await sandbox.call(method, args, besides(place, outside));
        } finally {
          warmth.keep(program, sandbox);
        }
      } finally {
        place.leave();
      }
    },
    close: () => warmth.close(),
  };
}

/** Whoever waits for the outside, or for somebody to take what it says, makes room for others. */
const besides = (place: Place, outside: Outside): Outside => ({
  ...outside,
  answer: (name, data) => place.during(outside.answer(name, data)),
  part(value) {
    const taken = outside.part?.(value);
    return taken && place.during(taken);
  },
});
