import { log } from '../log.ts';
import type { Clock } from '../time.ts';
import { writeLog, type LogEntry, type LogLine } from './logs.ts';

interface Minute {
  readonly at: number;
  kept: number;
  skipped: number;
}

const MOST_PER_MINUTE = 60;
const MINUTE_MS = 60_000;
const REMEMBERED = 1000;

export type KeepLog = (id: string, method: string, lines: readonly LogLine[]) => Promise<void>;

/** A plugin that prints with every chunk would fill its log and slow its reply: so many entries a minute, then a number. */
export function createLogKeeper(now: Clock, write: typeof writeLog = writeLog): KeepLog {
  const minutes = new Map<string, Minute>();
  const minuteOf = (id: string, at: number): { minute: Minute; missed: number } => {
    const known = minutes.get(id);
    if (known && at - known.at < MINUTE_MS) return { minute: known, missed: 0 };
    if (minutes.size >= REMEMBERED) minutes.clear();
    const minute = { at, kept: 0, skipped: 0 };
    minutes.set(id, minute);
    return { minute, missed: known?.skipped ?? 0 };
  };
  return async (id, method, lines) => {
    if (lines.length === 0) return;
    const at = now();
    const { minute, missed } = minuteOf(id, at);
    if (minute.kept >= MOST_PER_MINUTE) return void (minute.skipped += 1);
    minute.kept += 1;
    const entry: LogEntry = { at, method, lines: missed > 0 ? [missing(missed), ...lines] : [...lines] };
    // The log is for whoever wrote the plugin; a reply does not fail for it.
    await write(id, entry).catch((error: unknown) => log.warn('plugin log not kept', { id, error }));
  };
}

const missing = (count: number): LogLine => ({ level: 'warn', text: `${count} calls before this one were not logged` });
