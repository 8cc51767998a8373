import type { ListValue, SetValue, TupleValue, Value, ViewValue } from './value.ts';

export function typeName(value: Value): string {
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'number') return 'float';
  if (typeof value === 'string') return 'str';
  if (value === null) return 'NoneType';
  switch (value.type) {
    case 'set':
      return value.isFrozen ? 'frozenset' : 'set';
    case 'iterator':
    case 'function':
    case 'view':
      return value.typeName;
    case 'list':
    case 'tuple':
    case 'dict':
    case 'range':
    case 'slice':
    case 'type':
    case 'ellipsis':
      return value.type;
  }
}

export type Composite = Exclude<Value, null | boolean | bigint | number | string>;

export const isComposite = (value: Value): value is Composite => typeof value === 'object' && value !== null;

const isType =
  <Type extends Composite['type']>(type: Type) =>
  (value: Value): value is Extract<Composite, { type: Type }> =>
    isComposite(value) && value.type === type;

export const isList = isType('list');
export const isTuple = isType('tuple');
export const isDict = isType('dict');
export const isSet = isType('set');
export const isRange = isType('range');
export const isSlice = isType('slice');
export const isIterator = isType('iterator');
export const isTypeObject = isType('type');
const isView = isType('view');

export const isSequence = (value: Value): value is ListValue | TupleValue => isList(value) || isTuple(value);

/** A view of keys or items, which works like a set. */
export const isSetView = (value: Value): value is ViewValue => isView(value) && value.typeName !== 'dict_values';

export const isSetLike = (value: Value): value is SetValue | ViewValue => isSet(value) || isSetView(value);
