import { allocate, allocateItems, step } from '../budget.ts';
import { typeError } from '../errors.ts';
import { addMember } from './collect.ts';
import { isComposite, isIterator, isSequence, isSet, typeName } from './kinds.ts';
import {
  iterator,
  set,
  tuple,
  type Entry,
  type IteratorValue,
  type ListValue,
  type SetValue,
  type TupleValue,
  type Value,
  type ViewValue,
} from './value.ts';

const ITERABLE_TYPES = new Set(['list', 'tuple', 'dict', 'set', 'range', 'view', 'iterator']);

export const isIterable = (value: Value): boolean =>
  typeof value === 'string' || (isComposite(value) && ITERABLE_TYPES.has(value.type));

/** The items of a value; each costs a step. */
export function* iterate(value: Value): Generator<Value, void, undefined> {
  if (isIterator(value)) {
    for (let item = value.next(); item !== undefined; item = value.next()) {
      step();
      yield item;
    }
    return;
  }
  for (const item of isSequence(value) ? value.items : source(value)) {
    step();
    yield item;
  }
}

function source(value: Exclude<Value, ListValue | TupleValue | IteratorValue>): Iterable<Value> {
  if (typeof value === 'string') return value;
  if (!isComposite(value)) throw notIterable(value);
  switch (value.type) {
    case 'dict':
      return value.entries.values().map(({ key }) => key);
    case 'set':
      return value.members.values();
    case 'range':
      return counting(value.start, value.step, value.length);
    case 'view':
      return value.dict.entries.values().map(VIEWED[value.typeName]);
    case 'slice':
    case 'function':
    case 'type':
    case 'ellipsis':
      throw notIterable(value);
  }
}

const VIEWED: Readonly<Record<ViewValue['typeName'], (entry: Entry) => Value>> = {
  dict_keys: ({ key }) => key,
  dict_values: ({ value }) => value,
  dict_items: ({ key, value }) => tuple([key, value]),
};

function* counting(start: bigint, stride: bigint, length: bigint): Generator<Value> {
  for (let index = 0n; index < length; index += 1n) yield start + index * stride;
}

const notIterable = (value: Value) => typeError(`'${typeName(value)}' object is not iterable`);

export function iteratorOf(value: Value): IteratorValue {
  if (isIterator(value)) return value;
  if (!isIterable(value)) throw notIterable(value);
  const items = iterate(value);
  return iterator(`${typeName(value)}_iterator`, () => {
    const result = items.next();
    return result.done ? undefined : result.value;
  });
}

/** All items as an array, accounted for. */
export function itemsOf(value: Value): readonly Value[] {
  if (isSequence(value)) {
    allocateItems(value.items.length);
    return value.items;
  }
  const items: Value[] = [];
  for (const item of iterate(value)) {
    allocate(8);
    items.push(item);
  }
  return items;
}

/** The value itself when it is a set, else a set of its items. */
export function asSet(value: Value): SetValue {
  return isSet(value) ? value : setOf(value);
}

export function setOf(value: Value, isFrozen = false): SetValue {
  const result = set(isFrozen);
  for (const item of iterate(value)) addMember(result, item);
  return result;
}
