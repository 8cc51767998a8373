import { FilterSyntaxError } from './errors.ts';
import { setField } from './json.ts';
import { dict, list, type Value } from './values/value.ts';

interface Reader {
  readonly text: string;
  /** How many levels of objects can also be read with a dot. */
  readonly dots: number;
  at: number;
}

const MAX_DEPTH = 200;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const BLANKS = new Set([SPACE, 0x09, 0x0a, 0x0d]);
const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
const WORDS: ReadonlyMap<string, null | boolean> = new Map([
  ['null', null],
  ['true', true],
  ['false', false],
]);

/** JSON text as a Python value. Unlike JSON.parse it keeps 5.0 a float and long integers exact. */
export function parseJson(text: string, dots = 0): Value {
  const reader: Reader = { text, dots, at: 0 };
  const value = readValue(reader, 0);
  skipBlank(reader);
  if (reader.at < text.length) fail(reader);
  return value;
}

function readValue(reader: Reader, depth: number): Value {
  skipBlank(reader);
  if (depth > MAX_DEPTH) fail(reader, 'value nested too deeply');
  const char = reader.text.charAt(reader.at);
  if (char === '{') return readObject(reader, depth);
  if (char === '[') return readArray(reader, depth);
  if (char === '"') return readString(reader);
  const word = readWord(reader);
  return word === undefined ? readNumber(reader) : word;
}

function readObject(reader: Reader, depth: number): Value {
  const result = dict(reader.dots > depth);
  readItems(reader, '}', () => {
    skipBlank(reader);
    const key = readString(reader);
    if (!accept(reader, ':')) fail(reader);
    setField(result, key, readValue(reader, depth + 1));
  });
  return result;
}

function readArray(reader: Reader, depth: number): Value {
  const items: Value[] = [];
  readItems(reader, ']', () => items.push(readValue(reader, depth + 1)));
  return list(items);
}

function readItems(reader: Reader, closing: string, readItem: () => void): void {
  reader.at += 1;
  if (accept(reader, closing)) return;
  do readItem();
  while (accept(reader, ','));
  if (!accept(reader, closing)) fail(reader);
}

/** Scans for the closing quote by hand: long strings are too much for a pattern. */
function readString(reader: Reader): string {
  const { text, at: start } = reader;
  if (text.charAt(start) !== '"') fail(reader);
  let isPlain = true;
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      reader.at = at + 1;
      return isPlain ? text.slice(start + 1, at) : decode(reader, start);
    }
    if (code === BACKSLASH) at += 1;
    if (code === BACKSLASH || code < SPACE) isPlain = false;
  }
  return fail(reader, 'unterminated string');
}

function decode(reader: Reader, start: number): string {
  try {
    return String(JSON.parse(reader.text.slice(start, reader.at)));
  } catch {
    throw new FilterSyntaxError('invalid string', reader.text, start);
  }
}

/** Undefined when it is no word; null is a value. */
function readWord(reader: Reader): null | boolean | undefined {
  for (const [word, value] of WORDS) {
    if (!reader.text.startsWith(word, reader.at)) continue;
    reader.at += word.length;
    return value;
  }
  return undefined;
}

function readNumber(reader: Reader): Value {
  NUMBER.lastIndex = reader.at;
  const match = NUMBER.exec(reader.text);
  if (!match) return fail(reader);
  reader.at += match[0].length;
  const isFloat = match[1] !== undefined || match[2] !== undefined;
  return isFloat ? Number(match[0]) : BigInt(match[0]);
}

function skipBlank(reader: Reader): void {
  while (BLANKS.has(reader.text.charCodeAt(reader.at))) reader.at += 1;
}

function accept(reader: Reader, char: string): boolean {
  skipBlank(reader);
  if (reader.text.charAt(reader.at) !== char) return false;
  reader.at += 1;
  return true;
}

function fail(reader: Reader, message = 'invalid JSON'): never {
  throw new FilterSyntaxError(message, reader.text, reader.at);
}
