import { typeError } from '../errors.ts';
import { call } from '../operators/call.ts';
import type { Call, Keyword, Node } from '../syntax/node.ts';
import { isDict, typeName } from '../values/kinds.ts';
import type { Keywords, Value } from '../values/value.ts';
import { compileItems } from './compile-display.ts';
import type { Run, Scope } from './scope.ts';

type Compile = (node: Node) => Run;

export function compileCall(node: Call, compile: Compile): Run {
  const callee = compile(node.callee);
  const positional = compileItems(node.positional, compile);
  if (node.keywords.length === 0) return (scope) => call(callee(scope), positional(scope));
  const keywords = compileKeywords(node.keywords, compile);
  return (scope) => call(callee(scope), positional(scope), keywords(scope));
}

function compileKeywords(keywords: readonly Keyword[], compile: Compile): (scope: Scope) => Keywords {
  const parts = keywords.map(({ name, value }) => ({ name, run: compile(value) }));
  return (scope) => {
    const result = new Map<string, Value>();
    for (const { name, run } of parts) {
      const value = run(scope);
      for (const [key, item] of name === undefined ? unpacked(value) : [[name, value] as const]) {
        if (result.has(key)) throw typeError(`got multiple values for keyword argument '${key}'`);
        result.set(key, item);
      }
    }
    return result;
  };
}

function unpacked(value: Value): (readonly [string, Value])[] {
  if (!isDict(value)) throw typeError(`argument after ** must be a mapping, not ${typeName(value)}`);
  return Array.from(value.entries.values(), ({ key, value: item }) => {
    if (typeof key !== 'string') throw typeError('keywords must be strings');
    return [key, item] as const;
  });
}
