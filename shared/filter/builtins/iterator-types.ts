import { step } from '../budget.ts';
import { typeError, valueError } from '../errors.ts';
import { call } from '../operators/call.ts';
import { itemsOf, iteratorOf } from '../values/iterate.ts';
import { isComposite, isRange, typeName } from '../values/kinds.ts';
import { indexOf } from '../values/numeric.ts';
import { isTrue } from '../values/truth.ts';
import { iterator, range, tuple, type Call, type IteratorValue, type TypeValue, type Value } from '../values/value.ts';
import { binding, checkKeywords, takes, type Argument } from './signature.ts';
import { typeObject } from './type-object.ts';

const REVERSIBLE = new Set(['list', 'tuple', 'range', 'dict', 'view']);

export const iteratorTypes: readonly TypeValue[] = [
  typeObject('enumerate', binding('enumerate', takes(['iterable'], ['start'], 0), enumerate)),
  typeObject('reversed', binding('reversed', takes(['sequence'], []), reverse)),
  typeObject('filter', binding('filter', takes(['function', 'iterable'], []), filter)),
  typeObject('map', map()),
  typeObject('zip', zip()),
];

function enumerate(source: Value, start: Argument): Value {
  let index = start === undefined ? 0n : indexOf(start);
  const items = iteratorOf(source);
  return iterator('enumerate', () => {
    const item = items.next();
    if (item === undefined) return undefined;
    index += 1n;
    return tuple([index - 1n, item]);
  });
}

function filter(test: Value, source: Value): Value {
  const items = iteratorOf(source);
  const passes = (item: Value) => isTrue(test === null ? item : call(test, [item]));
  return iterator('filter', () => {
    for (let item = items.next(); item !== undefined; item = items.next()) {
      step();
      if (passes(item)) return item;
    }
    return undefined;
  });
}

function map(): Call {
  return ([transform, ...sources], keywords) => {
    checkKeywords('map', keywords, []);
    if (transform === undefined || sources.length === 0) throw typeError('map() must have at least two arguments.');
    const iterators = sources.map(iteratorOf);
    return iterator('map', () => {
      const items = nextOfEach(iterators);
      return items.length < iterators.length ? undefined : call(transform, items);
    });
  };
}

/** One item of each, as far as all before had one. */
function nextOfEach(iterators: readonly IteratorValue[]): Value[] {
  const items: Value[] = [];
  for (const source of iterators) {
    step();
    const item = source.next();
    if (item === undefined) break;
    items.push(item);
  }
  return items;
}

function zip(): Call {
  return (sources, keywords) => {
    checkKeywords('zip', keywords, ['strict']);
    const isStrict = isTrue(keywords.get('strict') ?? false);
    const iterators = sources.map(iteratorOf);
    return iterator('zip', () => {
      if (iterators.length === 0) return undefined;
      const items = nextOfEach(iterators);
      if (items.length === iterators.length) return tuple(items);
      if (isStrict) checkEnds(iterators, items.length);
      return undefined;
    });
  };
}

/** With strict=True all must end together; `ended` is the index of the one that ended first. */
function checkEnds(iterators: readonly IteratorValue[], ended: number): void {
  if (ended > 0) throw valueError(`zip() argument ${ended + 1} is shorter than argument ${ended}`);
  const longer = iterators.findIndex((source, index) => index > 0 && source.next() !== undefined);
  if (longer > 0) throw valueError(`zip() argument ${longer + 1} is longer than argument ${longer}`);
}

function reverse(source: Value): Value {
  if (typeof source !== 'string' && !(isComposite(source) && REVERSIBLE.has(source.type))) {
    throw typeError(`'${typeName(source)}' object is not reversible`);
  }
  if (isRange(source)) {
    const last = source.start + (source.length - 1n) * source.step;
    return iteratorOf(range(last, source.start - source.step, -source.step));
  }
  const items = itemsOf(source);
  let index = items.length;
  return iterator('reversed', () => {
    step();
    index -= 1;
    return items[index];
  });
}
