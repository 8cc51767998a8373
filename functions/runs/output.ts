import { parseExact } from '../../shared/exact-json.ts';
import { parseJson } from '../../shared/filter/json-text.ts';
import type { Value } from '../../shared/filter/values/value.ts';

/** What a node gave, kept as JSON text; read as JSON or as a value of the expression language only when asked for. */
export interface Output {
  readonly text: string;
  json(): unknown;
  value(): Value;
}

export function outputOf(text: string): Output {
  let value: Value | undefined;
  return {
    text,
    json: () => parseExact(text),
    value: () => (value === undefined ? (value = parseJson(text)) : value),
  };
}

export const NO_OUTPUT = outputOf('null');
