import { allocateInteger, step } from '../budget.ts';
import { budgetError, FilterError, valueError, zeroDivision } from '../errors.ts';
import { toFloat } from '../values/numeric.ts';

const LARGE = 1n << 256n;
const MAX_EXPONENT = 100_000n;
const EXACT_FLOAT = 1n << 53n;

/** The size of an integer in bits, rounded up to a multiple of four. */
export const bitsOf = (value: bigint): number => (value === 0n ? 0 : magnitude(value).toString(16).length * 4);

export const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);

const isLarge = (value: bigint) => value > LARGE || value < -LARGE;

export function add(left: bigint, right: bigint): bigint {
  const sum = left + right;
  if (isLarge(sum)) allocateInteger(bitsOf(sum));
  return sum;
}

export function multiply(left: bigint, right: bigint): bigint {
  if (isLarge(left) || isLarge(right)) allocateInteger(bitsOf(left) + bitsOf(right));
  return left * right;
}

/** Rounds towards minus infinity, as Python does. */
export function floorDivide(left: bigint, right: bigint): bigint {
  if (right === 0n) throw zeroDivision('integer division or modulo by zero');
  const quotient = left / right;
  return left % right !== 0n && left < 0n !== right < 0n ? quotient - 1n : quotient;
}

/** The remainder with the sign of the divisor. */
export function modulo(left: bigint, right: bigint): bigint {
  if (right === 0n) throw zeroDivision('integer modulo by zero');
  const remainder = left % right;
  return remainder !== 0n && remainder < 0n !== right < 0n ? remainder + right : remainder;
}

export function power(base: bigint, exponent: bigint): bigint | number {
  if (exponent < 0n) {
    if (base === 0n) throw zeroDivision('0.0 cannot be raised to a negative power');
    return toFloat(base) ** toFloat(exponent);
  }
  if (base === 0n || base === 1n || exponent === 0n) return exponent === 0n ? 1n : base;
  if (base === -1n) return exponent % 2n === 0n ? 1n : -1n;
  if (exponent > MAX_EXPONENT) throw budgetError('integer too large');
  allocateInteger(bitsOf(base) * Number(exponent));
  return base ** exponent;
}

export function shiftLeft(value: bigint, count: bigint): bigint {
  if (count < 0n) throw valueError('negative shift count');
  if (value === 0n) return 0n;
  if (count > MAX_EXPONENT) throw budgetError('integer too large');
  allocateInteger(bitsOf(value) + Number(count));
  return value << count;
}

export function shiftRight(value: bigint, count: bigint): bigint {
  if (count < 0n) throw valueError('negative shift count');
  if (count > MAX_EXPONENT) return value < 0n ? -1n : 0n;
  return value >> count;
}

/** The float nearest to the exact quotient, even where the operands themselves are no floats. */
export function trueDivide(left: bigint, right: bigint): number {
  if (right === 0n) throw zeroDivision('division by zero');
  if (magnitude(left) <= EXACT_FLOAT && magnitude(right) <= EXACT_FLOAT) return Number(left) / Number(right);
  const quotient = scaledQuotient(magnitude(left), magnitude(right));
  if (!Number.isFinite(quotient)) throw new FilterError('overflow', 'integer division result too large for a float');
  return left < 0n !== right < 0n ? -quotient : quotient;
}

/** Some 70 quotient bits, the last one set when anything was cut off, then scaled back by powers of two. */
function scaledQuotient(left: bigint, right: bigint): number {
  const shift = bitsOf(left) - bitsOf(right) - 70;
  const [above, below] = shift >= 0 ? [left, right << BigInt(shift)] : [left << BigInt(-shift), right];
  const quotient = above / below;
  const sticky = above % below === 0n ? quotient : quotient | 1n;
  const half = Math.trunc(shift / 2);
  return Number(sticky) * 2 ** half * 2 ** (shift - half);
}

/** `base ** exponent % modulus` without the large power in between. */
export function powerModulo(base: bigint, exponent: bigint, modulus: bigint): bigint {
  allocateInteger(bitsOf(modulus) * 2);
  let result = modulo(1n, modulus);
  let square = modulo(base, modulus);
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    step(4);
    allocateInteger(bitsOf(modulus) * 2);
    if (rest % 2n === 1n) result = modulo(result * square, modulus);
    square = modulo(square * square, modulus);
  }
  return result;
}
