import { isObject } from '../llm/json-value.ts';
import type { Fields } from '../llm/turn.ts';
import type { Usage } from '../llm/turn-event.ts';

/** What several questions to a model cost together: whoever asked pays for all of them. */
export function addUsage(sum: Usage | undefined, usage: Usage | undefined): Usage | undefined {
  if (!sum || !usage) return sum ?? usage;
  return {
    input: sum.input + usage.input,
    output: sum.output + usage.output,
    cached: addCount(sum.cached, usage.cached),
    cacheCreated: addCount(sum.cacheCreated, usage.cacheCreated),
    reasoning: addCount(sum.reasoning, usage.reasoning),
    extra: addFields(sum.extra ?? {}, usage.extra ?? {}),
  };
}

const addCount = (a: number | undefined, b: number | undefined) =>
  a === undefined || b === undefined ? (a ?? b) : a + b;

/** Counts, costs and durations add up; of anything else, such as a rate, the last one stands. */
const ADDS_UP = /(tokens|count|duration|cost)s?$/i;

function addFields(a: Fields, b: Fields): Fields {
  const sums = Object.entries(b).map(([name, value]) => [name, addValue(name, a[name], value)]);
  return { ...a, ...Object.fromEntries(sums) };
}

function addValue(name: string, a: unknown, b: unknown): unknown {
  if (isObject(a) && isObject(b)) return addFields(a, b);
  return typeof a === 'number' && typeof b === 'number' && ADDS_UP.test(name) ? a + b : b;
}
