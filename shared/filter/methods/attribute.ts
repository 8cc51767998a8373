import { builtin, builtinCall, takes, type Argument, type Methods } from '../builtins/signature.ts';
import { isInstance } from '../builtins/type-object.ts';
import { step } from '../budget.ts';
import { FilterError, typeError } from '../errors.ts';
import { call } from '../operators/call.ts';
import { lookUp, putEntry } from '../values/collect.ts';
import { iterate } from '../values/iterate.ts';
import { isDict, isTypeObject, typeName } from '../values/kinds.ts';
import { isInteger } from '../values/numeric.ts';
import { dict, type FunctionValue, type RangeValue, type TypeValue, type Value } from '../values/value.ts';
import { dictMethods, listMethods, rangeMethods, setMethods, tupleMethods } from './collections.ts';
import { floatFields, floatMethods, integerFields, integerMethods } from './numbers.ts';
import { caseMethods } from './str-case.ts';
import { editMethods } from './str-edit.ts';
import { formatMethod } from './str-format.ts';
import { searchMethods } from './str-search.ts';
import { splitMethods } from './str-split.ts';

const textMethods: Methods<string> = new Map([
  ...caseMethods,
  ...searchMethods,
  ...splitMethods,
  ...editMethods,
  ['format', formatMethod(attribute)],
]);

/** object.name: a fixed table for each type, and nothing else. */
export function attribute(object: Value, name: string): Value {
  step();
  const found = isTypeObject(object) ? typeAttribute(object, name) : boundMethod(object, name);
  if (found !== undefined) return found;
  const field = isDict(object) && object.isDotted ? lookUp(object, name) : undefined;
  if (field !== undefined) return field;
  const what = isTypeObject(object) ? `type object '${object.name}'` : `'${typeName(object)}' object`;
  throw new FilterError('attribute', `${what} has no attribute '${name}'`);
}

function boundMethod(object: Value, name: string): Value | undefined {
  if (typeof object === 'string') return bind(textMethods, object, name);
  if (isInteger(object)) return bind(integerMethods, object, name) ?? integerFields.get(name)?.(object);
  if (typeof object === 'number') return bind(floatMethods, object, name) ?? floatFields.get(name)?.(object);
  if (object === null) return undefined;
  switch (object.type) {
    case 'list':
      return bind(listMethods, object, name);
    case 'tuple':
      return bind(tupleMethods, object, name);
    case 'dict':
      return bind(dictMethods, object, name);
    case 'set':
      return bind(setMethods, object, name);
    case 'range':
      return bind(rangeMethods, object, name) ?? rangeField(object, name);
    case 'slice':
    case 'iterator':
    case 'function':
    case 'type':
    case 'view':
    case 'ellipsis':
      return undefined;
  }
}

function bind<Self>(methods: Methods<Self>, self: Self, name: string): FunctionValue | undefined {
  const found = methods.get(name);
  return found && builtinCall(name, (positional, keywords) => found(self, positional, keywords));
}

function rangeField(range: RangeValue, name: string): bigint | undefined {
  return name === 'start' || name === 'stop' || name === 'step' ? range[name] : undefined;
}

const METHOD_NAMES: ReadonlyMap<string, { has: (name: string) => boolean }> = new Map<
  string,
  { has: (name: string) => boolean }
>([
  ['str', textMethods],
  ['int', integerMethods],
  ['bool', integerMethods],
  ['float', floatMethods],
  ['list', listMethods],
  ['tuple', tupleMethods],
  ['dict', dictMethods],
  ['set', setMethods],
  ['frozenset', setMethods],
  ['range', rangeMethods],
]);

/** What a type object offers: its name, and its methods with the object as first argument, as in str.lower. */
function typeAttribute(type: TypeValue, name: string): Value | undefined {
  if (name === '__name__') return type.name;
  if (type.name === 'dict' && name === 'fromkeys') return builtin('fromkeys', takes(['iterable'], ['value']), fromKeys);
  if (!METHOD_NAMES.get(type.name)?.has(name)) return undefined;
  return {
    type: 'function',
    typeName: 'method_descriptor',
    name,
    call: ([self, ...positional], keywords) => {
      if (self === undefined) throw typeError(`unbound method ${type.name}.${name}() needs an argument`);
      if (!isInstance(self, type)) {
        throw typeError(
          `descriptor '${name}' for '${type.name}' objects doesn't apply to a '${typeName(self)}' object`,
        );
      }
      return call(attribute(self, name), positional, keywords);
    },
  };
}

function fromKeys(keys: Value, value: Argument): Value {
  const result = dict();
  for (const key of iterate(keys)) putEntry(result, key, value ?? null);
  return result;
}
