import { allocate, step } from '../budget.ts';
import { valueError } from '../errors.ts';
import { bitsOf } from '../numbers/integers.ts';

// Where a number has more than 4300 digits, Python refuses to print it.
const MAX_PRINTED_BITS = 14_300;

/** Decimal text of an integer. */
export function integerText(value: bigint): string {
  const bits = bitsOf(value);
  if (bits > MAX_PRINTED_BITS) throw valueError('Exceeds the limit (4300 digits) for integer string conversion');
  allocate(bits / 3);
  step(bits / 32);
  return value.toString();
}

/** The shortest text that reads back as this float, written as Python writes it. */
export function floatText(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  if (!Number.isFinite(value)) return `${sign}inf`;
  const [mantissa = '', power] = Math.abs(value).toExponential().split('e');
  const digits = mantissa.replace('.', '');
  const exponent = Number(power);
  if (exponent < -4 || exponent >= 16) return `${sign}${mantissa}e${exponentText(exponent)}`;
  return sign + plainText(digits, exponent, '.0');
}

export const exponentText = (exponent: number): string =>
  (exponent < 0 ? '-' : '+') + String(Math.abs(exponent)).padStart(2, '0');

/** Digits with the point put where the exponent says; `whole` follows when there are no decimals. */
export function plainText(digits: string, exponent: number, whole = ''): string {
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${digits}`;
  const integer = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  const decimals = digits.slice(exponent + 1);
  return decimals === '' ? integer + whole : `${integer}.${decimals}`;
}
