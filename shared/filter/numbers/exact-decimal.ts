import { allocate, step } from '../budget.ts';
import { budgetError } from '../errors.ts';

const MAX_DECIMALS = 2000;
const MAX_DIGITS = 1100;

/** The absolute value with exactly this many decimals; ties on the exact binary value go to even. */
export function fixedDigits(value: number, decimals: number): string {
  if (decimals > MAX_DECIMALS) throw budgetError('precision too large');
  allocate(decimals);
  step(decimals / 4);
  const { numerator, denominator } = exactFraction(value);
  const digits = roundHalfEven(numerator * 10n ** BigInt(decimals), denominator).toString();
  if (decimals === 0) return digits;
  const padded = digits.padStart(decimals + 1, '0');
  return `${padded.slice(0, -decimals)}.${padded.slice(-decimals)}`;
}

/** The first `count` digits of the absolute value, and the power of ten of the first one. */
export function leadingDigits(value: number, count: number): { digits: string; exponent: number } {
  if (count > MAX_DIGITS) throw budgetError('precision too large');
  step(count / 4);
  if (value === 0) return { digits: '0'.repeat(count), exponent: 0 };
  const { numerator, denominator } = exactFraction(value);
  const exponent = exponentOf(value, numerator, denominator);
  const shift = count - 1 - exponent;
  const scale = 10n ** BigInt(Math.abs(shift));
  const rounded =
    shift >= 0 ? roundHalfEven(numerator * scale, denominator) : roundHalfEven(numerator, denominator * scale);
  const digits = rounded.toString();
  // Rounding up may carry into a new first digit.
  return digits.length > count ? { digits: digits.slice(0, count), exponent: exponent + 1 } : { digits, exponent };
}

/** The power of ten of the first digit; the shortest text may have been rounded up over one, as for 1e-7. */
function exponentOf(value: number, numerator: bigint, denominator: bigint): number {
  const shown = Number(value.toExponential().split('e')[1]);
  const power = 10n ** BigInt(Math.abs(shown));
  const isBelow = shown >= 0 ? numerator < denominator * power : numerator * power < denominator;
  return isBelow ? shown - 1 : shown;
}

/** The quotient rounded to the nearest integer, ties to even; both arguments positive. */
export function roundHalfEven(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const twice = (numerator % denominator) * 2n;
  const roundsUp = twice > denominator || (twice === denominator && quotient % 2n === 1n);
  return roundsUp ? quotient + 1n : quotient;
}

/** The absolute value as the fraction that the binary float really is. */
export function exactFraction(value: number): { numerator: bigint; denominator: bigint } {
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setFloat64(0, Math.abs(value));
  const bits = bytes.getBigUint64(0);
  const biased = Number(bits >> 52n);
  const fraction = bits & 0xfffffffffffffn;
  const mantissa = biased === 0 ? fraction : fraction | 0x10000000000000n;
  const exponent = Math.max(biased, 1) - 1075;
  return exponent >= 0
    ? { numerator: mantissa << BigInt(exponent), denominator: 1n }
    : { numerator: mantissa, denominator: 1n << BigInt(-exponent) };
}
