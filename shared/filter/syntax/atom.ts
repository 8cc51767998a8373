import { accept, fail, nested, peek, type Cursor } from './cursor.ts';
import { parseBraces, parseBrackets, parseParentheses } from './display.ts';
import type { Node } from './node.ts';
import { numberValue } from './number-literal.ts';
import { parseStrings } from './strings.ts';

const CONSTANTS: ReadonlyMap<string, null | boolean> = new Map([
  ['None', null],
  ['True', true],
  ['False', false],
]);

export function parseAtom(cursor: Cursor): Node {
  const token = peek(cursor);
  switch (token.type) {
    case 'number':
      return literal(cursor, numberValue(token, cursor.source));
    case 'string':
    case 'bytes':
    case 'fstring-start':
      return parseStrings(cursor);
    case 'name':
      cursor.index += 1;
      return { kind: 'name', id: token.text };
    case 'keyword':
      return literal(cursor, CONSTANTS.get(token.text));
    case 'operator':
      return parseBracketed(cursor);
    case 'newline':
    case 'end':
    case 'fstring-text':
    case 'fstring-end':
    case 'field-start':
    case 'field-debug':
    case 'field-conversion':
    case 'field-spec':
    case 'field-end':
      return fail(cursor);
  }
}

function literal(cursor: Cursor, value: null | boolean | bigint | number | undefined): Node {
  if (value === undefined) return fail(cursor);
  cursor.index += 1;
  return { kind: 'constant', value };
}

function parseBracketed(cursor: Cursor): Node {
  if (accept(cursor, '...')) return { kind: 'ellipsis' };
  if (accept(cursor, '(')) return nested(cursor, () => parseParentheses(cursor));
  if (accept(cursor, '[')) return nested(cursor, () => parseBrackets(cursor));
  if (accept(cursor, '{')) return nested(cursor, () => parseBraces(cursor));
  return fail(cursor);
}
