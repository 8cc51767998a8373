import { step } from '../budget.ts';
import { typeError } from '../errors.ts';
import { compareText } from '../text/code-points.ts';
import type { OrderOperator } from '../syntax/node.ts';
import { isSameItem } from './equality.ts';
import { isList, isSetLike, isTuple, typeName } from './kinds.ts';
import { isNumeric, realOf } from './numeric.ts';
import { isSubset, sizeOf, type SetLike } from './set-like.ts';
import type { Value } from './value.ts';

type Real = bigint | number;

const HOLDS: Readonly<Record<OrderOperator, (left: Real, right: Real) => boolean>> = {
  '<': (left, right) => left < right,
  '>': (left, right) => left > right,
  '<=': (left, right) => left <= right,
  '>=': (left, right) => left >= right,
};

export function isOrdered(operator: OrderOperator, left: Value, right: Value): boolean {
  step();
  if (isNumeric(left) && isNumeric(right)) return HOLDS[operator](realOf(left), realOf(right));
  if (typeof left === 'string' && typeof right === 'string') return HOLDS[operator](compareText(left, right), 0);
  if ((isList(left) && isList(right)) || (isTuple(left) && isTuple(right))) {
    return itemsOrdered(operator, left.items, right.items);
  }
  if (isSetLike(left) && isSetLike(right)) return setsOrdered(operator, left, right);
  throw typeError(`'${operator}' not supported between instances of '${typeName(left)}' and '${typeName(right)}'`);
}

/** The first different items decide, then the lengths. */
function itemsOrdered(operator: OrderOperator, left: readonly Value[], right: readonly Value[]): boolean {
  for (const [index, item] of left.entries()) {
    const other = right[index];
    if (other === undefined) break;
    if (!isSameItem(item, other)) return isOrdered(operator, item, other);
  }
  return HOLDS[operator](left.length, right.length);
}

/** For sets, order means containment. */
function setsOrdered(operator: OrderOperator, left: SetLike, right: SetLike): boolean {
  if (operator === '>' || operator === '>=') return setsOrdered(operator === '>' ? '<' : '<=', right, left);
  return HOLDS[operator](sizeOf(left), sizeOf(right)) && isSubset(left, right, isSameItem);
}
