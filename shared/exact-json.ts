/**
 * JSON whose numbers come back as they were written. JavaScript would turn 12345678901234567890 into another number,
 * 5.0 into 5 and 1e400 into null; other people's payloads are not ours to change.
 */

interface RawJson {
  readonly rawJSON: (text: string) => object;
  readonly isRawJSON: (value: unknown) => boolean;
}
// Node has both; the compiler's library does not know them yet.
const { rawJSON, isRawJSON } = JSON as typeof JSON & RawJson;

/** May be wrong only in one direction: a number that JavaScript would print differently always fits. */
const UNUSUAL_NUMBER = /\d{16}|\d[eE][-+\d]|\.\d*0(?!\d)|-0/;

/** `JSON.stringify` prints the result with its numbers unchanged. */
export const parseExact = (text: string): unknown =>
  UNUSUAL_NUMBER.test(text) ? (JSON.parse(text, keepSource) as unknown) : (JSON.parse(text) as unknown);

function keepSource(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source;
  return typeof value === 'number' && source !== undefined && source !== String(value) ? rawJSON(source) : value;
}

/** Counts arrays and objects within each other; level by level instead of by recursion, which a hostile value could exhaust. */
export function isDeeperThan(value: unknown, most: number): boolean {
  let level = [value].filter(isContainer);
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > most) return true;
    level = level.flatMap((one) => Object.values(one).filter(isContainer));
  }
  return false;
}

const isContainer = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !isRawJSON(value);
