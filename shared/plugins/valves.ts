import { invalid, type Problem } from '../errors.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What can be set, as JSON Schema. */
export interface ValvesSpec {
  [field: string]: unknown;
  type: 'object';
  properties: Record<string, Record<string, unknown>>;
}

/** A declared valve is a property in the words of JSON Schema, or simply its default. */
export const specOf = (declared: Fields): ValvesSpec => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(declared).map(([name, value]) => [name, propertyOf(name, value)])),
});

export const defaultsOf = (declared: Fields): Fields =>
  Object.fromEntries(
    Object.entries(specOf(declared).properties).flatMap(([name, { default: value }]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function propertyOf(name: string, value: unknown): Record<string, unknown> {
  if (isObject(value) && typeof value.type === 'string' && value.type in CHECKS) return { title: name, ...value };
  return { title: name, ...(typeOf(value) && { type: typeOf(value) }), default: value };
}

const typeOf = (value: unknown) =>
  value === null ? undefined : Array.isArray(value) ? 'array' : typeof value === 'object' ? 'object' : typeof value;

const CHECKS: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  array: (value) => Array.isArray(value),
  object: isObject,
};

/** Refuses names that the plugin does not know and values of the wrong kind. Null puts a valve back to its default. */
export function checkValves(declared: Fields, given: Fields): Fields {
  const { properties } = specOf(declared);
  const problems = Object.entries(given).flatMap(([name, value]) => problemsOf(name, value, properties[name]));
  if (problems.length > 0) throw invalid(problems);
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
}

function problemsOf(name: string, value: unknown, property: Fields | undefined): Problem[] {
  const problem = (msg: string) => [{ type: 'value_error', loc: ['body', name], msg }];
  if (!property) return problem('The plugin has no such valve');
  if (value === null) return [];
  const type = typeof property.type === 'string' ? property.type : '';
  if (CHECKS[type]?.(value) === false) return problem(`Should be of type ${type}`);
  const allowed = property.enum;
  return Array.isArray(allowed) && !allowed.includes(value) ? problem(`Should be one of ${allowed.join(', ')}`) : [];
}
