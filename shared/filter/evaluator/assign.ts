import { allocate } from '../budget.ts';
import { typeError, valueError } from '../errors.ts';
import type { Target } from '../syntax/node.ts';
import { isIterable, iterate } from '../values/iterate.ts';
import { typeName } from '../values/kinds.ts';
import { list, type Value } from '../values/value.ts';
import type { Scope } from './scope.ts';

/** Binds the names of a loop target to a value, unpacking it where the target is a tuple. */
export function assign(target: Target, value: Value, scope: Scope): void {
  switch (target.kind) {
    case 'name':
      scope.names.set(target.id, value);
      return;
    case 'starred':
      assign(target.target, value, scope);
      return;
    case 'tuple':
      unpack(target.targets, value, scope);
  }
}

function unpack(targets: readonly Target[], value: Value, scope: Scope): void {
  if (!isIterable(value)) throw typeError(`cannot unpack non-iterable ${typeName(value)} object`);
  const star = targets.findIndex(({ kind }) => kind === 'starred');
  const items = takeItems(value, star < 0 ? targets.length + 1 : Infinity);
  checkCount(items.length, targets.length, star >= 0);
  const extra = items.length - targets.length;
  for (const [index, target] of targets.entries()) {
    const shift = star >= 0 && index > star ? extra : 0;
    const item = index === star ? list(items.slice(star, star + extra + 1)) : items[index + shift];
    if (item !== undefined) assign(target, item, scope);
  }
}

function takeItems(value: Value, most: number): Value[] {
  const items: Value[] = [];
  for (const item of iterate(value)) {
    allocate(8);
    items.push(item);
    if (items.length >= most) break;
  }
  return items;
}

function checkCount(found: number, wanted: number, hasStar: boolean): void {
  if (hasStar) {
    if (found >= wanted - 1) return;
    throw valueError(`not enough values to unpack (expected at least ${wanted - 1}, got ${found})`);
  }
  if (found > wanted) throw valueError(`too many values to unpack (expected ${wanted})`);
  if (found < wanted) throw valueError(`not enough values to unpack (expected ${wanted}, got ${found})`);
}
