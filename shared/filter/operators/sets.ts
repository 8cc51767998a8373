import { allocate, step } from '../budget.ts';
import { putEntry } from '../values/collect.ts';
import { asSet, isIterable } from '../values/iterate.ts';
import { isSetLike, isSetView } from '../values/kinds.ts';
import { dict, set, type DictValue, type Key, type SetValue, type Value } from '../values/value.ts';

export type SetOperator = '|' | '&' | '^' | '-';

/** Sets combine with sets; views of keys and items also with any iterable. */
export function combineSets(operator: SetOperator, left: Value, right: Value): SetValue | undefined {
  const areSets = isSetLike(left) && isSetLike(right);
  const hasView = (isSetView(left) && isIterable(right)) || (isSetView(right) && isIterable(left));
  return areSets || hasView ? combine(operator, asSet(left), asSet(right)) : undefined;
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
  return others.reduce<SetValue>((result, other) => combine(operator, result, asSet(other)), copy);
}
