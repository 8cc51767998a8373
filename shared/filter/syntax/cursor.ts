import { FilterSyntaxError } from '../errors.ts';
import type { Node } from './node.ts';
import type { Token } from './token.ts';

export type Rule = (cursor: Cursor) => Node;

/** Rules that lower ones need again; handed down with the cursor so that the grammar's files form no cycle. */
export interface Rules {
  readonly expression: Rule;
  readonly disjunction: Rule;
  readonly bitwise: Rule;
}

export interface Cursor {
  readonly source: string;
  readonly tokens: readonly Token[];
  readonly end: Token;
  readonly rules: Rules;
  index: number;
  depth: number;
}

const MAX_DEPTH = 60;

export const peek = (cursor: Cursor, ahead = 0): Token => cursor.tokens[cursor.index + ahead] ?? cursor.end;

export function isAt(cursor: Cursor, text: string, ahead = 0): boolean {
  const token = peek(cursor, ahead);
  return (token.type === 'operator' || token.type === 'keyword') && token.text === text;
}

export function accept(cursor: Cursor, text: string): boolean {
  if (!isAt(cursor, text)) return false;
  cursor.index += 1;
  return true;
}

export function expect(cursor: Cursor, text: string): void {
  if (!accept(cursor, text)) fail(cursor, `expected '${text}'`);
}

export function takeName(cursor: Cursor): string {
  const token = peek(cursor);
  if (token.type !== 'name') fail(cursor);
  cursor.index += 1;
  return token.text;
}

/** Items with commas between them, a last comma allowed, up to a closing bracket that is consumed. */
export function readUntil(cursor: Cursor, closing: string, readItem: () => void): void {
  while (!isAt(cursor, closing)) {
    readItem();
    if (!accept(cursor, ',')) break;
  }
  expect(cursor, closing);
}

export function nested<Result>(cursor: Cursor, parse: () => Result): Result {
  cursor.depth += 1;
  if (cursor.depth > MAX_DEPTH) fail(cursor, 'expression nested too deeply');
  const result = parse();
  cursor.depth -= 1;
  return result;
}

export function fail(cursor: Cursor, message = 'invalid syntax'): never {
  throw new FilterSyntaxError(message, cursor.source, peek(cursor).start);
}
