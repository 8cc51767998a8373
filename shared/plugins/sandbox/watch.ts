import type { Worker } from 'node:worker_threads';
import type { Limits } from './limits.ts';

export interface Watched {
  readonly worker: Worker;
  readonly limits: Limits;
  /** Names what the plugin is doing for somebody now; undefined when it should be at rest. */
  readonly task: () => object | undefined;
  readonly kill: (reason: string) => void;
}

const EVERY_MS = 50;
/** So many looks in a row at a plugin that should rest, and it is stopped. */
const RESTLESS_LOOKS = 5;

/** Heap limits do not cover buffers, and clocks do not cover what a plugin does when nobody waits for it. */
export function watchWorker(watched: Watched): () => void {
  const { worker, task, kill } = watched;
  let known = worker.performance.eventLoopUtilization();
  let restless = 0;
  const measure = createMeasure(watched);
  const timer = setInterval(() => {
    const now = worker.performance.eventLoopUtilization();
    const active = now.active - known.active;
    known = now;
    const current = task();
    if (current) {
      restless = 0;
      if (active > 0) void measure(current);
      return;
    }
    restless = active > EVERY_MS / 2 ? restless + 1 : 0;
    if (restless >= RESTLESS_LOOKS) kill('The plugin went on working after its call had ended');
  }, EVERY_MS).unref();
  return () => clearInterval(timer);
}

/** Processor time counts from the first look at a task, a moment after its beginning. */
function createMeasure({ worker, limits, task, kill }: Watched) {
  const begun = new WeakMap<object, number>();
  let isLooking = false;
  return async (current: object) => {
    if (isLooking) return;
    isLooking = true;
    const [heap, cpu] = await Promise.all([worker.getHeapStatistics(), worker.cpuUsage()]).catch(() => []);
    isLooking = false;
    if (!heap || !cpu || task() !== current) return;
    const cpuMs = (cpu.user + cpu.system) / 1000;
    const before = begun.get(current) ?? cpuMs;
    begun.set(current, before);
    if (heap.external_memory > limits.memoryMb * 1024 * 1024) kill(`The plugin used more than ${limits.memoryMb} MB`);
    else if (cpuMs - before > limits.cpuMs) kill(`The plugin used the processor for longer than ${limits.cpuMs} ms`);
  };
}
