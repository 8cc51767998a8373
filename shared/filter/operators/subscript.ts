import { step } from '../budget.ts';
import { FilterError, typeError, unsupported } from '../errors.ts';
import { characters, indexable } from '../text/code-points.ts';
import { repr } from '../text/repr.ts';
import { lookUp } from '../values/collect.ts';
import { isDict, isRange, isSequence, isSlice, isTypeObject, typeName } from '../values/kinds.ts';
import { clampedIndex, integerOf, isInteger } from '../values/numeric.ts';
import {
  list,
  tuple,
  type DictValue,
  type ListValue,
  type RangeValue,
  type TupleValue,
  type Value,
} from '../values/value.ts';
import { sliceItems, sliceRange } from './slices.ts';

/** object[index] */
export function subscript(object: Value, index: Value): Value {
  step();
  if (isDict(object)) return dictItem(object, index);
  if (typeof object === 'string') return textItem(object, index);
  if (isSequence(object)) return sequenceItem(object, index);
  if (isRange(object)) return rangeItem(object, index);
  if (isTypeObject(object)) throw unsupported('generic aliases are not supported');
  throw typeError(`'${typeName(object)}' object is not subscriptable`);
}

function dictItem(dict: DictValue, key: Value): Value {
  const value = lookUp(dict, key);
  if (value === undefined) throw new FilterError('key', repr(key));
  return value;
}

function textItem(text: string, index: Value): string {
  if (isSlice(index)) return sliceItems(characters(text), index).join('');
  if (!isInteger(index)) throw typeError(`string indices must be integers, not '${typeName(index)}'`);
  const chars = indexable(text);
  return chars[positionIn(chars.length, index, 'string')] ?? '';
}

function sequenceItem(sequence: ListValue | TupleValue, index: Value): Value {
  if (isSlice(index)) {
    const items = sliceItems(sequence.items, index);
    return sequence.type === 'list' ? list(items) : tuple(items);
  }
  if (!isInteger(index)) {
    throw typeError(`${sequence.type} indices must be integers or slices, not ${typeName(index)}`);
  }
  return sequence.items[positionIn(sequence.items.length, index, sequence.type)] ?? null;
}

function rangeItem(source: RangeValue, index: Value): Value {
  if (isSlice(index)) return sliceRange(source, index);
  if (!isInteger(index)) throw typeError(`range indices must be integers or slices, not ${typeName(index)}`);
  const asked = integerOf(index);
  const position = asked < 0n ? asked + source.length : asked;
  if (position < 0n || position >= source.length) throw outOfRange('range object');
  return source.start + position * source.step;
}

function positionIn(length: number, index: bigint | boolean, name: string): number {
  const asked = clampedIndex(integerOf(index));
  const position = asked < 0 ? asked + length : asked;
  if (position < 0 || position >= length) throw outOfRange(name);
  return position;
}

const outOfRange = (name: string) => new FilterError('index', `${name} index out of range`);
