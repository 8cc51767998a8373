import { isObject } from '../../shared/llm/json-value.ts';
import type { BaseModel } from '../../shared/models/catalog.ts';
import type { Facts } from './view.ts';

/** The names under which providers tell the size of a model's window and of its longest answer. */
const WINDOW = ['context_length', 'context_window', 'max_model_len', 'max_context_length', 'max_input_tokens'];
const OUTPUT = ['max_output_tokens', 'max_completion_tokens', 'max_tokens'];

/** What the list entry of a base model already says. */
export function listedFacts(base: BaseModel): Facts {
  if (base.kind === 'function') return factsIn([base.meta]);
  return factsIn([base.raw, base.raw['top_provider'], base.raw['meta'], base.raw['limits']]);
}

/** What a runtime says when it is asked about one model: `<family>.context_length` and a list of abilities. */
export function shownFacts(shown: unknown): Facts {
  if (!isObject(shown)) return {};
  const info = isObject(shown['model_info']) ? Object.entries(shown['model_info']) : [];
  const window = info.find(([name]) => name.endsWith('.context_length'))?.[1];
  return factsIn([{ capabilities: shown['capabilities'], context_length: window }]);
}

function factsIn(given: readonly unknown[]): Facts {
  const places = given.filter(isObject);
  const valuesOf = (names: readonly string[]) => places.flatMap((place) => names.map((name) => place[name]));
  const integer = (names: readonly string[]) => valuesOf(names).find((value) => Number.isInteger(value));
  const description = valuesOf(['description']).find((value) => typeof value === 'string');
  const capabilities = valuesOf(['capabilities']).find(isCapabilities);
  const window = integer(WINDOW);
  const output = integer(OUTPUT);
  return {
    ...(description !== undefined && { description }),
    ...(capabilities && { capabilities }),
    ...(typeof window === 'number' && { context_length: window }),
    ...(typeof output === 'number' && { max_output_tokens: output }),
  };
}

const isCapabilities = (value: unknown): value is string[] | Record<string, unknown> =>
  Array.isArray(value) ? value.every((one) => typeof one === 'string') : isObject(value);
