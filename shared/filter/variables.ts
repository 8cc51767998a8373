import { fromJson, type Json } from './json.ts';
import type { Value } from './values/value.ts';

/** Variables as Python values: converted once, they serve any number of evaluations. */
export type Variables = ReadonlyMap<string, Value>;
export type JsonVariables = Readonly<Record<string, Json>>;

/** How many levels of a variable can be read with a dot besides brackets: `{ event: 1 }` allows `event.source`. */
export type Dots = Readonly<Record<string, number>>;

export function createVariables(json: JsonVariables, dots: Dots = {}): Variables {
  return new Map(Object.entries(json).map(([name, value]) => [name, fromJson(value, dots[name])]));
}

/** Converted variables as they are; of JSON ones, those with these names. */
export function variablesFor(given: Variables | JsonVariables, names: readonly string[]): Variables {
  if (isConverted(given)) return given;
  const present = names.filter((name) => Object.hasOwn(given, name));
  return new Map(present.map((name) => [name, fromJson(given[name] ?? null)]));
}

const isConverted = (given: Variables | JsonVariables): given is Variables => given instanceof Map;
