import { step } from '../budget.ts';
import { typeError, unsupported } from '../errors.ts';
import { typeName, type Composite } from './kinds.ts';
import type { Key, RangeValue, Value } from './value.ts';

let notNumbers = 0;

/** Composite keys are texts that begin with NUL; a string that begins so is marked, and cannot pass for one. */
export function hashKey(value: Value): Key {
  if (typeof value === 'string') return textKey(value);
  if (typeof value === 'number') return floatKey(value);
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (typeof value === 'bigint' || value === null) return value;
  return compositeKey(value) ?? refuse(value);
}

function textKey(value: string): string {
  if (value.length > 256) step(value.length / 256);
  return value.startsWith('\0') ? `\0s${value}` : value;
}

function compositeKey(value: Composite): Key | undefined {
  switch (value.type) {
    case 'tuple':
      return `\0t${value.items.map((item) => encode(hashKey(item))).join('')}`;
    case 'set':
      return value.isFrozen ? `\0f${[...value.members.keys()].map(encode).toSorted().join('')}` : undefined;
    case 'range':
      return rangeKey(value);
    case 'type':
      return `\0c${value.name}`;
    case 'function':
      return value;
    case 'list':
    case 'dict':
    case 'view':
    case 'slice':
    case 'iterator':
    case 'ellipsis':
      return undefined;
  }
}

function refuse(value: Value): never {
  throw typeError(`unhashable type: '${typeName(value)}'`);
}

/** Whole floats equal their integers; every NaN is different from all others. */
function floatKey(value: number): Key {
  if (Number.isNaN(value)) return `\0n${(notNumbers += 1)}`;
  return Number.isInteger(value) ? BigInt(value) : value;
}

const rangeKey = ({ length, start, step: stride }: RangeValue): string =>
  `\0r${length},${length > 0n ? start : ''},${length > 1n ? stride : ''}`;

/** A key as text of self-described length, so that neighbours cannot be mistaken for each other. */
function encode(key: Key): string {
  step();
  if (key !== null && typeof key === 'object') throw unsupported('a function inside a key is not supported');
  const text = key === null ? 'n' : `${(typeof key).charAt(0)}${key}`;
  return `${text.length}:${text}`;
}
