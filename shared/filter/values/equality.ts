import { step } from '../budget.ts';
import { hashKey } from './hash-key.ts';
import { isComposite, isDict, isList, isRange, isSet, isSetLike, isSlice, isTuple, isTypeObject } from './kinds.ts';
import { isNumeric, realOf, type Numeric } from './numeric.ts';
import { isSubset, sizeOf, type SetLike } from './set-like.ts';
import type { DictValue, Value } from './value.ts';

export function equals(left: Value, right: Value): boolean {
  step();
  if (typeof left === 'string') return typeof right === 'string' && sameText(left, right);
  if (left === right) return true;
  if (isNumeric(left)) return isNumeric(right) && sameNumber(left, right);
  return isComposite(left) && isComposite(right) && sameComposite(left, right);
}

/** Identity or equality, as containers compare their items. */
export const isSameItem = (left: Value, right: Value): boolean =>
  (isComposite(left) && left === right) || equals(left, right);

/** What `is` tells apart; numbers and strings of one value count as one object. */
export function isIdentical(left: Value, right: Value): boolean {
  if (left === right || Object.is(left, right)) return true;
  if (isTypeObject(left) && isTypeObject(right)) return left.name === right.name;
  return isTuple(left) && isTuple(right) && left.items.length === 0 && right.items.length === 0;
}

function sameText(left: string, right: string): boolean {
  step(Math.min(left.length, right.length) / 256);
  return left === right;
}

function sameNumber(left: Numeric, right: Numeric): boolean {
  const [a, b] = [realOf(left), realOf(right)];
  return a <= b && a >= b;
}

function sameComposite(left: Value, right: Value): boolean {
  if ((isList(left) && isList(right)) || (isTuple(left) && isTuple(right))) return sameItems(left.items, right.items);
  if (isDict(left) && isDict(right)) return sameEntries(left, right);
  if (isSetLike(left) && isSetLike(right)) return sameMembers(left, right);
  if (isRange(left) && isRange(right)) return hashKey(left) === hashKey(right);
  if (isTypeObject(left) && isTypeObject(right)) return left.name === right.name;
  if (!isSlice(left) || !isSlice(right)) return false;
  return sameItems([left.start, left.stop, left.step], [right.start, right.stop, right.step]);
}

function sameItems(left: readonly Value[], right: readonly Value[]): boolean {
  if (left.length !== right.length) return false;
  return left.every((item, index) => isSameItem(item, right[index] ?? null));
}

function sameEntries(left: DictValue, right: DictValue): boolean {
  if (left.entries.size !== right.entries.size) return false;
  for (const [key, entry] of left.entries) {
    step();
    const other = right.entries.get(key);
    if (!other || !isSameItem(entry.value, other.value)) return false;
  }
  return true;
}

/** A set is compared with a view from the view's side, as Python does. */
function sameMembers(left: SetLike, right: SetLike): boolean {
  if (sizeOf(left) !== sizeOf(right)) return false;
  return isSet(left) ? isSubset(right, left, isSameItem) : isSubset(left, right, isSameItem);
}
