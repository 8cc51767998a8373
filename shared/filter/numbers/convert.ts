import { allocateInteger, step } from '../budget.ts';
import { budgetError, FilterError, typeError, valueError } from '../errors.ts';
import { asciiDigits } from '../text/digits.ts';
import { quote } from '../text/quote.ts';
import { strip } from '../text/whitespace.ts';
import { typeName } from '../values/kinds.ts';
import { integerOf, isInteger, toFloat } from '../values/numeric.ts';
import type { Value } from '../values/value.ts';

const MAX_INTEGER_TEXT = 20_000;
const MAX_FLOAT_TEXT = 2000;
const MAX_DECIMAL_DIGITS = 4300;
const BASES: Readonly<Record<string, number>> = { x: 16, o: 8, b: 2 };
const FLOAT = /^[+-]?(?:\d+(?:_\d+)*\.?(?:\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:e[+-]?\d+(?:_\d+)*)?$/;
const SPECIAL_FLOAT = /^([+-]?)(inf|infinity|nan)$/;

/** int(value) */
export function toInteger(value: Value): bigint {
  if (isInteger(value)) return integerOf(value);
  if (typeof value === 'number') return truncate(value);
  if (typeof value === 'string') return parseInteger(value, 10);
  throw typeError(`int() argument must be a string, a bytes-like object or a real number, not '${typeName(value)}'`);
}

export function truncate(value: number): bigint {
  if (Number.isNaN(value)) throw valueError('cannot convert float NaN to integer');
  if (!Number.isFinite(value)) throw new FilterError('overflow', 'cannot convert float infinity to integer');
  return BigInt(Math.trunc(value));
}

/** float(value) */
export function toFloatValue(value: Value): number {
  if (typeof value === 'number') return value;
  if (isInteger(value)) return toFloat(integerOf(value));
  if (typeof value === 'string') return parseFloatText(value);
  throw typeError(`float() argument must be a string or a real number, not '${typeName(value)}'`);
}

function parseFloatText(text: string): number {
  const digits = normalized(text, MAX_FLOAT_TEXT);
  const special = SPECIAL_FLOAT.exec(digits);
  if (special) {
    const value = special[2] === 'nan' ? Number.NaN : Infinity;
    return special[1] === '-' ? -value : value;
  }
  if (!FLOAT.test(digits)) throw valueError(`could not convert string to float: ${quote(text)}`);
  return Number(digits.replaceAll('_', ''));
}

/** int(text, base); base 0 takes the base from the prefix. */
export function parseInteger(text: string, base: number): bigint {
  const fail = () => valueError(`invalid literal for int() with base ${base}: ${quote(text)}`);
  const [, sign, unsigned = ''] = /^([+-]?)([^]*)$/.exec(normalized(text, MAX_INTEGER_TEXT)) ?? [];
  const { digits, radix } = splitPrefix(unsigned, base);
  const hasLeadingZero = base === 0 && radix === 10 && /^0[0_]*[1-9]/.test(digits);
  if (hasLeadingZero || !/^[0-9a-z]+(?:_[0-9a-z]+)*$/.test(digits)) throw fail();
  const value = radix === 10 ? parseDecimal(digits.replaceAll('_', '')) : parseRadix(digits.replaceAll('_', ''), radix);
  if (value === undefined) throw fail();
  return sign === '-' ? -value : value;
}

function splitPrefix(text: string, base: number): { digits: string; radix: number } {
  const prefix = /^0([xbo])_?/.exec(text);
  const radix = BASES[prefix?.[1] ?? ''];
  if (prefix && radix && (base === 0 || base === radix)) return { digits: text.slice(prefix[0].length), radix };
  return { digits: text, radix: base === 0 ? 10 : base };
}

function parseDecimal(digits: string): bigint | undefined {
  if (!/^\d+$/.test(digits)) return undefined;
  if (digits.length > MAX_DECIMAL_DIGITS) {
    throw valueError(
      `Exceeds the limit (4300 digits) for integer string conversion: value has ${digits.length} digits`,
    );
  }
  return BigInt(digits);
}

function parseRadix(digits: string, radix: number): bigint | undefined {
  allocateInteger(digits.length * 5);
  let value = 0n;
  for (const digit of digits) {
    step();
    const amount = Number.parseInt(digit, 36);
    if (amount >= radix) return undefined;
    value = value * BigInt(radix) + BigInt(amount);
  }
  return value;
}

function normalized(text: string, longest: number): string {
  if (text.length > longest) throw budgetError('number text too long');
  step(text.length / 4);
  return asciiDigits(strip(text)).toLowerCase();
}
