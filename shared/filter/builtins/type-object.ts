import { typeError } from '../errors.ts';
import { typeName } from '../values/kinds.ts';
import type { Call, TypeValue, Value } from '../values/value.ts';

export const typeObject = (name: string, call: Call): TypeValue => ({ type: 'type', name, call });

/** A type that exists only as the answer to type(); types of one name are equal. */
export const bareType = (name: string): TypeValue =>
  typeObject(name, () => {
    throw typeError(`cannot create '${name}' instances`);
  });

/** A subclass counts: True is an int, everything is an object. */
export function isInstance(value: Value, type: TypeValue): boolean {
  const name = typeName(value);
  return type.name === name || type.name === 'object' || (type.name === 'int' && name === 'bool');
}
