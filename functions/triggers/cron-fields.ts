/** The five fields of a cron expression, as the values they allow. */
export interface CronFields {
  readonly minute: CronField;
  readonly hour: CronField;
  readonly dayOfMonth: CronField;
  readonly month: CronField;
  /** 0 is Sunday. */
  readonly dayOfWeek: CronField;
}

export interface CronField {
  readonly values: readonly number[];
  readonly isAny: boolean;
}

interface FieldSpec {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  readonly words?: readonly string[];
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

const SPECS = {
  minute: { name: 'minute', min: 0, max: 59 },
  hour: { name: 'hour', min: 0, max: 23 },
  dayOfMonth: { name: 'day of month', min: 1, max: 31 },
  month: { name: 'month', min: 1, max: 12, words: MONTHS },
  dayOfWeek: { name: 'day of week', min: 0, max: 7, words: DAYS },
} as const satisfies Record<keyof CronFields, FieldSpec>;

export class CronError extends Error {
  override readonly name = 'CronError';
}

/** Reads `minute hour day-of-month month day-of-week`; throws a CronError that says which field is wrong. */
export function parseCron(text: string): CronFields {
  const parts = text.trim().split(/\s+/);
  const [minute, hour, dayOfMonth, month, dayOfWeek] = parts;
  if (parts.length !== 5 || !minute || !hour || !dayOfMonth || !month || !dayOfWeek)
    throw new CronError('must have five fields: minute, hour, day of month, month and day of week');
  return {
    minute: parseField(minute, SPECS.minute),
    hour: parseField(hour, SPECS.hour),
    dayOfMonth: parseField(dayOfMonth, SPECS.dayOfMonth),
    month: parseField(month, SPECS.month),
    dayOfWeek: onlyOneSunday(parseField(dayOfWeek, SPECS.dayOfWeek)),
  };
}

function parseField(text: string, spec: FieldSpec): CronField {
  const values = new Set(text.split(',').flatMap((part) => parsePart(part, spec)));
  return { values: [...values].toSorted((a, b) => a - b), isAny: text === '*' };
}

/** `*`, `5`, `1-5`, any of them with a step. */
function parsePart(part: string, spec: FieldSpec): number[] {
  const [, from = '', to, step] = /^(\*|\w+)(?:-(\w+))?(?:\/(\d+))?$/.exec(part) ?? [];
  const first = from === '*' ? spec.min : valueOf(from, spec);
  const last =
    to === undefined ? openEnd(first, { isOpen: from === '*' || step !== undefined, spec }) : valueOf(to, spec);
  const every = step === undefined ? 1 : Number(step);
  if (first === undefined || last === undefined || last < first || every < 1 || (from === '*' && to !== undefined))
    throw new CronError(`has a wrong ${spec.name}: ${part}`);
  return Array.from({ length: Math.floor((last - first) / every) + 1 }, (_, i) => first + i * every);
}

const openEnd = (first: number | undefined, { isOpen, spec }: { isOpen: boolean; spec: FieldSpec }) => {
  // Seven is a second name for Sunday, not an eighth day.
  const max = spec.name === 'day of week' ? 6 : spec.max;
  return isOpen ? max : first;
};

function valueOf(text: string, { min, max, words }: FieldSpec): number | undefined {
  const word = words?.indexOf(text.toUpperCase()) ?? -1;
  if (word >= 0) return min === 0 ? word : word + min;
  const value = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : undefined;
}

const onlyOneSunday = ({ values, isAny }: CronField): CronField => ({
  values: [...new Set(values.map((day) => day % 7))].toSorted((a, b) => a - b),
  isAny,
});

/** The shortest way to write values: `1-5,7`. */
export function fieldText({ values, isAny }: CronField): string {
  if (isAny) return '*';
  const runs: [first: number, last: number][] = [];
  for (const value of values) {
    const run = runs.at(-1);
    if (run && value === run[1] + 1) run[1] = value;
    else runs.push([value, value]);
  }
  return runs.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(',');
}
