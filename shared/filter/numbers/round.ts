import { FilterError, typeError } from '../errors.ts';
import { typeName } from '../values/kinds.ts';
import { indexOf, integerOf, isInteger } from '../values/numeric.ts';
import type { Value } from '../values/value.ts';
import { truncate } from './convert.ts';
import { exactFraction, fixedDigits, roundHalfEven } from './exact-decimal.ts';
import { magnitude } from './integers.ts';

const MOST_DECIMALS = 323n;
const MOST_ZEROS = 400n;

/** Python's round(): half to even, on the exact value of a float. */
export function round(value: Value, digits: Value): Value {
  const decimals = digits === null ? null : indexOf(digits);
  if (isInteger(value)) return roundInteger(integerOf(value), decimals ?? 0n);
  if (typeof value !== 'number') throw typeError(`type ${typeName(value)} doesn't define __round__ method`);
  if (decimals === null) return roundToInteger(value);
  if (!Number.isFinite(value) || value === 0 || decimals > MOST_DECIMALS) return value;
  return Math.sign(value) * roundMagnitude(value, decimals);
}

function roundInteger(value: bigint, decimals: bigint): bigint {
  if (decimals >= 0n) return value;
  if (decimals < -MOST_ZEROS) return 0n;
  const unit = 10n ** -decimals;
  const rounded = roundHalfEven(magnitude(value), unit) * unit;
  return value < 0n ? -rounded : rounded;
}

function roundToInteger(value: number): bigint {
  if (!Number.isFinite(value)) return truncate(value);
  const { numerator, denominator } = exactFraction(value);
  const rounded = roundHalfEven(numerator, denominator);
  return value < 0 ? -rounded : rounded;
}

function roundMagnitude(value: number, decimals: bigint): number {
  if (decimals >= 0n) return Number(fixedDigits(value, Number(decimals)));
  if (decimals < -MOST_ZEROS) return 0;
  const unit = 10n ** -decimals;
  const { numerator, denominator } = exactFraction(value);
  const rounded = Number(roundHalfEven(numerator, denominator * unit) * unit);
  if (rounded === Infinity) throw new FilterError('overflow', 'rounded value too large to represent');
  return rounded;
}
