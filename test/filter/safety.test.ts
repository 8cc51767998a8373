import { describe, expect, test } from 'vitest';
import { createBudget, step, withBudget } from '../../shared/filter/budget.ts';
import { compileFilter } from '../../shared/filter/compile.ts';
import { FilterError } from '../../shared/filter/errors.ts';
import { evaluate } from '../../shared/filter/evaluate.ts';
import { createVariables } from '../../shared/filter/variables.ts';
import { toJson, type Json } from '../../shared/filter/json.ts';
import { readFixture } from './python-answer.ts';

const bombs: readonly string[] = JSON.parse(readFixture('bombs.json'));
const escapes: readonly string[] = JSON.parse(readFixture('escapes.json'));
const variables = createVariables({ payload: { a: 1 }, event: { event_id: 'e' } });

/** The kind of error, or the value as JSON. */
function outcome(source: string, given = variables, budget = createBudget()): { kind: string } | { value: Json } {
  const compiled = compileFilter(source);
  if (!compiled.ok) return { kind: 'syntax' };
  try {
    return { value: toJson(evaluate(compiled.expression, given, budget), budget) };
  } catch (error) {
    if (error instanceof FilterError) return { kind: error.kind };
    throw error;
  }
}

describe('expressions that would run for ever or fill the memory', () => {
  test.each(bombs)('%s is stopped', (source) => {
    expect(outcome(source)).toEqual({ kind: expect.stringMatching(/^(budget|recursion)$/) });
  });

  test.each([
    ['pow(2, 10**18, 10**9+7)', 719_476_260],
    ['1.0 ** 10**9', 1],
    ['round(1e300, -10**9)', 0],
    ['len(f"{1:0999999,}")', 999_999],
    ['len(range(10**12))', 1_000_000_000_000],
    ['10**9 in range(10**10)', true],
  ])('%s only looks expensive', (source, value) => {
    expect(outcome(source)).toEqual({ value });
  });

  test.each([
    ['parentheses', `${'('.repeat(2000)}1${')'.repeat(2000)}`],
    ['signs', `${'-'.repeat(3000)}1`],
    ['lists', `${'['.repeat(1500)}${']'.repeat(1500)}`],
    ['negations', `${'not '.repeat(1000)}1`],
    ['lambdas', `${'lambda:'.repeat(580)}1`],
    ['conditions', `x${' if 1 else x'.repeat(300)}`],
    ['powers', `1${'**1'.repeat(1000)}`],
    ['f-strings', `${'f"{'.repeat(500)}1${'}"'.repeat(500)}`],
  ])('deeply nested %s do not compile', (_, source) => {
    expect(outcome(source)).toEqual({ kind: 'syntax' });
  });

  test.each([
    ['additions', `1${'+1'.repeat(2000)}`, { value: 2001 }],
    ['comparisons', `1${'<1'.repeat(2000)}`, { value: false }],
    ['attributes', `a${'.b'.repeat(2000)}`, { kind: 'name' }],
    ['calls', `f${'()'.repeat(2000)}`, { kind: 'name' }],
    ['subscripts', `payload${'["a"]'.repeat(800)}`, { kind: 'type' }],
  ])('long chains of %s are fine', (_, source, expected) => {
    expect(outcome(source)).toEqual(expected);
  });

  test('a value nested too deeply to be walked is an error', () => {
    const nested = 'a := [], [a := [a] for _ in range(20000)]';
    expect(outcome(`[${nested}, repr(a)]`)).toEqual({ kind: 'recursion' });
    expect(outcome(`[${nested}, a == a[0]]`)).toEqual({ kind: 'recursion' });
    expect(outcome(`[${nested}, a][-1]`)).toEqual({ kind: 'budget' });
  });

  test('functions may call each other 40 levels deep', () => {
    const countdown = (levels: number) => `(lambda f: f(f, ${levels}))(lambda f, n: n if n == 0 else f(f, n - 1))`;
    expect(outcome(countdown(38))).toEqual({ value: 0 });
    expect(outcome(countdown(39))).toEqual({ kind: 'recursion' });
  });

  test('large texts in the payload are bounded like any others', () => {
    const texts = { format: '%('.repeat(60_000), digits: `${'1'.repeat(120_000)}x`, blanks: `${' '.repeat(120_000)}x` };
    const given = createVariables({ payload: texts, event: {} });
    const sources = ['int(payload["digits"])', 'float(payload["blanks"])', 'payload["format"] % {}'];
    expect(sources.map((source) => outcome(source, given))).toEqual(sources.map(() => ({ kind: 'budget' })));
    expect(outcome('payload["blanks"].strip()', given)).toEqual({ value: 'x' });
  });

  test('an unfinished generator is paid for when it becomes JSON', () => {
    expect(outcome('(x for x in range(10**12))')).toEqual({ kind: 'budget' });
    expect(outcome('(x for x in range(3))')).toEqual({ value: [0, 1, 2] });
  });
});

describe('the budget', () => {
  test('counts down by what was used', () => {
    const budget = createBudget({ steps: 1000 });
    outcome('sum(range(100))', variables, budget);
    expect(budget.steps).toBeGreaterThan(0);
    expect(budget.steps).toBeLessThan(900);
  });

  test('can be shared, so that several expressions together stay within it', () => {
    const budget = createBudget({ steps: 1000 });
    expect(outcome('sum(range(300))', variables, budget)).toEqual({ value: 44_850 });
    expect(outcome('sum(range(300))', variables, budget)).toEqual({ kind: 'budget' });
  });

  test('is required: work outside of one fails at once', () => {
    expect(() => step()).toThrow(FilterError);
    expect(withBudget(createBudget(), () => step())).toBeUndefined();
  });

  test('refuses a cost that is not a number', () => {
    expect(() => withBudget(createBudget(), () => step(Number.NaN))).toThrow(FilterError);
  });
});

/** Names that mean something to JavaScript or Python, used as plain data. */
const HARMLESS: Readonly<Record<string, Json>> = {
  'payload.get("__proto__")': null,
  'payload.get("constructor")': null,
  '{"__proto__": 1}["__proto__"]': 1,
  'dict(__proto__=1)["__proto__"]': 1,
  '(lambda __proto__: __proto__)(5)': 5,
  '[__proto__ for __proto__ in [1]]': [1],
  '(constructor := 3) + constructor': 6,
};

describe('attempts to reach the host', () => {
  test.each(escapes.filter((source) => !(source in HARMLESS)))('%s reaches nothing', (source) => {
    expect(outcome(source)).toEqual({ kind: expect.stringMatching(/^(attribute|name|key|type|unsupported|syntax)$/) });
  });

  test.each(Object.entries(HARMLESS))('%s is plain data', (source, value) => {
    expect(outcome(source)).toEqual({ value });
  });

  test('a field called __proto__ stays a field, on the way in and out', () => {
    const given = createVariables({ payload: JSON.parse('{"__proto__": {"polluted": true}}') });
    const result = outcome('{**payload, "seen": payload["__proto__"]["polluted"]}', given);
    expect(JSON.stringify(result)).toBe('{"value":{"__proto__":{"polluted":true},"seen":true}}');
    expect('polluted' in {}).toBe(false);
  });

  test('a filter cannot change what it reads', () => {
    const given = createVariables({ payload: { list: [1], dict: { a: 1 } } });
    const changes = ['payload["list"].append(2)', 'payload["dict"].update(b=2)', 'payload.pop("list")'];
    expect(changes.map((source) => outcome(source, given))).toEqual(changes.map(() => ({ kind: 'unsupported' })));
    expect(outcome('(payload := 5) + payload', given)).toEqual({ value: 10 });
    expect(outcome('payload', given)).toEqual({ value: { list: [1], dict: { a: 1 } } });
  });
});
