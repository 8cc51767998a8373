import { describe, expect, test } from 'vitest';
import { compileFilter, namesUsed } from '../../shared/filter/compile.ts';
import { evaluate } from '../../shared/filter/evaluate.ts';
import { parseJson } from '../../shared/filter/json-text.ts';
import { toJson, type Json } from '../../shared/filter/json.ts';
import { isTrue } from '../../shared/filter/values/truth.ts';
import { createVariables, type JsonVariables, type Variables } from '../../shared/filter/variables.ts';

function compiled(source: string) {
  const result = compileFilter(source);
  if (!result.ok) throw new Error(result.error.message);
  return result.expression;
}

const value = (source: string, variables: Variables | JsonVariables = {}) =>
  toJson(evaluate(compiled(source), variables));

describe('variables', () => {
  const event = { event_id: 'ev_1', source: 'crm', payload: { amount: 5 }, items: 3 };

  test('come as JSON, of which only what the expression reads is converted', () => {
    const given = {
      payload: { amount: 1500 },
      get unread(): Json {
        throw new Error('read');
      },
    };
    expect(value('payload["amount"] > 1000', given)).toBe(true);
  });

  test('that are not given are unknown names', () => {
    expect(() => value('payload', {})).toThrow("name 'payload' is not defined");
    expect(() => value('toString', {})).toThrow("name 'toString' is not defined");
  });

  test('can be read with a dot only as far as allowed', () => {
    const given = createVariables({ event, payload: event.payload }, { event: 1 });
    expect(value('event.source == event["source"] == "crm"', given)).toBe(true);
    expect(() => value('event.payload.amount', given)).toThrow("'dict' object has no attribute 'amount'");
    expect(() => value('payload.amount', given)).toThrow("'dict' object has no attribute 'amount'");
    expect(() => value('event.missing', given)).toThrow("'dict' object has no attribute 'missing'");
  });

  test('with a field named like a method still have the method', () => {
    const given = createVariables({ event }, { event: 1 });
    expect(value('event["items"]', given)).toBe(3);
    expect(value('len(event.items())', given)).toBe(4);
  });

  test('shadow built-ins of the same name', () => {
    expect(value('len + 1', { len: 4 })).toBe(5);
  });
});

describe('the names an expression uses', () => {
  test.each([
    ['payload["a"] > event["b"] + payload["c"]', ['payload', 'event']],
    ['[x for x in payload if x > limit]', ['payload', 'limit']],
    ['[x for x in x]', ['x']],
    ['{k: v for k, (v, *r) in payload.items() if r}', ['payload']],
    ['[y for x in a for y in x]', ['a']],
    ['(lambda p, q=dflt, *r, **s: p + q + other)(1)', ['dflt', 'other']],
    ['(y := payload) and y', ['payload']],
    ['[z := x for x in [1]] and z', []],
    ['f"{payload!r:>{width}}"', ['payload', 'width']],
    ['payload.get(key=sorted(len))', ['payload']],
    ['True and None and ...', []],
  ])('of %s are those it does not bind itself', (source, names) => {
    expect(namesUsed(compiled(source))).toEqual(names);
  });
});

describe('truth', () => {
  const truthy = ['1', '-0.5', '" "', '[0]', '{0: 0}', '{0}', 'range(1)', '(x for x in [])', 'len', '...', 'str'];
  const falsy = ['0', '0.0', '""', '[]', '()', '{}', 'set()', 'range(0)', 'None', 'False', '{}.keys()'];

  test('is Python’s', () => {
    expect(truthy.filter((source) => !isTrue(evaluate(compiled(source), {})))).toEqual([]);
    expect(falsy.filter((source) => isTrue(evaluate(compiled(source), {})))).toEqual([]);
  });
});

describe('a result as JSON', () => {
  test.each<[string, Json]>([
    ['(1, "a", None, True, 2.5)', [1, 'a', null, true, 2.5]],
    ['{3, 1}', [3, 1]],
    ['frozenset("a")', ['a']],
    ['range(3)', [0, 1, 2]],
    ['{"a": 1}.items()', [['a', 1]]],
    ['map(str, [1, 2])', ['1', '2']],
    ['{1: "a", 2.5: "b", True: "c", None: "d"}', { '1': 'c', '2.5': 'b', null: 'd' }],
    ['2 ** 53', 9_007_199_254_740_992],
    ['2 ** 53 + 1', '9007199254740993'],
    ['10 ** 20', 100_000_000_000_000_000_000],
    ['5.0', 5],
  ])('%s becomes %j', (source, json) => {
    expect(value(source)).toEqual(json);
  });

  test.each([
    ['len', 'Object of type builtin_function_or_method is not JSON serializable'],
    ['{(1, 2): 3}', 'keys must be str, int, float, bool or None, not tuple'],
    ['float("nan")', 'nan is not a JSON value'],
  ])('%s has none', (source, message) => {
    expect(() => value(source)).toThrow(message);
  });
});

describe('JSON text', () => {
  test('keeps floats and long integers as they are written', () => {
    const given = new Map([['payload', parseJson('{"f": 5.0, "i": 5, "e": 1e2, "big": 12345678901234567890}')]]);
    expect(value('[type(v).__name__ for v in payload.values()]', given)).toEqual(['float', 'int', 'float', 'int']);
    expect(value('str(payload["big"]) + str(payload["f"])', given)).toBe('123456789012345678905.0');
  });

  test.each([
    '{"a": [1, -2.5e-3, true, false, null, {}], "b": {"c": ""}}',
    ' [ "\\u00e9\\n\\"\\\\", "😀", "\\ud83d\\ude00" ] ',
    '"\\\\"',
    '0',
    '[]',
    '{"__proto__": 1, "": 2}',
  ])('%s is read as JSON.parse reads it', (text) => {
    expect(JSON.stringify(toJson(parseJson(text)))).toBe(JSON.stringify(JSON.parse(text)));
  });

  test.each([
    '',
    '{',
    '[1,]',
    '{"a"}',
    '{"a":1,}',
    '01',
    '1.',
    '.5',
    '+1',
    'nul',
    '"a',
    '"\\x"',
    '"\n"',
    '1 2',
    "'a'",
    'NaN',
  ])('%j is refused, as JSON.parse does', (text) => {
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    expect(() => parseJson(text)).toThrow(/invalid|unterminated/);
  });

  test('nests at most 200 levels', () => {
    const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    expect(() => parseJson(nested(200))).not.toThrow();
    expect(() => parseJson(nested(10_000))).toThrow('nested too deeply');
    expect(() => createVariables({ payload: JSON.parse(nested(5000)) })).toThrow('nested too deeply');
  });
});
