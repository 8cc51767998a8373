import { charAt, failAt, startsWith, type Reader } from './reader.ts';

export interface Opening {
  readonly prefix: string;
  readonly quote: string;
}

const ESCAPE = /\\(?:([0-7]{1,3})|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(\r\n|[^]))/g;
const SIMPLE_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\n', ''],
  ['\r\n', ''],
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
  ['a', '\u0007'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
]);

/** Reads a string without fields; bytes are told apart so that the parser can refuse them. */
export function readText(reader: Reader, opening: Opening): void {
  const start = reader.at;
  const body = start + opening.prefix.length + opening.quote.length;
  reader.at = body;
  while (!startsWith(reader, opening.quote)) {
    const char = charAt(reader);
    if (char === '' || (char === '\n' && opening.quote.length === 1)) {
      failAt(reader, 'unterminated string literal', start);
    }
    reader.at += char === '\\' ? 2 : 1;
  }
  const raw = reader.source.slice(body, reader.at);
  const text = /r/i.test(opening.prefix) ? raw : decodeEscapes(reader, raw, body);
  reader.tokens.push({ type: /b/i.test(opening.prefix) ? 'bytes' : 'string', text, start });
  reader.at += opening.quote.length;
}

/** Replaces backslash escapes in text that begins at `start`; a backslash at the very end stays. */
export function decodeEscapes(reader: Reader, raw: string, start: number): string {
  if (!raw.includes('\\')) return raw;
  let text = '';
  let from = 0;
  for (const match of raw.matchAll(ESCAPE)) {
    text += raw.slice(from, match.index) + decodeEscape(reader, match, start + match.index);
    from = match.index + match[0].length;
  }
  return text + raw.slice(from);
}

function decodeEscape(reader: Reader, match: RegExpExecArray, at: number): string {
  const [, octal, short, unit, point, char = ''] = match;
  if (octal) return String.fromCodePoint(Number.parseInt(octal, 8));
  const hex = short ?? unit ?? point;
  return hex ? decodePoint(reader, hex, at) : decodeSimple(reader, char, at);
}

function decodePoint(reader: Reader, hex: string, at: number): string {
  const point = Number.parseInt(hex, 16);
  if (point > 0x10ffff) failAt(reader, 'illegal Unicode character', at);
  return String.fromCodePoint(point);
}

function decodeSimple(reader: Reader, char: string, at: number): string {
  if ('xuU'.includes(char)) failAt(reader, `truncated \\${char} escape`, at);
  if (char === 'N') failAt(reader, '\\N escapes are not supported', at);
  return SIMPLE_ESCAPES.get(char) ?? `\\${char}`;
}
