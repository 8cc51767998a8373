/** A setting, declared once: how its text is read, what holds without it, and one sentence for people. */
export interface Variable<T> {
  readonly meaning: string;
  readonly fallback: T;
  /** Shown in the generated table instead of the parsed value. */
  readonly shown: string;
  readonly isSecret?: boolean;
  readonly isRequired?: boolean;
  /** Throws an Error whose message says what is wrong with the text. */
  readonly parse: (text: string) => T;
}

type Declare<T> = (fallback: T, meaning: string, options?: { readonly secret?: boolean }) => Variable<T>;

const declare =
  <T>(parse: (text: string) => T): Declare<T> =>
  (fallback, meaning, { secret } = {}) => ({ meaning, fallback, parse, isSecret: secret, shown: show(fallback) });

const show = (value: unknown) =>
  value === '' || value === undefined || (Array.isArray(value) && value.length === 0)
    ? '(empty)'
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);

export const text = declare((value) => value);
export const list = declare<readonly string[]>((value) =>
  value
    .split(/[,;]/)
    .map((part) => part.trim())
    .filter(Boolean),
);

/** Like a list, but an empty place counts: the n-th entry belongs to the n-th of another list. */
export const positions = declare<readonly string[]>((value) => value.split(/[,;]/).map((part) => part.trim()));

export const flag = declare((value) => {
  if (/^(true|1|yes|on)$/i.test(value)) return true;
  if (/^(false|0|no|off)$/i.test(value)) return false;
  throw new Error('must be true or false');
});

export const number = (range: { readonly min: number; readonly max: number }) =>
  declare((value) => {
    const parsed = Number(value);
    if (Number.isFinite(parsed) && parsed >= range.min && parsed <= range.max) return parsed;
    throw new Error(`must be a number from ${range.min} to ${range.max}`);
  });

const parseAddress = (value: string) => {
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol))
    throw new Error('must be an http or https address');
  return value.replace(/\/$/, '');
};

export const address = declare(parseAddress);
export const addresses = declare<readonly string[]>((value) =>
  value
    .split(/[,;]/)
    .map((part) => part.trim())
    .filter(Boolean)
    .map(parseAddress),
);

export const oneOf = <const T extends string>(...allowed: readonly T[]) =>
  declare<T>((value) => {
    const found = allowed.find((candidate) => candidate === value);
    if (found === undefined) throw new Error(`must be one of ${allowed.map((one) => one || '(empty)').join(', ')}`);
    return found;
  });

export const jsonObject = declare<Readonly<Record<string, unknown>>>((value) => {
  const parsed: unknown = JSON.parse(value);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw new Error('must be a JSON object');
  return parsed as Record<string, unknown>;
});

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** `4w`, `1h30m`, `500ms`; the value is in milliseconds. */
export const duration = (fallback: string, meaning: string): Variable<number> => ({
  meaning,
  fallback: parseDuration(fallback),
  shown: fallback,
  parse: parseDuration,
});

export function parseDuration(value: string): number {
  if (!/^(\d+(?:\.\d+)?(ms|s|m|h|d|w))+$/.test(value)) throw new Error('must be a duration such as 30m, 12h or 4w');
  const parts = value.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d|w)/g);
  const total = parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * UNITS[unit as keyof typeof UNITS], 0);
  if (total <= 0) throw new Error('must be longer than nothing');
  return total;
}

export const required = <T>(variable: Variable<T>): Variable<T> => ({
  ...variable,
  isRequired: true,
  shown: '(required)',
});

export const secretKey = (minLength: number, meaning: string): Variable<string> => ({
  meaning,
  fallback: '',
  shown: '(empty)',
  isSecret: true,
  parse(value) {
    if (value.length < minLength) throw new Error(`must be at least ${minLength} characters long`);
    if (new Set(value).size < 8) throw new Error('must not repeat the same few characters');
    return value;
  },
});
