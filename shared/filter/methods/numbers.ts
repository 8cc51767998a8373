import { method, takes, type Methods } from '../builtins/signature.ts';
import { magnitude } from '../numbers/integers.ts';
import { integerOf, type Integer } from '../values/numeric.ts';
import type { Value } from '../values/value.ts';

const nothing = takes([], []);
const bits = (value: Integer) => magnitude(integerOf(value)).toString(2).replace(/^0$/, '');

export const integerMethods: Methods<Integer> = new Map([
  method('bit_length', nothing, (value: Integer) => BigInt(bits(value).length)),
  method('bit_count', nothing, (value: Integer) => BigInt(bits(value).replaceAll('0', '').length)),
  method('conjugate', nothing, (value: Integer) => integerOf(value)),
]);

export const floatMethods: Methods<number> = new Map([
  method('is_integer', nothing, (value: number): Value => Number.isInteger(value)),
  method('conjugate', nothing, (value: number): Value => value),
]);

export const integerFields: ReadonlyMap<string, (value: Integer) => Value> = new Map([
  ['real', integerOf],
  ['numerator', integerOf],
  ['imag', () => 0n],
  ['denominator', () => 1n],
]);

export const floatFields: ReadonlyMap<string, (value: number) => Value> = new Map([
  ['real', (value: number) => value],
  ['imag', () => 0],
]);
