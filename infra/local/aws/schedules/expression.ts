import { Cron, CronDate } from 'croner';

/** When a schedule runs. Times are epoch milliseconds. */
export interface Recurrence {
  /** The first run after this moment, if there is one. */
  next(after: number): number | undefined;
  readonly isOnce: boolean;
}

export interface ExpressionContext {
  readonly timezone: string;
  /** Rates run here first. */
  readonly start: number;
}

/** Reads `at(…)`, `rate(…)` or `cron(…)` as EventBridge Scheduler does; throws an Error that says what is wrong. */
export function parseExpression(expression: string, context: ExpressionContext): Recurrence {
  const [, kind = '', inner = ''] = /^(\w+)\((.*)\)$/.exec(expression.trim()) ?? [];
  if (!isKind(kind)) throw new Error(`Invalid Schedule Expression ${expression}.`);
  checkTimezone(context.timezone);
  return PARSERS[kind](inner, context);
}

function checkTimezone(timeZone: string) {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
  } catch (error) {
    throw new Error(`Invalid time zone ${timeZone}.`, { cause: error });
  }
}

function parseAt(text: string, { timezone }: ExpressionContext): Recurrence {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(text)) throw new Error(`at(${text}) is not at(yyyy-mm-ddThh:mm:ss).`);
  const at = new CronDate(text, timezone).getDate(false).getTime();
  return { isOnce: true, next: (after) => (at > after ? at : undefined) };
}

const UNIT_MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

function parseRate(text: string, { start }: ExpressionContext): Recurrence {
  const [, count, unit] = /^([1-9]\d{0,8})\s+(minute|hour|day)s?$/.exec(text.trim()) ?? [];
  if (!count || !isUnit(unit)) throw new Error(`rate(${text}) is not rate(value minutes|hours|days).`);
  const every = Number(count) * UNIT_MS[unit];
  return { isOnce: false, next: (after) => start + Math.max(0, Math.floor((after - start) / every) + 1) * every };
}

const isUnit = (unit: string | undefined): unit is keyof typeof UNIT_MS =>
  unit !== undefined && Object.hasOwn(UNIT_MS, unit);

function parseCron(text: string, { timezone }: ExpressionContext): Recurrence {
  const pattern = quartzPattern(text);
  const job = new Cron(pattern, { mode: '7-part', alternativeWeekdays: true, timezone, paused: true });
  return {
    isOnce: false,
    next(after) {
      let run = job.nextRun(new Date(after));
      // A local time the clock skips in spring is moved by croner and left out by Scheduler.
      while (run && !job.match(run)) run = job.nextRun(run);
      return run?.getTime();
    },
  };
}

const LAST = { minute: '59', hour: '23', day: '31', month: '12', year: '2199' };

/** AWS has no seconds, demands `?` in exactly one day field and allows `5/10` for "from 5, every 10th". */
function quartzPattern(text: string) {
  const fields = text.trim().split(/\s+/);
  const [minute, hour, day, month, weekday, year] = fields;
  if (fields.length !== 6 || !minute || !hour || !day || !month || !weekday || !year)
    throw new Error(`cron(${text}) needs six fields: minutes hours day-of-month month day-of-week year.`);
  if ((day === '?') === (weekday === '?'))
    throw new Error(`cron(${text}) must have ? in either the day-of-month or the day-of-week field.`);
  return [
    '0',
    openSteps(minute, LAST.minute),
    openSteps(hour, LAST.hour),
    day === '?' ? '*' : openSteps(day, LAST.day),
    openSteps(month, LAST.month),
    weekday === '?' ? '*' : weekday === 'L' ? '7' : weekday,
    openSteps(year, LAST.year),
  ].join(' ');
}

const openSteps = (field: string, last: string) => field.replaceAll(/(^|,)(\w+)\//g, `$1$2-${last}/`);

const PARSERS = { at: parseAt, rate: parseRate, cron: parseCron };
const isKind = (kind: string): kind is keyof typeof PARSERS => Object.hasOwn(PARSERS, kind);
