import { FilterError, unsupported, zeroDivision } from '../errors.ts';

export function divide(left: number, right: number): number {
  if (right === 0) throw zeroDivision('float division by zero');
  return left / right;
}

/** Floor quotient and remainder, with Python's signs also for zeros. */
export function floorDivMod(left: number, right: number): { quotient: number; remainder: number } {
  if (right === 0) throw zeroDivision('float floor division by zero');
  const cut = left % right;
  const wrapsAround = cut !== 0 && right < 0 !== cut < 0;
  const exact = (left - cut) / right - (wrapsAround ? 1 : 0);
  const remainder = wrapsAround ? cut + right : cut;
  return {
    quotient: exact === 0 ? signedZero(left / right) : nearestFloor(exact),
    remainder: remainder === 0 ? signedZero(right) : remainder,
  };
}

const signedZero = (like: number) => (like < 0 || Object.is(like, -0) ? -0 : 0);

function nearestFloor(value: number): number {
  const floor = Math.floor(value);
  return value - floor > 0.5 ? floor + 1 : floor;
}

export function power(base: number, exponent: number): number {
  if (exponent === 0 || base === 1) return 1;
  if (base === -1 && Math.abs(exponent) === Infinity) return 1;
  if (base === 0 && exponent < 0) throw zeroDivision('0.0 cannot be raised to a negative power');
  const isFinite = Number.isFinite(base) && Number.isFinite(exponent);
  if (base < 0 && isFinite && !Number.isInteger(exponent)) throw unsupported('complex numbers are not supported');
  const result = base ** exponent;
  if (isFinite && !Number.isFinite(result)) throw new FilterError('overflow', 'Numerical result out of range');
  return result;
}
