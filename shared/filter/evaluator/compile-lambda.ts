import { typeError } from '../errors.ts';
import type { Lambda, Node, Parameter } from '../syntax/node.ts';
import { putEntry } from '../values/collect.ts';
import { dict, tuple, type Keywords, type Value } from '../values/value.ts';
import { innerScope, type Run, type Scope } from './scope.ts';

interface Arguments {
  readonly positional: readonly Value[];
  readonly keywords: Keywords;
}

type Defaults = readonly (Value | undefined)[];

export function compileLambda({ parameters, body }: Lambda, compile: (node: Node) => Run): Run {
  const runDefaults = parameters.map((parameter) => parameter.default && compile(parameter.default));
  const runBody = compile(body);
  return (scope) => {
    const defaults: Defaults = runDefaults.map((run) => run?.(scope));
    return {
      type: 'function',
      typeName: 'function',
      name: '<lambda>',
      call: (positional, keywords) => {
        const inner = innerScope(scope, true);
        bindParameters(parameters, { positional, keywords }, { inner, defaults });
        return runBody(inner);
      },
    };
  };
}

interface Binding {
  readonly inner: Scope;
  readonly defaults: Defaults;
}

function bindParameters(parameters: readonly Parameter[], given: Arguments, { inner, defaults }: Binding): void {
  const byPosition = parameters.filter(isPositional);
  checkArguments(parameters, byPosition.length, given);
  for (const [index, parameter] of parameters.entries()) {
    const found = argumentFor(parameter, byPosition.indexOf(parameter), given);
    const value = found === undefined ? defaults[index] : found;
    if (value === undefined) throw typeError(`<lambda>() missing a required argument: '${parameter.name}'`);
    inner.names.set(parameter.name, value);
  }
  const rest = parameters.find(({ kind }) => kind === 'rest');
  if (rest) inner.names.set(rest.name, tuple(given.positional.slice(byPosition.length)));
  const others = parameters.find(({ kind }) => kind === 'keywords');
  if (others) inner.names.set(others.name, otherKeywords(parameters, given.keywords));
}

const isPositional = ({ kind }: Parameter) => kind === 'positional' || kind === 'any';
const isNamed = ({ kind }: Parameter) => kind === 'any' || kind === 'keyword';

function checkArguments(parameters: readonly Parameter[], most: number, { positional, keywords }: Arguments): void {
  if (positional.length > most && !parameters.some(({ kind }) => kind === 'rest')) {
    throw typeError(`<lambda>() takes ${most} positional arguments but ${positional.length} were given`);
  }
  const acceptsAny = parameters.some(({ kind }) => kind === 'keywords');
  for (const name of keywords.keys()) {
    const index = parameters.findIndex((parameter) => isNamed(parameter) && parameter.name === name);
    if (index < 0 && !acceptsAny) throw typeError(`<lambda>() got an unexpected keyword argument '${name}'`);
    const isTaken = parameters[index]?.kind === 'any' && index < positional.length;
    if (isTaken) throw typeError(`<lambda>() got multiple values for argument '${name}'`);
  }
}

/** What was given for a parameter, by position or by name; `*rest` and `**keywords` start empty. */
function argumentFor(parameter: Parameter, position: number, given: Arguments): Value | undefined {
  switch (parameter.kind) {
    case 'positional':
      return given.positional[position];
    case 'any':
      return position < given.positional.length ? given.positional[position] : given.keywords.get(parameter.name);
    case 'keyword':
      return given.keywords.get(parameter.name);
    case 'rest':
      return tuple([]);
    case 'keywords':
      return dict();
  }
}

function otherKeywords(parameters: readonly Parameter[], keywords: Keywords): Value {
  const result = dict();
  for (const [name, value] of keywords) {
    if (!parameters.some((parameter) => isNamed(parameter) && parameter.name === name)) putEntry(result, name, value);
  }
  return result;
}
