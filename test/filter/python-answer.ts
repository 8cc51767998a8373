import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createBudget, withBudget } from '../../shared/filter/budget.ts';
import { compileFilter } from '../../shared/filter/compile.ts';
import { FilterError } from '../../shared/filter/errors.ts';
import { evaluate } from '../../shared/filter/evaluate.ts';
import { parseJson } from '../../shared/filter/json-text.ts';
import { repr } from '../../shared/filter/text/repr.ts';
import { putEntry } from '../../shared/filter/values/collect.ts';
import { isTrue } from '../../shared/filter/values/truth.ts';
import type { Value } from '../../shared/filter/values/value.ts';

/** What an expression gives: a value as text with its truth, or the name of an exception. */
export type Answer =
  | { readonly text: string; readonly truth: boolean }
  | { readonly error: string; readonly message: string };

export type Case = { readonly source: string } & Answer;

export const fixtures = join(import.meta.dirname, 'fixtures');
export const readFixture = (name: string) => readFileSync(join(fixtures, name), 'utf8');

/** Errors of our own, where the language stops short of Python on purpose. */
export const REFUSALS = ['BudgetError', 'RecursionError', 'UnsupportedError'];

const variables = withBudget(createBudget(), readVariables);

/** The same variables as the oracle's: floats stay floats and long integers exact. */
function readVariables(): ReadonlyMap<string, Value> {
  const data = parseJson(readFixture('data.json'));
  const [payload, event] = ['payload', 'event'].map((name) => dictOf(dictOf(data).entries.get(name)?.value));
  if (!payload || !event) throw new Error('data.json has no payload or event');
  putEntry(event, 'payload', payload);
  return new Map([
    ['payload', payload],
    ['event', event],
  ]);
}

function dictOf(value: Value | undefined) {
  if (typeof value !== 'object' || value?.type !== 'dict') throw new Error('not an object');
  return value;
}

export function answer(source: string): Answer {
  const compiled = compileFilter(source);
  if (!compiled.ok) return { error: 'SyntaxError', message: compiled.error.message };
  try {
    const value = evaluate(compiled.expression, variables);
    return { text: withBudget(createBudget(), () => canonical(value)), truth: isTrue(value) };
  } catch (error) {
    if (error instanceof FilterError) return { error: error.name, message: error.message };
    throw error;
  }
}

/** Like repr, but the members of a set are sorted, as the oracle does it. */
function canonical(value: Value): string {
  if (typeof value !== 'object' || value?.type !== 'set') return repr(value);
  const members = [...value.members.values()].map(canonical).toSorted(byCodePoint);
  return `${value.isFrozen ? 'frozenset' : 'set'}{${members.join(',')}}`;
}

function byCodePoint(left: string, right: string): number {
  const [a, b] = [Array.from(left, pointOf), Array.from(right, pointOf)];
  const at = a.findIndex((point, index) => point !== b[index]);
  return at < 0 ? a.length - b.length : (a[at] ?? 0) - (b[at] ?? -1);
}

const pointOf = (char: string) => char.codePointAt(0) ?? 0;
