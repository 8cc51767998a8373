import { typeError } from '../errors.ts';
import type { Call, FunctionValue, Keywords, Value } from '../values/value.ts';

export type Argument = Value | undefined;
type Names = readonly string[];

/** The parameters of a built-in; those from `keywordsFrom` on can also be given by name. */
export interface Signature<Required extends Names, Optional extends Names> {
  readonly required: Required;
  readonly optional: Optional;
  readonly keywordsFrom: number;
}

type Bound<Required extends Names, Optional extends Names> = [
  ...{ [Index in keyof Required]: Value },
  ...{ [Index in keyof Optional]: Argument },
];

export type Method<Self> = (self: Self, positional: readonly Value[], keywords: Keywords) => Value;
export type Methods<Self> = ReadonlyMap<string, Method<Self>>;

/** Parameters by position only, unless those from an index on can be given by name. */
export const takes = <const Required extends Names, const Optional extends Names>(
  required: Required,
  optional: Optional,
  keywordsFrom = Infinity,
): Signature<Required, Optional> => ({ required, optional, keywordsFrom });

export function builtin<Required extends Names, Optional extends Names>(
  name: string,
  signature: Signature<Required, Optional>,
  run: (...bound: Bound<Required, Optional>) => Value,
): FunctionValue {
  return { type: 'function', typeName: 'builtin_function_or_method', name, call: binding(name, signature, run) };
}

export const builtinCall = (name: string, call: Call): FunctionValue => ({
  type: 'function',
  typeName: 'builtin_function_or_method',
  name,
  call,
});

/** A call that checks and orders its arguments before it runs. */
export function binding<Required extends Names, Optional extends Names>(
  name: string,
  signature: Signature<Required, Optional>,
  run: (...bound: Bound<Required, Optional>) => Value,
): Call {
  return (positional, keywords) => {
    const bound = bind(name, signature, { positional, keywords });
    // `bind` has checked what the type says: required parameters are there, optional ones may be missing.
    return run(...(bound as Bound<Required, Optional>));
  };
}

export function method<Self, Required extends Names, Optional extends Names>(
  name: string,
  signature: Signature<Required, Optional>,
  run: (self: Self, ...bound: Bound<Required, Optional>) => Value,
): [string, Method<Self>] {
  return [
    name,
    (self, positional, keywords) =>
      run(self, ...(bind(name, signature, { positional, keywords }) as Bound<Required, Optional>)),
  ];
}

interface Given {
  readonly positional: readonly Value[];
  readonly keywords: Keywords;
}

function bind(name: string, signature: Signature<Names, Names>, given: Given): readonly Argument[] {
  const { positional, keywords } = given;
  const least = signature.required.length;
  const most = least + signature.optional.length;
  if (positional.length > most)
    throw typeError(`${name}() takes at most ${counted(most)} (${positional.length} given)`);
  if (keywords.size === 0 && positional.length >= least) return positional;
  const bound = bindKeywords(name, signature, given);
  const isComplete = signature.required.every((_, index) => bound[index] !== undefined);
  if (isComplete) return bound;
  throw typeError(`${name}() takes at least ${counted(least)} (${positional.length} given)`);
}

const counted = (count: number) => (count === 1 ? '1 argument' : `${count} arguments`);

function bindKeywords(name: string, signature: Signature<Names, Names>, given: Given): readonly Argument[] {
  const { positional, keywords } = given;
  const names = [...signature.required, ...signature.optional];
  for (const keyword of keywords.keys()) {
    const index = names.indexOf(keyword);
    if (index < signature.keywordsFrom) throw typeError(`${name}() got an unexpected keyword argument '${keyword}'`);
    if (index < positional.length) throw typeError(`${name}() got multiple values for argument '${keyword}'`);
  }
  return names.map((parameter, index) => (index < positional.length ? positional[index] : keywords.get(parameter)));
}

/** For built-ins that take any number of arguments: refuses keywords that they do not know. */
export function checkKeywords(name: string, keywords: Keywords, known: Names): void {
  for (const keyword of keywords.keys()) {
    if (!known.includes(keyword)) throw typeError(`${name}() got an unexpected keyword argument '${keyword}'`);
  }
}
