import { accept, fail, isAt, peek, type Cursor } from './cursor.ts';
import { parseItem, refuseStar } from './named.ts';
import type { Conversion, FormatPart, Item, Node } from './node.ts';
import type { Token, TokenType } from './token.ts';

/** Adjacent string literals, which are one string; any f-string among them makes the whole one formatted. */
export function parseStrings(cursor: Cursor): Node {
  const parts: FormatPart[] = [];
  for (let token = peek(cursor); isString(token); token = peek(cursor)) {
    cursor.index += 1;
    if (token.type === 'bytes') fail(cursor, 'bytes are not supported in filters');
    parts.push(...(token.type === 'string' ? [token.text] : parseFormatted(cursor)));
  }
  const texts = parts.filter((part) => typeof part === 'string');
  return texts.length < parts.length ? { kind: 'fstring', parts } : { kind: 'constant', value: texts.join('') };
}

const isString = ({ type }: Token) => type === 'string' || type === 'bytes' || type === 'fstring-start';

function parseFormatted(cursor: Cursor): FormatPart[] {
  const parts = parseParts(cursor);
  if (!acceptType(cursor, 'fstring-end')) fail(cursor);
  return parts;
}

function parseParts(cursor: Cursor): FormatPart[] {
  const parts: FormatPart[] = [];
  for (;;) {
    const text = acceptType(cursor, 'fstring-text');
    if (text) parts.push(text.text);
    else if (acceptType(cursor, 'field-start')) parts.push(...parseField(cursor));
    else return parts;
  }
}

function parseField(cursor: Cursor): FormatPart[] {
  if (peek(cursor).type.startsWith('field-')) fail(cursor, 'f-string: empty expression not allowed');
  const value = parseFieldValue(cursor);
  const debug = acceptType(cursor, 'field-debug');
  const chosen = acceptType(cursor, 'field-conversion')?.text;
  const spec = acceptType(cursor, 'field-spec') ? parseParts(cursor) : undefined;
  if (!acceptType(cursor, 'field-end')) fail(cursor, "f-string: expecting '}'");
  const conversion = isConversion(chosen) ? chosen : debug && !spec ? 'r' : undefined;
  const field = { value, conversion, spec };
  return debug ? [debug.text, field] : [field];
}

function parseFieldValue(cursor: Cursor): Node {
  const first = parseFieldItem(cursor);
  if (!isAt(cursor, ',')) return refuseStar(cursor, first, "can't use starred expression here");
  const items = [first];
  while (accept(cursor, ',') && !peek(cursor).type.startsWith('field-')) items.push(parseFieldItem(cursor));
  return { kind: 'tuple', items };
}

const parseFieldItem = (cursor: Cursor): Item =>
  isAt(cursor, '*') ? parseItem(cursor) : cursor.rules.expression(cursor);

function acceptType(cursor: Cursor, type: TokenType): Token | undefined {
  const token = peek(cursor);
  if (token.type !== type) return undefined;
  cursor.index += 1;
  return token;
}

const isConversion = (text: string | undefined): text is Conversion => text === 'r' || text === 's' || text === 'a';
