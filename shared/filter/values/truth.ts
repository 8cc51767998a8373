import type { Value } from './value.ts';

/** Python's truth value: empty, zero and None are false. */
export function isTrue(value: Value): boolean {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string') return value.length > 0;
  if (typeof value === 'bigint') return value !== 0n;
  if (typeof value === 'number') return value !== 0;
  if (value === null) return false;
  switch (value.type) {
    case 'list':
    case 'tuple':
      return value.items.length > 0;
    case 'dict':
      return value.entries.size > 0;
    case 'set':
      return value.members.size > 0;
    case 'range':
      return value.length > 0n;
    case 'view':
      return value.dict.entries.size > 0;
    case 'slice':
    case 'iterator':
    case 'function':
    case 'type':
    case 'ellipsis':
      return true;
  }
}
