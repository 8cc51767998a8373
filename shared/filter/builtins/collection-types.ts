import { typeError, valueError } from '../errors.ts';
import { copyEntries } from '../operators/sets.ts';
import { putEntry } from '../values/collect.ts';
import { isIterable, itemsOf, iterate, setOf } from '../values/iterate.ts';
import { isDict } from '../values/kinds.ts';
import { indexOf } from '../values/numeric.ts';
import * as values from '../values/value.ts';
import { binding, takes, type Argument } from './signature.ts';
import { typeObject } from './type-object.ts';

type Value = values.Value;

const oneIterable = takes([], ['iterable']);

export const collectionTypes: readonly values.TypeValue[] = [
  typeObject(
    'list',
    binding('list', oneIterable, (source) => values.list(optionalItems(source))),
  ),
  typeObject(
    'tuple',
    binding('tuple', oneIterable, (source) => values.tuple(optionalItems(source))),
  ),
  typeObject(
    'set',
    binding('set', oneIterable, (source) => optionalSet(source, false)),
  ),
  typeObject(
    'frozenset',
    binding('frozenset', oneIterable, (source) => optionalSet(source, true)),
  ),
  typeObject('dict', makeDict),
  typeObject('range', binding('range', takes(['start'], ['stop', 'step']), makeRange)),
  typeObject('slice', binding('slice', takes(['start'], ['stop', 'step']), makeSlice)),
];

const optionalItems = (source: Argument) => (source === undefined ? [] : itemsOf(source));

const optionalSet = (source: Argument, isFrozen: boolean) =>
  source === undefined ? values.set(isFrozen) : setOf(source, isFrozen);

export function makeDict(positional: readonly Value[], keywords: values.Keywords): Value {
  if (positional.length > 1) throw typeError(`dict expected at most 1 argument, got ${positional.length}`);
  const result = values.dict();
  const [source] = positional;
  if (source !== undefined && isDict(source)) copyEntries(source, result);
  else if (source !== undefined) putPairs(source, result);
  for (const [name, value] of keywords) putEntry(result, name, value);
  return result;
}

function putPairs(source: Value, result: values.DictValue): void {
  let index = 0;
  for (const pair of iterate(source)) {
    if (!isIterable(pair)) throw typeError(`cannot convert dictionary update sequence element #${index} to a sequence`);
    const items = itemsOf(pair);
    const [key, value] = items;
    if (items.length !== 2 || key === undefined || value === undefined) {
      throw valueError(`dictionary update sequence element #${index} has length ${items.length}; 2 is required`);
    }
    putEntry(result, key, value);
    index += 1;
  }
}

function makeRange(first: Value, stop: Argument, step: Argument): Value {
  if (stop === undefined) return values.range(0n, indexOf(first), 1n);
  const stride = step === undefined ? 1n : indexOf(step);
  if (stride === 0n) throw valueError('range() arg 3 must not be zero');
  return values.range(indexOf(first), indexOf(stop), stride);
}

function makeSlice(first: Value, stop: Argument, step: Argument): Value {
  if (stop === undefined) return { type: 'slice', start: null, stop: first, step: null };
  return { type: 'slice', start: first, stop, step: step ?? null };
}
