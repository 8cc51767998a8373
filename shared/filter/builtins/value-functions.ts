import { step } from '../budget.ts';
import { FilterError, typeError } from '../errors.ts';
import { isCallable } from '../operators/call.ts';
import { lengthOf } from '../text/code-points.ts';
import { format } from '../text/format.ts';
import { asciiOnly } from '../text/quote.ts';
import { repr } from '../text/repr.ts';
import { hashKey } from '../values/hash-key.ts';
import { iterate, iteratorOf } from '../values/iterate.ts';
import { isComposite, isIterator, isTuple, isTypeObject, typeName, type Composite } from '../values/kinds.ts';
import { isTrue } from '../values/truth.ts';
import type { FunctionValue, Value } from '../values/value.ts';
import { builtin, takes, type Argument } from './signature.ts';
import { isInstance } from './type-object.ts';

export const valueFunctions: readonly FunctionValue[] = [
  builtin('len', takes(['obj'], []), length),
  builtin('all', takes(['iterable'], []), (source) => !hasItem(source, false)),
  builtin('any', takes(['iterable'], []), (source) => hasItem(source, true)),
  builtin('isinstance', takes(['obj', 'class_or_tuple'], []), isInstanceOfAny),
  builtin('callable', takes(['obj'], []), isCallable),
  builtin('repr', takes(['obj'], []), repr),
  builtin('ascii', takes(['obj'], []), (value) => asciiOnly(repr(value))),
  builtin('format', takes(['value'], ['format_spec']), formatWith),
  builtin('ord', takes(['c'], []), ordinal),
  builtin('iter', takes(['object'], []), iteratorOf),
  builtin('next', takes(['iterator'], ['default']), next),
  builtin('hash', takes(['obj'], []), hash),
];

function hasItem(source: Value, truth: boolean): boolean {
  for (const item of iterate(source)) if (isTrue(item) === truth) return true;
  return false;
}

function length(value: Value): bigint {
  if (typeof value === 'string') return BigInt(lengthOf(value));
  const size = isComposite(value) ? sizeOf(value) : undefined;
  if (size === undefined) throw typeError(`object of type '${typeName(value)}' has no len()`);
  return BigInt(size);
}

function sizeOf(value: Composite): number | bigint | undefined {
  switch (value.type) {
    case 'list':
    case 'tuple':
      return value.items.length;
    case 'dict':
      return value.entries.size;
    case 'set':
      return value.members.size;
    case 'view':
      return value.dict.entries.size;
    case 'range':
      return value.length;
    case 'slice':
    case 'iterator':
    case 'function':
    case 'type':
    case 'ellipsis':
      return undefined;
  }
}

function isInstanceOfAny(value: Value, type: Value): boolean {
  if (isTuple(type)) return type.items.some((one) => isInstanceOfAny(value, one));
  if (!isTypeObject(type)) throw typeError('isinstance() arg 2 must be a type, a tuple of types, or a union');
  return isInstance(value, type);
}

function formatWith(value: Value, spec: Argument): string {
  if (spec === undefined) return format(value, '');
  if (typeof spec !== 'string') throw typeError(`format() argument 2 must be str, not ${typeName(spec)}`);
  return format(value, spec);
}

function ordinal(value: Value): bigint {
  if (typeof value !== 'string') throw typeError(`ord() expected string of length 1, but ${typeName(value)} found`);
  const found = lengthOf(value);
  if (found !== 1) throw typeError(`ord() expected a character, but string of length ${found} found`);
  return BigInt(value.codePointAt(0) ?? 0);
}

function next(source: Value, fallback: Argument): Value {
  if (!isIterator(source)) throw typeError(`'${typeName(source)}' object is not an iterator`);
  const item = source.next();
  if (item !== undefined) return item;
  if (fallback === undefined) throw new FilterError('stop-iteration', '');
  return fallback;
}

const LARGEST_OWN_HASH = 1n << 60n;

/** Equal values have equal hashes; those of texts are our own, as Python's change with every process. */
function hash(value: Value): bigint {
  const key = hashKey(value);
  if (typeof key === 'bigint' && key >= -LARGEST_OWN_HASH && key < LARGEST_OWN_HASH) return key === -1n ? -2n : key;
  const text = typeof key === 'object' ? (key?.name ?? '') : `${typeof key}${key}`;
  let result = 1469598103934665603n;
  for (let index = 0; index < text.length; index += 1) {
    step();
    result = BigInt.asUintN(56, (result ^ BigInt(text.charCodeAt(index))) * 1099511628211n);
  }
  return result;
}
