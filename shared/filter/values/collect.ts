import { allocate } from '../budget.ts';
import { hashKey } from './hash-key.ts';
import type { DictValue, SetValue, Value } from './value.ts';

export const lookUp = (dict: DictValue, key: Value): Value | undefined => dict.entries.get(hashKey(key))?.value;

export const hasMember = (set: SetValue, member: Value): boolean => set.members.has(hashKey(member));

/** For a dict that is being built: the first of equal keys stays, the last value wins. */
export function putEntry(dict: DictValue, key: Value, value: Value): void {
  const hash = hashKey(key);
  const existing = dict.entries.get(hash);
  if (!existing) allocate(48);
  dict.entries.set(hash, { key: existing ? existing.key : key, value });
}

/** For a set that is being built: the first of equal members stays. */
export function addMember(set: SetValue, member: Value): void {
  const hash = hashKey(member);
  if (set.members.has(hash)) return;
  allocate(32);
  set.members.set(hash, member);
}
