import { allocateItems, allocateText } from '../budget.ts';
import { typeError } from '../errors.ts';
import { isList, isSequence, isTuple, typeName } from '../values/kinds.ts';
import { clampedIndex, integerOf, isInteger } from '../values/numeric.ts';
import { list, tuple, type ListValue, type TupleValue, type Value } from '../values/value.ts';

export function concatenate(left: Value, right: Value): Value | undefined {
  if (typeof left === 'string') {
    if (typeof right !== 'string') throw cannotConcatenate('str', right);
    allocateText(left.length + right.length);
    return left + right;
  }
  if (isList(left)) {
    if (!isList(right)) throw cannotConcatenate('list', right);
    return list(joinItems(left, right));
  }
  if (!isTuple(left)) return undefined;
  if (!isTuple(right)) throw cannotConcatenate('tuple', right);
  return tuple(joinItems(left, right));
}

const cannotConcatenate = (type: string, right: Value) =>
  typeError(`can only concatenate ${type} (not "${typeName(right)}") to ${type}`);

function joinItems(left: ListValue | TupleValue, right: ListValue | TupleValue): readonly Value[] {
  allocateItems(left.items.length + right.items.length);
  return [...left.items, ...right.items];
}

type Repeatable = string | ListValue | TupleValue;

const isRepeatable = (value: Value): value is Repeatable => typeof value === 'string' || isSequence(value);

/** A sequence times a number, in either order. */
export function repeat(left: Value, right: Value): Value | undefined {
  if (isRepeatable(left)) return repeatBy(left, right);
  return isRepeatable(right) ? repeatBy(right, left) : undefined;
}

function repeatBy(sequence: Repeatable, times: Value): Value {
  if (!isInteger(times)) throw typeError(`can't multiply sequence by non-int of type '${typeName(times)}'`);
  const count = Math.max(0, clampedIndex(integerOf(times)));
  if (typeof sequence === 'string') {
    allocateText(sequence.length * count);
    return sequence.repeat(sequence === '' ? 0 : count);
  }
  const items = repeatItems(sequence.items, count);
  return sequence.type === 'list' ? list(items) : tuple(items);
}

function repeatItems(items: readonly Value[], count: number): Value[] {
  const length = items.length * count;
  allocateItems(length);
  return Array.from({ length }, (_, index) => items[index % items.length] ?? null);
}
