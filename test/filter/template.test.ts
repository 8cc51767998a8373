import { describe, expect, test } from 'vitest';
import { createBudget } from '../../shared/filter/budget.ts';
import { compileTemplate, renderTemplate } from '../../shared/filter/template.ts';
import { createVariables } from '../../shared/filter/variables.ts';

const variables = {
  payload: { amount: 1500.5, items: [{ sku: 'A1', qty: 2 }], name: 'Ann', none: null },
  nodes: { fetch: { output: { status: 200 } } },
};

describe('a template of one expression and nothing else', () => {
  test.each([
    ['{{ payload["amount"] }}', 1500.5],
    ['{{payload["items"]}}', [{ sku: 'A1', qty: 2 }]],
    ['{{ payload["none"] }}', null],
    ['{{ {"a": {"b": (1, 2)}} }}', { a: { b: [1, 2] } }],
    ['{{ {"a": {"b": 1}}}}', { a: { b: 1 } }],
    ['{{ "}}" }}', '}}'],
    ['{{ [\n  1,\n  2\n] }}', [1, 2]],
    ['{{ payload["amount"]\n > 1000 }}', true],
    ['{{ sorted({3, 1}) }}', [1, 3]],
  ])('%s gives its value', (text, value) => {
    expect(renderTemplate(text, variables)).toEqual(value);
  });
});

describe('any other template', () => {
  test.each([
    ['', ''],
    ['no expression', 'no expression'],
    [' {{ payload["amount"] }}', ' 1500.5'],
    ['{{ payload["name"] }}{{ 1 }}', 'Ann1'],
    ['Hello {{ payload["name"] }}, {{ payload["none"] }} {{ 1 == 1 }}!', 'Hello Ann, None True!'],
    ['{{ payload["items"] }} of {{ 5 / 1 }}', "[{'sku': 'A1', 'qty': 2}] of 5.0"],
    ['{{ f"{payload[\'amount\']:,.2f}" }} EUR', '1,500.50 EUR'],
    ['{ single } }} braces {', '{ single } }} braces {'],
    ['a literal {{ "{{" }} and }}', 'a literal {{ and }}'],
  ])('%j is text', (text, value) => {
    expect(renderTemplate(text, variables)).toBe(value);
  });
});

describe('compiling a template', () => {
  test('lists the variables that its expressions read', () => {
    const compiled = compileTemplate('{{ payload["a"] }} {{ [x for x in nodes] }} {{ len(payload) }}');
    expect(compiled.ok && compiled.template.names).toEqual(['payload', 'nodes']);
  });

  test.each([
    ['ok {{ 1 + }}', 'invalid syntax', [1, 11, 10]],
    ['one\ntwo {{ a b }}', 'invalid syntax', [2, 10, 13]],
    ['x {{ payload["a" }}', "closing parenthesis '}' does not match opening parenthesis '['", [1, 18, 17]],
    ['x {{ payload', "'{{' is not closed, or its expression is too long", [1, 3, 2]],
    ['{{ }}', 'invalid syntax', [1, 4, 3]],
    ['{{ a # b }}', "expression part cannot include '#'", [1, 6, 5]],
  ])('%j is reported where it is in the whole text', (text, message, [line, column, offset]) => {
    expect(compileTemplate(text)).toEqual({ ok: false, error: { message, line, column, offset } });
  });

  test('limits each expression, not the text around', () => {
    const long = 'x'.repeat(100_000);
    expect(renderTemplate(`${long}{{ 1 }}`, {})).toBe(`${long}1`);
    expect(compileTemplate(`{{ "${long}" }}`)).toMatchObject({ ok: false, error: { offset: 3 } });
    expect(compileTemplate(`{{ 1 ${'+ 1 '.repeat(2000)} }}`)).toMatchObject({ ok: false, error: { offset: 0 } });
  });
});

describe('rendering', () => {
  test('reuses a compiled template over converted variables, with dots where they are allowed', () => {
    const compiled = compileTemplate('{{ nodes.fetch.output["status"] }}');
    if (!compiled.ok) throw new Error(compiled.error.message);
    expect(renderTemplate(compiled.template, createVariables(variables, { nodes: 2 }))).toBe(200);
    expect(() => renderTemplate(compiled.template, createVariables(variables))).toThrow(/no attribute 'fetch'/);
  });

  test('raises what its expressions raise', () => {
    expect(() => renderTemplate('a {{ payload["missing"] }}', variables)).toThrow("'missing'");
    expect(() => renderTemplate('{{ 1 + }}', variables)).toThrow('invalid syntax');
    expect(() => renderTemplate('{{ 1e308 * 10 }}', variables)).toThrow('inf is not a JSON value');
  });

  test('spends one budget on all its expressions', () => {
    const text = '{{ sum(range(300)) }}';
    expect(renderTemplate(text, {}, createBudget({ steps: 1500 }))).toBe(44_850);
    expect(() => renderTemplate(text.repeat(5), {}, createBudget({ steps: 1500 }))).toThrow('step limit exceeded');
    expect(() => renderTemplate('{{ "x" * 100000 }}!', {}, createBudget({ bytes: 100_000 }))).toThrow('memory limit');
  });
});
