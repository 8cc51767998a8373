import { FilterSyntaxError } from '../errors.ts';
import type { Token } from './token.ts';

/** Integers become bigint and floats number, so that 5 and 5.0 stay apart. */
export function numberValue({ text, start }: Token, source: string): bigint | number {
  const digits = text.replaceAll('_', '').toLowerCase();
  if (/^0[xbo]/.test(digits)) return BigInt(digits);
  if (digits.endsWith('j')) throw new FilterSyntaxError('complex numbers are not supported', source, start);
  if (!/^[0-9]+$/.test(digits)) return Number(digits);
  if (/^0+[1-9]/.test(digits)) {
    throw new FilterSyntaxError('leading zeros in decimal integer literals are not permitted', source, start);
  }
  return BigInt(digits);
}
