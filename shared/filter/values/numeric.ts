import { FilterError, typeError } from '../errors.ts';
import { typeName } from './kinds.ts';
import type { Value } from './value.ts';

export type Integer = bigint | boolean;
export type Numeric = Integer | number;

export const isInteger = (value: Value | undefined): value is Integer =>
  typeof value === 'bigint' || typeof value === 'boolean';

export const isNumeric = (value: Value): value is Numeric => typeof value === 'number' || isInteger(value);

export const integerOf = (value: Integer): bigint => (typeof value === 'bigint' ? value : value ? 1n : 0n);

/** The number itself, with booleans as 0 and 1. */
export const realOf = (value: Numeric): bigint | number => (typeof value === 'boolean' ? integerOf(value) : value);

export const floatOf = (value: Numeric): number => (typeof value === 'number' ? value : toFloat(integerOf(value)));

export function toFloat(value: bigint): number {
  const float = Number(value);
  if (!Number.isFinite(float)) throw new FilterError('overflow', 'int too large to convert to float');
  return float;
}

/** An argument that has to be an integer. */
export function indexOf(value: Value): bigint {
  if (!isInteger(value)) throw typeError(`'${typeName(value)}' object cannot be interpreted as an integer`);
  return integerOf(value);
}

const FARTHEST = 2 ** 50;

/** A position or count as a plain number; far beyond any collection, the exact amount no longer matters. */
export function clampedIndex(value: bigint): number {
  const position = Number(value);
  return Math.max(-FARTHEST, Math.min(FARTHEST, position));
}
