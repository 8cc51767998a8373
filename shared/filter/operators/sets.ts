import { allocate, step } from '../budget.ts';
import { addMember, hasMember, putEntry } from '../values/collect.ts';
import { isSameItem } from '../values/equality.ts';
import { asSet, isIterable, iterate, setOf } from '../values/iterate.ts';
import { isSet, isSetView } from '../values/kinds.ts';
import { holds, sizeOf } from '../values/set-like.ts';
import { dict, set, type DictValue, type Key, type SetValue, type Value, type ViewValue } from '../values/value.ts';

export type SetOperator = '|' | '&' | '^' | '-';

/** Sets combine with sets; views of keys and items also with any iterable. */
export function combineSets(operator: SetOperator, left: Value, right: Value): SetValue | undefined {
  if (isSet(left) && isSet(right)) return combine(operator, left, right);
  const hasView = (isSetView(left) && isIterable(right)) || (isSetView(right) && isIterable(left));
  if (!hasView) return undefined;
  if (operator === '&' && isSetView(left)) return intersectView(left, right);
  if (operator === '&' && isSetView(right)) return intersectView(right, left);
  return combine(operator, setOf(left), asSet(right));
}

/** As Python does it: what is not in both needs no hash, unless a larger set is looked through. */
function intersectView(view: ViewValue, other: Value): SetValue {
  if (isSet(other) && !other.isFrozen && sizeOf(view) <= sizeOf(other)) return combine('&', other, setOf(view));
  const isSwapped = isSetView(other) && sizeOf(other) > sizeOf(view);
  const [container, items] = isSwapped ? [other, view] : [view, other];
  const result = set();
  for (const item of iterate(items)) if (holds(container, item, isSameItem)) addMember(result, item);
  return result;
}

/** The result is frozen when the left set is. */
export function combine(operator: SetOperator, left: SetValue, right: SetValue): SetValue {
  const result = set(left.isFrozen);
  for (const [key, member] of combined(operator, left.members, right.members)) {
    step();
    allocate(32);
    if (!result.members.has(key)) result.members.set(key, member);
  }
  return result;
}

type Members = ReadonlyMap<Key, Value>;

function* combined(operator: SetOperator, left: Members, right: Members): Generator<[Key, Value]> {
  switch (operator) {
    case '|':
      yield* left;
      yield* right;
      return;
    case '&':
      yield* left.size < right.size ? common(left, right) : common(right, left);
      return;
    case '-':
      yield* missing(left, right);
      return;
    case '^':
      yield* missing(left, right);
      yield* missing(right, left);
  }
}

function* common(members: Members, others: Members): Generator<[Key, Value]> {
  step(members.size);
  for (const entry of members) if (others.has(entry[0])) yield entry;
}

function* missing(members: Members, others: Members): Generator<[Key, Value]> {
  step(members.size);
  for (const entry of members) if (!others.has(entry[0])) yield entry;
}

export function mergeDicts(left: DictValue, right: DictValue): DictValue {
  const result = dict();
  for (const source of [left, right]) copyEntries(source, result);
  return result;
}

export function copyEntries(source: DictValue, target: DictValue): void {
  for (const { key, value } of source.entries.values()) {
    step();
    putEntry(target, key, value);
  }
}

/** Every item of these iterables combined into one set, from the left. */
export function combineAll(operator: SetOperator, start: SetValue, others: readonly Value[]): SetValue {
  const copy = combine('|', start, set());
  return others.reduce<SetValue>((result, other) => combineWith(operator, result, other), copy);
}

/** What an iterable and a set have in common is kept as the iterable has it: True, say, and not 1. */
function combineWith(operator: SetOperator, left: SetValue, right: Value): SetValue {
  if (operator !== '&' || isSet(right)) return combine(operator, left, asSet(right));
  const result = set(left.isFrozen);
  for (const item of iterate(right)) if (hasMember(left, item)) addMember(result, item);
  return result;
}
