import fc from 'fast-check';
import * as z from 'zod';
import { describe, expect, test } from 'vitest';
import { schemaMisfit } from '../../shared/workflow/fits-schema.ts';
import { schemaProblem } from '../../shared/workflow/user-schema.ts';

const order = {
  type: 'object',
  properties: {
    id: { type: 'integer', minimum: 1 },
    pattern: { type: 'string', minLength: 2, maxLength: 4 },
    tags: { type: 'array', items: { enum: ['a', 'b'] }, uniqueItems: true, maxItems: 2 },
    price: { anyOf: [{ type: 'number' }, { type: 'null' }] },
  },
  required: ['id'],
  additionalProperties: false,
};

describe('values and schemas', () => {
  test.each([
    [{ id: 1 }, undefined],
    [{ id: 1, pattern: 'ab', tags: ['a', 'b'], price: null }, undefined],
    [{ id: 0 }, 'value.id must be at least 1'],
    [{ id: 1.5 }, 'value.id must be integer'],
    [{}, 'value.id is missing'],
    [{ id: 1, extra: 1 }, 'value.extra must not be there'],
    [{ id: 1, pattern: 'x' }, 'value.pattern must have at least this many characters: 2'],
    [{ id: 1, tags: ['a', 'a'] }, 'value.tags must not repeat items'],
    [{ id: 1, tags: ['c'] }, 'value.tags.0 must be one of ["a","b"]'],
    [{ id: 1, price: 'x' }, 'value.price fits none of the choices'],
    [[], 'value must be object'],
  ])('%j: %s', (value, problem) => {
    expect(schemaMisfit(order, value)).toBe(problem);
  });

  test('agrees with an independent reading of the same schemas', () => {
    const leaf = fc.constantFrom(
      { type: 'string', minLength: 1 },
      { type: 'integer', maximum: 3 },
      { type: 'boolean' },
      { type: 'null' },
      { type: 'number', exclusiveMinimum: 0 },
    );
    const schema = fc.oneof(
      leaf,
      leaf.map((items) => ({ type: 'array', items, maxItems: 2 })),
      fc.record({ a: leaf, b: leaf }).map((properties) => ({ type: 'object', properties, required: ['a'] })),
      fc.tuple(leaf, leaf).map((anyOf) => ({ anyOf })),
    );
    const value = fc.oneof(
      fc.constantFrom(
        '',
        'x',
        0,
        2,
        4,
        1.5,
        true,
        null,
        [],
        ['x'],
        ['', 'x', 'y'],
        [1, 2],
        {},
        { a: 'x' },
        { a: 1, b: null },
        { b: 2 },
      ),
      // The other reader takes no integer beyond what a number holds exactly; ours does, as JSON Schema says.
      fc.jsonValue({ maxDepth: 2 }).filter(isExact),
    );
    fc.assert(
      fc.property(schema, value, (one, given) => {
        const isFitting = z.fromJSONSchema(one as z.core.JSONSchema.JSONSchema).safeParse(given).success;
        expect(schemaMisfit(one, given) === undefined).toBe(isFitting);
      }),
      { numRuns: 2000 },
    );
  });

  test('what would be ignored or could run for long is refused', () => {
    expect(schemaProblem(order)).toBeUndefined();
    expect(schemaProblem({ type: 'string', pattern: '(a+)+$' })).toContain('"pattern" is not supported');
    expect(schemaProblem({ properties: { x: { $ref: '#' } } })).toContain('"$ref" is not supported');
    expect(schemaProblem({ type: 'text' })).toContain('not a usable JSON Schema');
    expect(schemaProblem({ minLength: -1 })).toContain('not a usable JSON Schema');
    const deep = Array.from({ length: 30 }).reduce<Record<string, unknown>>((items) => ({ items }), {});
    expect(schemaProblem(deep)).toContain('deeper than 20');
  });
});

function isExact(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isInteger(value) || Number.isSafeInteger(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(isExact);
}
