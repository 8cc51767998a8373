import { typeError, unsupported, valueError } from '../errors.ts';
import { parseInteger, toFloatValue, toInteger } from '../numbers/convert.ts';
import { textOf } from '../text/repr.ts';
import { clampedIndex, indexOf } from '../values/numeric.ts';
import { isTrue } from '../values/truth.ts';
import type { TypeValue, Value } from '../values/value.ts';
import { binding, takes, type Argument } from './signature.ts';
import { typeObject } from './type-object.ts';

export const scalarTypes: readonly TypeValue[] = [
  typeObject(
    'NoneType',
    binding('NoneType', takes([], []), () => null),
  ),
  typeObject(
    'bool',
    binding('bool', takes([], ['x']), (value) => value !== undefined && isTrue(value)),
  ),
  typeObject('int', binding('int', takes([], ['x', 'base'], 1), makeInteger)),
  typeObject(
    'float',
    binding('float', takes([], ['x']), (value) => (value === undefined ? 0 : toFloatValue(value))),
  ),
  typeObject(
    'str',
    binding('str', takes([], ['object'], 0), (value) => (value === undefined ? '' : textOf(value))),
  ),
  typeObject('object', () => {
    throw unsupported('object() is not supported');
  }),
];

function makeInteger(value: Argument, base: Argument): Value {
  if (base === undefined) return value === undefined ? 0n : toInteger(value);
  if (value === undefined) throw typeError('int() missing string argument');
  if (typeof value !== 'string') throw typeError("int() can't convert non-string with explicit base");
  const radix = clampedIndex(indexOf(base));
  if (radix !== 0 && (radix < 2 || radix > 36)) throw valueError('int() base must be >= 2 and <= 36, or 0');
  return parseInteger(value, radix);
}
