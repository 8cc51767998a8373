import { step } from '../budget.ts';
import { typeError } from '../errors.ts';
import type { ComparisonOperator } from '../syntax/node.ts';
import { paySearch } from '../text/code-points.ts';
import { hasMember, lookUp } from '../values/collect.ts';
import { equals, isIdentical, isSameItem } from '../values/equality.ts';
import { isIterable, iterate } from '../values/iterate.ts';
import { isDict, isRange, isSet, isSetView, typeName } from '../values/kinds.ts';
import { integerOf, isInteger } from '../values/numeric.ts';
import { isOrdered } from '../values/order.ts';
import { holds } from '../values/set-like.ts';
import type { RangeValue, SetValue, Value } from '../values/value.ts';

export function compare(operator: ComparisonOperator, left: Value, right: Value): boolean {
  switch (operator) {
    case '==':
      return equals(left, right);
    case '!=':
      return !equals(left, right);
    case 'in':
      return contains(right, left);
    case 'not in':
      return !contains(right, left);
    case 'is':
      return isIdentical(left, right);
    case 'is not':
      return !isIdentical(left, right);
    case '<':
    case '>':
    case '<=':
    case '>=':
      return isOrdered(operator, left, right);
  }
}

export function contains(container: Value, item: Value): boolean {
  step();
  if (typeof container === 'string') return containsText(container, item);
  if (isDict(container)) return lookUp(container, item) !== undefined;
  if (isSetView(container)) return holds(container, item, isSameItem);
  if (isSet(container)) return hasMember(container, isSet(item) ? frozen(item) : item);
  if (isRange(container) && isInteger(item)) return rangeContains(container, integerOf(item));
  if (!isIterable(container)) throw typeError(`argument of type '${typeName(container)}' is not iterable`);
  for (const candidate of iterate(container)) if (isSameItem(candidate, item)) return true;
  return false;
}

function containsText(text: string, item: Value): boolean {
  if (typeof item !== 'string') {
    throw typeError(`'in <string>' requires string as left operand, not ${typeName(item)}`);
  }
  paySearch(text, item);
  return text.includes(item);
}

/** A set cannot be a member, but is looked for as its frozen twin. */
const frozen = (set: SetValue): SetValue => ({ ...set, isFrozen: true });

function rangeContains({ start, stop, step: stride }: RangeValue, item: bigint): boolean {
  const isWithin = stride > 0n ? item >= start && item < stop : item <= start && item > stop;
  return isWithin && (item - start) % stride === 0n;
}
