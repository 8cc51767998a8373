import type { Value } from '../values/value.ts';

/** Names bound at run time. Comprehensions have their own scope, but `:=` inside binds in the function around. */
export interface Scope {
  /** What the expression was given; found after everything bound inside it. */
  readonly variables: ReadonlyMap<string, Value>;
  readonly names: Map<string, Value>;
  readonly parent?: Scope;
  readonly isFunction: boolean;
}

/** A compiled node: evaluates in a scope. */
export type Run = (scope: Scope) => Value;

export const outerScope = (variables: ReadonlyMap<string, Value>): Scope => ({
  variables,
  names: new Map(),
  isFunction: true,
});

export const innerScope = (parent: Scope, isFunction: boolean): Scope => ({
  variables: parent.variables,
  names: new Map(),
  parent,
  isFunction,
});

export function findName(scope: Scope, name: string): Value | undefined {
  for (let current: Scope | undefined = scope; current; current = current.parent) {
    const value = current.names.get(name);
    if (value !== undefined) return value;
  }
  return scope.variables.get(name);
}

export function bindInFunction(scope: Scope, name: string, value: Value): void {
  let target = scope;
  while (!target.isFunction && target.parent) target = target.parent;
  target.names.set(name, value);
}
