import { allocate, step } from '../budget.ts';
import { typeError } from '../errors.ts';
import type { Clause, Comprehension, Node, Target } from '../syntax/node.ts';
import { addMember, putEntry } from '../values/collect.ts';
import { isIterable, iterate } from '../values/iterate.ts';
import { typeName } from '../values/kinds.ts';
import { isTrue } from '../values/truth.ts';
import { dict, iterator, list, set, type Value } from '../values/value.ts';
import { assign } from './assign.ts';
import { innerScope, type Run, type Scope } from './scope.ts';

type Compile = (node: Node) => Run;

interface Loop {
  readonly target: Target;
  readonly iterable: Run;
  readonly conditions: readonly Run[];
}

/** Runs the loops and pauses at every element; the first iterable comes from outside. */
type Walk = (scope: Scope, first: Value) => Generator<Scope, void, undefined>;

export function compileComprehension(node: Comprehension, compile: Compile): Run {
  const source = compile(node.first.iterable);
  const collect = compileCollect(node, compile);
  return (scope) => {
    step();
    // The first iterable is evaluated at once and outside, so that `[x for x in x]` means what it says.
    const first = source(scope);
    if (!isIterable(first)) throw typeError(`'${typeName(first)}' object is not iterable`);
    return collect(innerScope(scope, false), first);
  };
}

function compileCollect(node: Comprehension, compile: Compile): (scope: Scope, first: Value) => Value {
  const walk = compileWalk([node.first, ...node.others].map((clause) => compileLoop(clause, compile)));
  const element = compile(node.element);
  const value = node.value && compile(node.value);
  switch (node.result) {
    case 'generator':
      return (scope, first) => lazily(walk(scope, first), element);
    case 'list':
      return (scope, first) => collectList(walk(scope, first), element);
    case 'set':
      return (scope, first) => collectSet(walk(scope, first), element);
    case 'dict':
      return (scope, first) => collectDict(walk(scope, first), element, value ?? element);
  }
}

const compileLoop = ({ target, iterable, conditions }: Clause, compile: Compile): Loop => ({
  target,
  iterable: compile(iterable),
  conditions: conditions.map(compile),
});

function compileWalk(loops: readonly Loop[]): Walk {
  function* walk(scope: Scope, items: Value, index: number): Generator<Scope, void, undefined> {
    const loop = loops[index];
    if (!loop) return;
    const inner = loops[index + 1];
    for (const item of iterate(items)) {
      assign(loop.target, item, scope);
      if (!loop.conditions.every((condition) => isTrue(condition(scope)))) continue;
      if (inner) yield* walk(scope, inner.iterable(scope), index + 1);
      else yield scope;
    }
  }
  return (scope, first) => walk(scope, first, 0);
}

function lazily(scopes: Iterator<Scope, void>, element: Run): Value {
  return iterator('generator', () => {
    const result = scopes.next();
    return result.done ? undefined : element(result.value);
  });
}

function collectList(scopes: Iterable<Scope>, element: Run): Value {
  const items: Value[] = [];
  for (const scope of scopes) {
    allocate(8);
    items.push(element(scope));
  }
  return list(items);
}

function collectSet(scopes: Iterable<Scope>, element: Run): Value {
  const result = set();
  for (const scope of scopes) addMember(result, element(scope));
  return result;
}

function collectDict(scopes: Iterable<Scope>, key: Run, value: Run): Value {
  const result = dict();
  for (const scope of scopes) putEntry(result, key(scope), value(scope));
  return result;
}
