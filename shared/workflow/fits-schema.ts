import { canonicalJson } from './canonical.ts';

/**
 * JSON Schema as far as forms and answers need it: no regular expressions, no references, so nothing in a stranger's
 * schema can run for long or lead anywhere. `user-schema.ts` refuses every keyword that is not here.
 */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** What keeps a value from fitting, all of it, with the place; nothing when it fits. */
export function schemaMisfit(schema: JsonSchema, value: unknown): string | undefined {
  const problems = misfits(schema, value, 'value');
  return problems.length === 0 ? undefined : problems.slice(0, MOST_PROBLEMS).join('; ');
}

const MOST_PROBLEMS = 20;

type Rule = (limit: unknown, value: unknown, place: Place) => readonly string[];

interface Place {
  readonly path: string;
  readonly schema: JsonSchema;
}

const misfits = (schema: unknown, value: unknown, path: string): readonly string[] => {
  if (schema === false) return [`${path} must not be there`];
  if (!isRecord(schema)) return [];
  return Object.entries(schema).flatMap(([keyword, limit]) => RULES[keyword]?.(limit, value, { path, schema }) ?? []);
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const same = (a: unknown, b: unknown) => canonicalJson(a) === canonicalJson(b);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A rule for numbers, texts, lists or objects says nothing about other values. */
const measured =
  (
    measure: (value: unknown) => number | undefined,
    holds: (size: number, limit: number) => boolean,
    text: string,
  ): Rule =>
  (limit, value, { path }) => {
    const size = measure(value);
    return size === undefined || holds(size, Number(limit)) ? [] : [`${path} must ${text} ${String(limit)}`];
  };

const numberOf = (value: unknown) => (typeof value === 'number' ? value : undefined);
const lengthOf = (value: unknown) => (typeof value === 'string' ? Array.from(value).length : undefined);
const countOf = (value: unknown) => (Array.isArray(value) ? value.length : undefined);
const fieldsOf = (value: unknown) => (isRecord(value) ? Object.keys(value).length : undefined);
const atLeast = (size: number, limit: number) => size >= limit;
const atMost = (size: number, limit: number) => size <= limit;

const isOfType = (type: unknown, value: unknown): boolean => {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isRecord(value);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
};

export const RULES: Readonly<Record<string, Rule>> = {
  type: (type, value, { path }) =>
    [type].flat().some((one) => isOfType(one, value)) ? [] : [`${path} must be ${[type].flat().join(' or ')}`],
  enum: (allowed, value, { path }) =>
    listOf(allowed).some((one) => same(one, value)) ? [] : [`${path} must be one of ${JSON.stringify(allowed)}`],
  const: (wanted, value, { path }) => (same(wanted, value) ? [] : [`${path} must be ${JSON.stringify(wanted)}`]),
  minimum: measured(numberOf, atLeast, 'be at least'),
  maximum: measured(numberOf, atMost, 'be at most'),
  exclusiveMinimum: measured(numberOf, (size, limit) => size > limit, 'be more than'),
  exclusiveMaximum: measured(numberOf, (size, limit) => size < limit, 'be less than'),
  multipleOf: measured(numberOf, (size, limit) => Number.isInteger(size / limit), 'be a multiple of'),
  minLength: measured(lengthOf, atLeast, 'have at least this many characters:'),
  maxLength: measured(lengthOf, atMost, 'have at most this many characters:'),
  minItems: measured(countOf, atLeast, 'have at least this many items:'),
  maxItems: measured(countOf, atMost, 'have at most this many items:'),
  minProperties: measured(fieldsOf, atLeast, 'have at least this many fields:'),
  maxProperties: measured(fieldsOf, atMost, 'have at most this many fields:'),
  uniqueItems: (isWanted, value, { path }) =>
    isWanted === true && new Set(listOf(value).map(canonicalJson)).size < listOf(value).length
      ? [`${path} must not repeat items`]
      : [],
  items: (schema, value, { path }) => listOf(value).flatMap((item, at) => misfits(schema, item, `${path}.${at}`)),
  required: (names, value, { path }) =>
    isRecord(value)
      ? listOf(names).flatMap((name) =>
          Object.hasOwn(value, String(name)) ? [] : [`${path}.${String(name)} is missing`],
        )
      : [],
  properties: (schemas, value, { path }) =>
    isRecord(value) && isRecord(schemas)
      ? Object.entries(schemas).flatMap(([name, schema]) =>
          Object.hasOwn(value, name) ? misfits(schema, value[name], `${path}.${name}`) : [],
        )
      : [],
  additionalProperties: (schema, value, { path, schema: { properties } }) =>
    isRecord(value)
      ? Object.entries(value)
          .filter(([name]) => !isRecord(properties) || !Object.hasOwn(properties, name))
          .flatMap(([name, field]) => misfits(schema, field, `${path}.${name}`))
      : [],
  allOf: (schemas, value, { path }) => listOf(schemas).flatMap((schema) => misfits(schema, value, path)),
  anyOf: (schemas, value, { path }) =>
    listOf(schemas).some((schema) => misfits(schema, value, path).length === 0)
      ? []
      : [`${path} fits none of the choices`],
  oneOf: (schemas, value, { path }) => {
    const fitting = listOf(schemas).filter((schema) => misfits(schema, value, path).length === 0).length;
    return fitting === 1 ? [] : [`${path} must fit exactly one of the choices; it fits ${fitting}`];
  },
  not: (schema, value, { path }) => (misfits(schema, value, path).length > 0 ? [] : [`${path} must not be what it is`]),
};
