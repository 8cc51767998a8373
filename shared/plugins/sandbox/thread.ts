import { Worker } from 'node:worker_threads';
import { border } from './border.ts';
import { FLOW, type Flow } from './flow.ts';
import { guestSource } from './guest.ts';
import type { Limits } from './limits.ts';
import { warden } from './warden.ts';

export const startWorker = (source: string, { memoryMb }: Limits, { gauge }: Flow) =>
  new Worker(`(${warden.toString()})(${border.toString()})`, {
    eval: true,
    env: {},
    argv: [],
    execArgv: ['--experimental-vm-modules', '--no-warnings'],
    stdout: true,
    stderr: true,
    workerData: { source, guest: guestSource, gauge, flow: FLOW },
    resourceLimits: {
      maxOldGenerationSizeMb: memoryMb,
      maxYoungGenerationSizeMb: Math.min(16, memoryMb),
      stackSizeMb: 4,
    },
  });

/** Megabytes that it holds now. */
export async function sizeOf(worker: Worker): Promise<number> {
  const { total_heap_size, external_memory } = await worker.getHeapStatistics();
  return (total_heap_size + external_memory) / (1024 * 1024);
}

/** Errors of a plugin may be anything at all. */
export function reasonOf(error: unknown): string {
  if (error instanceof Error && typeof error.message === 'string') return error.message;
  return typeof error === 'string' ? error : 'The plugin crashed';
}
