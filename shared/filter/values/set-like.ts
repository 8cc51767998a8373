import { step } from '../budget.ts';
import { hasMember, lookUp } from './collect.ts';
import { iterate } from './iterate.ts';
import { isSet, isTuple } from './kinds.ts';
import type { SetValue, Value, ViewValue } from './value.ts';

export type SetLike = SetValue | ViewValue;
type IsSame = (left: Value, right: Value) => boolean;

export const sizeOf = (container: SetLike): number =>
  isSet(container) ? container.members.size : container.dict.entries.size;

/** Whether all members of the left one are in the right one. */
export function isSubset(left: SetLike, right: SetLike, isSame: IsSame): boolean {
  if (isSet(left) && isSet(right)) return isKeySubset(left, right);
  for (const item of iterate(left)) if (!holds(right, item, isSame)) return false;
  return true;
}

function isKeySubset(left: SetValue, right: SetValue): boolean {
  step(Math.min(left.members.size, right.members.size));
  for (const key of left.members.keys()) if (!right.members.has(key)) return false;
  return true;
}

/** Items are found by key and compared by value, so that values need no hash. */
export function holds(container: SetLike, item: Value, isSame: IsSame): boolean {
  if (isSet(container)) return hasMember(container, item);
  if (container.typeName === 'dict_keys') return lookUp(container.dict, item) !== undefined;
  if (!isTuple(item) || item.items.length !== 2) return false;
  const [key = null, value = null] = item.items;
  const found = lookUp(container.dict, key);
  return found !== undefined && isSame(found, value);
}
