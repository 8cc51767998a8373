import { allocate } from '../budget.ts';
import { typeError, valueError } from '../errors.ts';
import { call } from '../operators/call.ts';
import { itemsOf, iterate } from '../values/iterate.ts';
import { indexOf } from '../values/numeric.ts';
import { isOrdered } from '../values/order.ts';
import { list, type Call, type FunctionValue, type Value } from '../values/value.ts';
import { builtinCall, checkKeywords } from './signature.ts';

interface Keyed {
  readonly key: Value;
  readonly value: Value;
}

export const orderingFunctions: readonly FunctionValue[] = [
  builtinCall('min', extreme('min', '<')),
  builtinCall('max', extreme('max', '>')),
  builtinCall('sorted', sort()),
];

function extreme(name: string, operator: '<' | '>'): Call {
  return (positional, keywords) => {
    checkKeywords(name, keywords, ['key', 'default']);
    const [first] = positional;
    const fallback = keywords.get('default');
    if (first === undefined) throw typeError(`${name} expected at least 1 argument, got 0`);
    if (positional.length > 1 && fallback !== undefined) {
      throw typeError(`Cannot specify a default for ${name}() with multiple positional arguments`);
    }
    let best: Keyed | undefined;
    for (const value of positional.length > 1 ? positional : iterate(first)) {
      const key = keyOf(value, keywords.get('key'));
      if (!best || isOrdered(operator, key, best.key)) best = { key, value };
    }
    if (best) return best.value;
    if (fallback === undefined) throw valueError(`${name}() arg is an empty sequence`);
    return fallback;
  };
}

const keyOf = (value: Value, key: Value | undefined): Value =>
  key === undefined || key === null ? value : call(key, [value]);

function sort(): Call {
  return ([source, ...others], keywords) => {
    checkKeywords('sort', keywords, ['key', 'reverse']);
    if (source === undefined || others.length > 0) {
      throw typeError(`sorted expected 1 argument, got ${source === undefined ? 0 : others.length + 1}`);
    }
    const isReversed = indexOf(keywords.get('reverse') ?? false) !== 0n;
    const keyed = itemsOf(source).map((value): Keyed => ({ key: keyOf(value, keywords.get('key')), value }));
    allocate(keyed.length * 32);
    return list(sortStably(keyed, isReversed).map(({ value }) => value));
  };
}

/** Only `<` is asked, as Python does; equal items keep their order in both directions. */
function sortStably(items: readonly Keyed[], isReversed: boolean): readonly Keyed[] {
  const byKey = (left: Keyed, right: Keyed) => {
    if (isOrdered('<', right.key, left.key)) return isReversed ? -1 : 1;
    return isOrdered('<', left.key, right.key) ? (isReversed ? 1 : -1) : 0;
  };
  return items.toSorted(byKey);
}
