import { FilterSyntaxError } from '../errors.ts';
import type { Token, TokenType } from './token.ts';

/** The source, how far it has been read, and the tokens found so far. */
export interface Reader {
  readonly source: string;
  readonly tokens: Token[];
  at: number;
}

/** A stretch of code inside the source: all of it, a template expression, or a field of an f-string. */
export interface Region {
  readonly brackets: string[];
  /** How deep this region lies inside f-strings. */
  readonly nesting: number;
  /** Whether the region is a whole source, where newlines end the expression and comments are allowed. */
  readonly isWhole: boolean;
  /** Whether a newline is an error, as inside an f-string with single quotes. */
  readonly isSingleLine: boolean;
  /** Asked outside brackets, before each token. */
  readonly ends: (reader: Reader) => boolean;
}

export type ReadCode = (reader: Reader, region: Region) => void;

export const charAt = (reader: Reader, ahead = 0): string => reader.source.charAt(reader.at + ahead);

export const startsWith = (reader: Reader, text: string): boolean => reader.source.startsWith(text, reader.at);

/** Adds a token for the next `length` characters and moves past them. */
export function take(reader: Reader, type: TokenType, length: number): void {
  const end = reader.at + length;
  reader.tokens.push({ type, text: reader.source.slice(reader.at, end), start: reader.at });
  reader.at = end;
}

/** The match of a sticky pattern at the current position. */
export function matchAt(reader: Reader, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = reader.at;
  return pattern.exec(reader.source);
}

export function failAt(reader: Reader, message: string, offset = reader.at): never {
  throw new FilterSyntaxError(message, reader.source, offset);
}
