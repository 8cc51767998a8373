import os from 'node:os';
import type { Settings } from '../settings/variables.ts';
import type { PoolLimits } from './sandbox/pool.ts';

export type RoomSettings = Pick<
  Settings,
  'PLUGIN_MEMORY_MB' | 'PLUGIN_TIMEOUT_MS' | 'PLUGIN_CPU_MS' | 'PLUGIN_CONCURRENCY' | 'PLUGIN_WARM_MEMORY_MB'
>;

/** Half of the memory is for plugins, of that half for those that wait; a small function runs few at once. */
export function roomFor(settings: RoomSettings, totalMb = machineMb()): PoolLimits {
  const memoryMb = settings.PLUGIN_MEMORY_MB;
  const warmMb = Math.min(settings.PLUGIN_WARM_MEMORY_MB, Math.floor(totalMb / 4));
  const fitting = Math.floor((totalMb / 2 - warmMb) / memoryMb);
  return {
    memoryMb,
    timeoutMs: settings.PLUGIN_TIMEOUT_MS,
    cpuMs: settings.PLUGIN_CPU_MS,
    // A pipe and a filter of what it says are at work together.
    atWork: Math.max(2, Math.min(settings.PLUGIN_CONCURRENCY, fitting)),
    warmMb,
  };
}

/** What this process may have: a container or a function has less than its machine. */
const machineMb = () => Math.min(os.totalmem(), process.constrainedMemory() || Infinity) / (1024 * 1024);
