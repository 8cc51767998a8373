import { allocate, step } from '../budget.ts';
import { typeError } from '../errors.ts';
import { copyEntries } from '../operators/sets.ts';
import type { DictEntry, Item, Node, Slice } from '../syntax/node.ts';
import { addMember, putEntry } from '../values/collect.ts';
import { iterate } from '../values/iterate.ts';
import { isDict, typeName } from '../values/kinds.ts';
import * as values from '../values/value.ts';
import type { Run, Scope } from './scope.ts';

type Compile = (node: Node) => Run;
type Display = Extract<Node, { kind: 'list' | 'tuple' | 'set' | 'dict' | 'slice' }>;

/** Lists, tuples, sets, dicts and slices. */
export function compileDisplay(node: Display, compile: Compile): Run {
  switch (node.kind) {
    case 'list':
      return compileList(node.items, compile);
    case 'tuple':
      return compileTuple(node.items, compile);
    case 'set':
      return compileSet(node.items, compile);
    case 'dict':
      return compileDict(node.entries, compile);
    case 'slice':
      return compileSlice(node, compile);
  }
}

function compileList(items: readonly Item[], compile: Compile): Run {
  const run = compileItems(items, compile);
  return (scope) => {
    step();
    return values.accounted(values.list(run(scope)));
  };
}

function compileTuple(items: readonly Item[], compile: Compile): Run {
  const run = compileItems(items, compile);
  return (scope) => {
    step();
    return values.accounted(values.tuple(run(scope)));
  };
}

function compileSet(items: readonly Item[], compile: Compile): Run {
  const run = compileItems(items, compile);
  return (scope) => {
    const result = values.set();
    for (const item of run(scope)) addMember(result, item);
    return result;
  };
}

/** Items of a display or of a call, where `*iterable` stands for all its items. */
export function compileItems(items: readonly Item[], compile: Compile): (scope: Scope) => values.Value[] {
  if (items.some(({ kind }) => kind === 'starred')) return compileStarred(items, compile);
  const runs = items.map((item) => compile(item.kind === 'starred' ? item.value : item));
  return (scope) => runs.map((run) => run(scope));
}

function compileStarred(items: readonly Item[], compile: Compile): (scope: Scope) => values.Value[] {
  const parts = items.map((item) =>
    item.kind === 'starred' ? { isStarred: true, run: compile(item.value) } : { isStarred: false, run: compile(item) },
  );
  return (scope) => {
    const result: values.Value[] = [];
    for (const { isStarred, run } of parts) {
      const value = run(scope);
      for (const item of isStarred ? iterate(value) : [value]) {
        allocate(8);
        result.push(item);
      }
    }
    return result;
  };
}

function compileDict(entries: readonly DictEntry[], compile: Compile): Run {
  const parts = entries.map(({ key, value }) => ({ runKey: key && compile(key), runValue: compile(value) }));
  return (scope) => {
    step();
    const result = values.dict();
    for (const { runKey, runValue } of parts) {
      if (runKey) putEntry(result, runKey(scope), runValue(scope));
      else unpackInto(result, runValue(scope));
    }
    return result;
  };
}

function unpackInto(result: values.DictValue, value: values.Value): void {
  if (!isDict(value)) throw typeError(`'${typeName(value)}' object is not a mapping`);
  copyEntries(value, result);
}

function compileSlice({ start, stop, step: stride }: Slice, compile: Compile): Run {
  const [runStart, runStop, runStep] = [start && compile(start), stop && compile(stop), stride && compile(stride)];
  return (scope) => ({
    type: 'slice',
    start: runStart?.(scope) ?? null,
    stop: runStop?.(scope) ?? null,
    step: runStep?.(scope) ?? null,
  });
}
