import { typeName } from '../values/kinds.ts';
import { ELLIPSIS, type TypeValue, type Value } from '../values/value.ts';
import { collectionTypes } from './collection-types.ts';
import { iteratorTypes } from './iterator-types.ts';
import { numberFunctions } from './number-functions.ts';
import { orderingFunctions } from './ordering.ts';
import { scalarTypes } from './scalar-types.ts';
import { binding, takes } from './signature.ts';
import { bareType, typeObject } from './type-object.ts';
import { valueFunctions } from './value-functions.ts';

const TYPES: ReadonlyMap<string, TypeValue> = new Map(
  [
    ...scalarTypes,
    ...collectionTypes,
    ...iteratorTypes,
    typeObject('type', binding('type', takes(['object'], []), typeOf)),
  ].map((type) => [type.name, type]),
);

function typeOf(value: Value): TypeValue {
  const name = typeName(value);
  return TYPES.get(name) ?? bareType(name);
}

// NoneType has no name of its own in Python; type(None) finds it.
const named = [...TYPES.values()].filter(({ name }) => name !== 'NoneType');

/** Everything an expression can name without a variable. */
export const BUILTINS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ...[...named, ...valueFunctions, ...numberFunctions, ...orderingFunctions].map((value): [string, Value] => [
    value.name,
    value,
  ]),
  ['Ellipsis', ELLIPSIS],
]);
