import { isObject, listAt, objectAt } from '../llm/json-value.ts';
import type { Fields } from '../llm/turn.ts';

/** Reads the references of one document. */
export interface References {
  /** The value behind a reference, or the value itself; what lies deeper stays as it is. */
  readonly follow: (value: unknown) => Fields;
  /** A schema with all its references written out; one that runs in circles ends as anything. */
  readonly writeOut: (value: unknown) => unknown;
}

/** A schema can name another twice, and that one a third twice, and so on: a small document can mean a huge schema. */
const MOST_VALUES = 5000;
const MOST_HOPS = 20;

export function createReferences(document: unknown): References {
  const find = (reference: string) =>
    reference.startsWith('#/')
      ? reference
          .slice('#/'.length)
          .split('/')
          .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
          .reduce<unknown>((at, part) => (isObject(at) && Object.hasOwn(at, part) ? at[part] : undefined), document)
      : undefined;
  return {
    follow(value) {
      let at = value;
      for (let hops = 0; hops < MOST_HOPS; hops += 1) {
        if (!isObject(at)) return {};
        if (typeof at.$ref !== 'string') return at;
        at = find(at.$ref);
      }
      return {};
    },
    writeOut: (value) => writeOut(value, find),
  };
}

function writeOut(schema: unknown, find: (reference: string) => unknown): unknown {
  let left = MOST_VALUES;
  const write = (value: unknown, trail: readonly string[]): unknown => {
    left -= 1;
    if (left < 0) return {};
    if (Array.isArray(value)) return value.map((one) => write(one, trail));
    if (!isObject(value)) return value;
    const { $ref: reference, ...rest } = value;
    const own = Object.fromEntries(Object.entries(rest).map(([name, one]) => [name, write(one, trail)]));
    if (typeof reference !== 'string') return own;
    const target = trail.includes(reference) ? {} : write(find(reference) ?? {}, [...trail, reference]);
    return isObject(target) ? { ...target, ...own } : own;
  };
  return write(schema, []);
}

/** An object whose fields can stand beside other arguments: no alternatives, and at least one field. */
export interface FlatSchema {
  readonly properties: Fields;
  readonly required: readonly string[];
  readonly isOpen: boolean;
}

/** `allOf` is one object; `oneOf` and `anyOf` cannot be told side by side, nor can lists and plain values. */
export function flatten(schema: Fields): FlatSchema | undefined {
  const merged = merge(schema);
  return merged && Object.keys(merged.properties).length > 0 ? merged : undefined;
}

function merge(schema: Fields): FlatSchema | undefined {
  const isObjectType = schema.type === undefined || [schema.type].flat().includes('object');
  if (!isObjectType || schema.oneOf !== undefined || schema.anyOf !== undefined) return undefined;
  const parts = listAt(schema, 'allOf').map(merge);
  const known = parts.filter((part) => part !== undefined);
  if (known.length < parts.length) return undefined;
  const properties = { ...Object.assign({}, ...known.map((part) => part.properties)), ...sentOf(schema) } as Fields;
  const required = [...known.flatMap((part) => part.required), ...stringsAt(schema, 'required')];
  return {
    properties,
    required: [...new Set(required)].filter((name) => Object.hasOwn(properties, name)),
    isOpen: known.some((part) => part.isOpen) || (schema.additionalProperties ?? false) !== false,
  };
}

/** What only the server sets is nothing to send. */
const sentOf = (schema: Fields): Fields =>
  Object.fromEntries(
    Object.entries(objectAt(schema, 'properties')).filter(([, one]) => !(isObject(one) && one.readOnly === true)),
  );

const stringsAt = (value: unknown, key: string): string[] => {
  const found = isObject(value) ? value[key] : undefined;
  return Array.isArray(found) ? found.filter((one) => typeof one === 'string') : [];
};
