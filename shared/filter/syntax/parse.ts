import { FilterSyntaxError } from '../errors.ts';
import { accept, expect, fail, isAt, nested, peek, type Cursor, type Rules } from './cursor.ts';
import { parseLambda } from './lambda.ts';
import { tokenize, tokenizeUntilBraces } from './lexer.ts';
import type { Item, Node } from './node.ts';
import { parseBitwise, parseDisjunction } from './precedence.ts';
import type { Token } from './token.ts';

const MAX_SOURCE = 4096;
const rules: Rules = { expression: parseExpression, disjunction: parseDisjunction, bitwise: parseBitwise };

export function parse(source: string): Node {
  if (source.length > MAX_SOURCE) {
    throw new FilterSyntaxError(`expression longer than ${MAX_SOURCE} characters`, source, MAX_SOURCE);
  }
  return parseTokens(source, tokenize(source));
}

/** The expression between `{{` (just before `start`) and its `}}`, which stands at `end`. */
export function parseUntilBraces(source: string, start: number): { root: Node; end: number } {
  // Braces that were never closed must not cost a reading of the whole text.
  const { tokens, end } = tokenizeUntilBraces(source.slice(0, start + MAX_SOURCE + 2), start);
  return { root: parseTokens(source, tokens), end };
}

function parseTokens(source: string, tokens: readonly Token[]): Node {
  const end: Token = { type: 'end', text: '', start: source.length };
  const cursor: Cursor = { source, tokens, end: tokens.at(-1) ?? end, rules, index: 0, depth: 0 };
  const root = parseExpressions(cursor);
  while (peek(cursor).type === 'newline') cursor.index += 1;
  if (peek(cursor).type !== 'end') fail(cursor);
  return root;
}

function parseExpressions(cursor: Cursor): Node {
  const first = parseExpression(cursor);
  if (!isAt(cursor, ',')) return first;
  const items: Item[] = [first];
  while (accept(cursor, ',')) {
    if (isAtEnd(cursor)) break;
    items.push(parseExpression(cursor));
  }
  return { kind: 'tuple', items };
}

const isAtEnd = (cursor: Cursor) => ['end', 'newline'].includes(peek(cursor).type);

function parseExpression(cursor: Cursor): Node {
  return nested(cursor, () => (isAt(cursor, 'lambda') ? parseLambda(cursor) : parseConditional(cursor)));
}

function parseConditional(cursor: Cursor): Node {
  const whenTrue = parseDisjunction(cursor);
  if (!accept(cursor, 'if')) return whenTrue;
  const test = parseDisjunction(cursor);
  expect(cursor, 'else');
  return { kind: 'conditional', test, whenTrue, whenFalse: parseExpression(cursor) };
}
