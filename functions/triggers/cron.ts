import { Cron } from 'croner';
import { invalidField } from '../../shared/errors.ts';
import { CronError, fieldText, parseCron, type CronFields } from './cron-fields.ts';

export interface CronSchedule {
  readonly cron: string;
  readonly timezone: string;
}

/** Refuses what cannot be read, what never happens and places that no clock knows (422). */
export function demandCron({ cron, timezone }: CronSchedule, now: number, where: 'body' | 'query' = 'body'): void {
  if (!isTimezone(timezone)) throw invalidField([where, 'timezone'], `is not a time zone: ${timezone}`);
  try {
    parseCron(cron);
  } catch (error) {
    if (error instanceof CronError) throw invalidField([where, 'cron'], error.message);
    throw error;
  }
  if (nextRuns({ cron, timezone }, now, 1).length === 0) throw invalidField([where, 'cron'], 'never happens');
}

function isTimezone(timeZone: string) {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return /^[A-Za-z][\w+-]*(\/[\w+-]+)*$/.test(timeZone);
  } catch {
    return false;
  }
}

/** The next times after a moment, in milliseconds. A local time that the clock skips in spring is left out. */
export function nextRuns({ cron, timezone }: CronSchedule, after: number, count: number): number[] {
  const clock = clockFor(parseCron(cron), timezone);
  const found: number[] = [];
  let at: Date | null = new Date(after);
  while (found.length < count && at) {
    at = clock.nextRun(at);
    if (at && clock.match(at)) found.push(at.getTime());
  }
  return found;
}

export const isScheduled = ({ cron, timezone }: CronSchedule, at: number) =>
  clockFor(parseCron(cron), timezone).match(new Date(at));

const clockFor = (fields: CronFields, timezone: string) =>
  new Cron(plainText(fields), { mode: '5-part', timezone, paused: true, legacyMode: true });

const plainText = ({ minute, hour, dayOfMonth, month, dayOfWeek }: CronFields) =>
  [minute, hour, dayOfMonth, month, dayOfWeek].map(fieldText).join(' ');

/**
 * The same times as EventBridge Scheduler writes them. It cannot say "on these days of the month or on these weekdays",
 * so such an expression becomes two; a time that both name happens once, because events are named by their time.
 */
export function toScheduleExpressions(cron: string): string[] {
  const { minute, hour, dayOfMonth, month, dayOfWeek } = parseCron(cron);
  const byDate = (day: string) => `cron(${fieldText(minute)} ${fieldText(hour)} ${day} ${fieldText(month)} ? *)`;
  const byWeekday = (day: string) => `cron(${fieldText(minute)} ${fieldText(hour)} ? ${fieldText(month)} ${day} *)`;
  // Weekdays count from 1 there.
  const weekday = fieldText({ ...dayOfWeek, values: dayOfWeek.values.map((day) => day + 1) });
  if (dayOfWeek.isAny) return [byDate(fieldText(dayOfMonth))];
  if (dayOfMonth.isAny) return [byWeekday(weekday)];
  return [byDate(fieldText(dayOfMonth)), byWeekday(weekday)];
}
