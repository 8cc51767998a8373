import { allocate, createBudget, step, withBudget, type Budget } from './budget.ts';
import { budgetError, typeError, valueError } from './errors.ts';
import { floatText } from './text/number-text.ts';
import { hashKey } from './values/hash-key.ts';
import { iterate } from './values/iterate.ts';
import { isComposite, typeName, type Composite } from './values/kinds.ts';
import { dict, list, type DictValue, type Value } from './values/value.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

const MAX_DEPTH = 200;
const LARGEST_PLAIN = 1e21;

/**
 * A JSON value as a Python value. A number without a fraction becomes an int; to tell 5.0 from 5, parse the text
 * with `parseJson`. The first `dots` levels of objects can also be read with a dot.
 */
export function fromJson(json: Json, dots = 0, depth = 0): Value {
  if (depth > MAX_DEPTH) throw budgetError('value nested too deeply');
  if (typeof json === 'number') return Number.isInteger(json) && Math.abs(json) < LARGEST_PLAIN ? BigInt(json) : json;
  if (json === null || typeof json !== 'object') return json;
  if (isArray(json)) return list(json.map((item) => fromJson(item, dots, depth + 1)));
  const result = dict(dots > 0);
  for (const key of Object.keys(json)) setField(result, key, fromJson(json[key] ?? null, dots - 1, depth + 1));
  return result;
}

// Array.isArray does not narrow readonly arrays.
const isArray = (json: Json): json is readonly Json[] => Array.isArray(json);

/** Input is not charged to any budget: it is in memory already. */
export function setField(target: DictValue, key: string, value: Value): void {
  target.entries.set(key.startsWith('\0') ? hashKey(key) : key, { key, value });
}

/**
 * A result as JSON: tuples, sets, ranges and iterators become arrays. An integer that a JavaScript number cannot
 * hold exactly becomes a string of its digits rather than a different number.
 */
export function toJson(value: Value, budget: Budget = createBudget()): Json {
  return withBudget(budget, () => convert(value, 0));
}

function convert(value: Value, depth: number): Json {
  step();
  if (depth > MAX_DEPTH) throw budgetError('value nested too deeply');
  if (typeof value === 'bigint') return integerJson(value);
  if (typeof value === 'number') return floatJson(value);
  if (!isComposite(value)) return value;
  return value.type === 'dict' ? objectJson(value, depth) : arrayJson(value, depth);
}

function integerJson(value: bigint): Json {
  const plain = Number(value);
  return BigInt(plain) === value ? plain : value.toString();
}

function floatJson(value: number): Json {
  if (!Number.isFinite(value)) throw valueError(`${floatText(value)} is not a JSON value`);
  return value;
}

function objectJson({ entries }: DictValue, depth: number): Json {
  const fields: [string, Json][] = [];
  for (const { key, value } of entries.values()) {
    allocate(48);
    fields.push([keyJson(key), convert(value, depth + 1)]);
  }
  // Unlike assignment, this also makes `__proto__` an ordinary field.
  return Object.fromEntries(fields);
}

/** As Python's json module writes keys. */
function keyJson(key: Value): string {
  if (typeof key === 'string') return key;
  if (key === null || typeof key === 'boolean') return String(key);
  if (typeof key === 'bigint') return key.toString();
  if (typeof key === 'number') return floatText(key);
  throw typeError(`keys must be str, int, float, bool or None, not ${typeName(key)}`);
}

const ARRAY_TYPES = new Set(['list', 'tuple', 'set', 'range', 'view', 'iterator']);

function arrayJson(value: Composite, depth: number): Json {
  if (!ARRAY_TYPES.has(value.type)) throw typeError(`Object of type ${typeName(value)} is not JSON serializable`);
  const items: Json[] = [];
  for (const item of iterate(value)) {
    allocate(8);
    items.push(convert(item, depth + 1));
  }
  return items;
}
