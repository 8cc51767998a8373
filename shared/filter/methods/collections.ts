import { makeDict } from '../builtins/collection-types.ts';
import { checkKeywords, method, takes, type Argument, type Method, type Methods } from '../builtins/signature.ts';
import { valueError } from '../errors.ts';
import { contains } from '../operators/comparison.ts';
import { combine, combineAll, type SetOperator } from '../operators/sets.ts';
import { repr } from '../text/repr.ts';
import { hasMember, lookUp } from '../values/collect.ts';
import { isSameItem } from '../values/equality.ts';
import { asSet, itemsOf, iterate } from '../values/iterate.ts';
import { clampedIndex, indexOf, integerOf, isInteger } from '../values/numeric.ts';
import { isSubset } from '../values/set-like.ts';
import * as values from '../values/value.ts';
import { refused } from './read-only.ts';

type Value = values.Value;
type Sequence = values.ListValue | values.TupleValue;

const indexed = takes(['value'], ['start', 'stop']);
const counted = takes(['value'], []);
const nothing = takes([], []);
const one = takes(['other'], []);

const sequenceMethods: Methods<Sequence> = new Map([
  method('index', indexed, (sequence: Sequence, item, start, stop) => position(sequence, item, [start, stop])),
  method('count', counted, (sequence: Sequence, item) => occurrences(sequence, item)),
]);

export const tupleMethods: Methods<values.TupleValue> = sequenceMethods;

export const listMethods: Methods<values.ListValue> = new Map([
  ...sequenceMethods,
  method('copy', nothing, (list: values.ListValue) => values.list(itemsOf(list))),
  ...refused<values.ListValue>('list', 'append extend insert remove pop clear sort reverse'),
]);

export const dictMethods: Methods<values.DictValue> = new Map([
  method('get', takes(['key'], ['default']), (dict: values.DictValue, key, fallback) => get(dict, key, fallback)),
  method('keys', nothing, (dict: values.DictValue) => values.view('dict_keys', dict)),
  method('values', nothing, (dict: values.DictValue) => values.view('dict_values', dict)),
  method('items', nothing, (dict: values.DictValue) => values.view('dict_items', dict)),
  method('copy', nothing, (dict: values.DictValue) => makeDict([dict], values.NO_KEYWORDS)),
  ...refused<values.DictValue>('dict', 'pop popitem clear update setdefault'),
]);

export const setMethods: Methods<values.SetValue> = new Map([
  withAny('union', '|'),
  withAny('intersection', '&'),
  withAny('difference', '-'),
  method('symmetric_difference', one, (set: values.SetValue, other) => combine('^', set, asSet(other))),
  method('issubset', one, (set: values.SetValue, other) => isSubset(set, asSet(other), isSameItem)),
  method('issuperset', one, (set: values.SetValue, other) => iterate(other).every((item) => hasMember(set, item))),
  method('isdisjoint', one, (set: values.SetValue, other) => !iterate(other).some((item) => hasMember(set, item))),
  method('copy', nothing, (set: values.SetValue) => combineAll('|', set, [])),
  ...refused<values.SetValue>(
    'set',
    'add remove discard pop clear update difference_update intersection_update symmetric_difference_update',
  ),
]);

export const rangeMethods: Methods<values.RangeValue> = new Map([
  method('count', counted, (range: values.RangeValue, item) => (contains(range, item) ? 1n : 0n)),
  method('index', counted, (range: values.RangeValue, item) => {
    if (!isInteger(item) || !contains(range, item)) throw valueError(`${repr(item)} is not in range`);
    return (integerOf(item) - range.start) / range.step;
  }),
]);

/** A method that combines the set with any number of iterables. */
function withAny(name: string, operator: SetOperator): [string, Method<values.SetValue>] {
  return [
    name,
    (set, others, keywords) => {
      checkKeywords(name, keywords, []);
      return combineAll(operator, set, others);
    },
  ];
}

function get(dict: values.DictValue, key: Value, fallback: Argument): Value {
  const value = lookUp(dict, key);
  return value === undefined ? (fallback ?? null) : value;
}

function position(sequence: Sequence, item: Value, [start, stop]: readonly Argument[]): Value {
  const { length } = sequence.items;
  const within = (value: number) => (value < 0 ? Math.max(0, value + length) : value);
  const first = start === undefined ? 0 : within(clampedIndex(indexOf(start)));
  const last = stop === undefined ? length : within(clampedIndex(indexOf(stop)));
  const found = sequence.items.slice(0, last).findIndex((other, index) => index >= first && isSameItem(other, item));
  if (found >= 0) return BigInt(found);
  throw valueError(sequence.type === 'list' ? `${repr(item)} is not in list` : 'tuple.index(x): x not in tuple');
}

function occurrences(sequence: Sequence, item: Value): Value {
  return BigInt(sequence.items.filter((other) => isSameItem(other, item)).length);
}
