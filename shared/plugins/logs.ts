import * as z from 'zod';
import { openTable } from '../store/table.ts';
import { toSeconds, type Millis } from '../time.ts';
import { newId } from '../ids.ts';

/**
 * Rows of the table `realtime`, which forgets by itself:
 *
 *   PLUGIN_LOG#<id>   <millis>#<random>   what the plugin printed during one call, and how the call failed
 */
const realtime = openTable('realtime');
const partition = (id: string) => `PLUGIN_LOG#${id}`;

export const LogLine = z.object({ level: z.enum(['info', 'warn', 'error']), text: z.string() });
export type LogLine = z.output<typeof LogLine>;

export const LogEntry = z.object({ at: z.number(), method: z.string(), lines: z.array(LogLine) });
export type LogEntry = z.output<typeof LogEntry>;

const KEPT_SECONDS = 7 * 24 * 3600;

export const writeLog = (id: string, { at, method, lines }: LogEntry) =>
  realtime.put({
    pk: partition(id),
    sk: `${String(at).padStart(15, '0')}#${newId()}`,
    at,
    method,
    lines,
    ttl: toSeconds(at as Millis) + KEPT_SECONDS,
  });

/** The newest first. */
export async function readLog(id: string, limit: number): Promise<LogEntry[]> {
  const { rows } = await realtime.query({ pk: partition(id), newestFirst: true, limit });
  return rows.map((row) => LogEntry.parse(row));
}
