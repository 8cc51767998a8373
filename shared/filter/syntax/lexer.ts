import { readFormatted } from './fstring-literal.ts';
import { charAt, failAt, matchAt, startsWith, take, type Reader, type Region } from './reader.ts';
import { readText, type Opening } from './string-literal.ts';
import { isKeyword, type Token } from './token.ts';

// Longest first: the first one that fits is taken.
const OPERATORS = (
  '**= //= >>= <<= ... ** // >> << <= >= == != -> := += -= *= /= %= &= |= ^= @= ' +
  '+ - * / % @ & | ^ ~ < > ( ) [ ] { } , : . ; ='
).split(' ');
const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
const STRING_START = /((?:[rR][bBfF]?|[bBfF][rR]?|[uU])?)('''|"""|'|")/y;
const NAME = /[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}]*/uy;
const NUMBER =
  /0[xX](?:_?[0-9a-fA-F])+|0[bB](?:_?[01])+|0[oO](?:_?[0-7])+|(?:(?:[0-9](?:_?[0-9])*)?\.[0-9](?:_?[0-9])*|[0-9](?:_?[0-9])*\.?)(?:[eE][+-]?[0-9](?:_?[0-9])*)?[jJ]?/y;
const GLUED_KEYWORD = /(?:and|else|for|if|in|is|not|or)\b/y;
const WORD_CHARACTER = /[\p{L}\p{Nl}\p{Nd}_]/uy;
const BLANK = /[ \t\f]+/y;
const CONTINUATION = /\\\r?\n/y;

/** Splits a whole source into tokens; the last one is always `end`. */
export function tokenize(source: string): Token[] {
  const reader: Reader = { source, tokens: [], at: 0 };
  readCode(reader, { brackets: [], nesting: 0, isWhole: true, isSingleLine: false, ends: () => false });
  take(reader, 'end', 0);
  return reader.tokens;
}

/** Tokens from `start` up to the `}}` that closes a template expression, and where those braces stand. */
export function tokenizeUntilBraces(source: string, start: number): { tokens: Token[]; end: number } {
  const reader: Reader = { source, tokens: [], at: start };
  const ends = () => startsWith(reader, '}}');
  readCode(reader, { brackets: [], nesting: 0, isWhole: false, isSingleLine: false, ends });
  if (!ends()) failAt(reader, "'{{' is not closed, or its expression is too long", start - 2);
  const end = reader.at;
  take(reader, 'end', 0);
  return { tokens: reader.tokens, end };
}

function readCode(reader: Reader, region: Region): void {
  while (reader.at < reader.source.length) {
    if (skipBlank(reader, region)) continue;
    if (region.brackets.length === 0 && region.ends(reader)) return;
    readToken(reader, region);
  }
  const open = region.brackets.at(-1);
  if (open !== undefined) failAt(reader, `'${open}' was never closed`);
}

function skipBlank(reader: Reader, region: Region): boolean {
  const blank = matchAt(reader, BLANK) ?? (region.isSingleLine ? null : matchAt(reader, CONTINUATION));
  if (blank) {
    reader.at += blank[0].length;
    return true;
  }
  const char = charAt(reader);
  if (char === '#') return skipComment(reader, region);
  if (char !== '\n' && char !== '\r') return false;
  if (region.isSingleLine) failAt(reader, 'unterminated f-string literal');
  const endsExpression = region.isWhole && region.brackets.length === 0 && reader.tokens.length > 0;
  if (endsExpression) take(reader, 'newline', 1);
  else reader.at += 1;
  return true;
}

function skipComment(reader: Reader, region: Region): boolean {
  if (!region.isWhole) failAt(reader, "expression part cannot include '#'");
  const newline = reader.source.indexOf('\n', reader.at);
  reader.at = newline < 0 ? reader.source.length : newline;
  return true;
}

function readToken(reader: Reader, region: Region): void {
  const opening = matchAt(reader, STRING_START);
  if (opening) return readString(reader, region, { prefix: opening[1] ?? '', quote: opening[2] ?? '' });
  if (/^\.?[0-9]/.test(charAt(reader) + charAt(reader, 1))) return readNumber(reader);
  const name = matchAt(reader, NAME);
  if (name) return readName(reader, name[0]);
  readOperator(reader, region);
}

function readString(reader: Reader, region: Region, opening: Opening): void {
  if (/f/i.test(opening.prefix)) readFormatted({ reader, region, opening, readCode });
  else readText(reader, opening);
}

function readNumber(reader: Reader): void {
  const start = reader.at;
  take(reader, 'number', matchAt(reader, NUMBER)?.[0].length ?? 0);
  if (!matchAt(reader, GLUED_KEYWORD) && matchAt(reader, WORD_CHARACTER)) {
    failAt(reader, 'invalid number literal', start);
  }
}

function readName(reader: Reader, word: string): void {
  const text = word.normalize('NFKC');
  reader.tokens.push({ type: isKeyword(text) ? 'keyword' : 'name', text, start: reader.at });
  reader.at += word.length;
}

function readOperator(reader: Reader, region: Region): void {
  const operator = OPERATORS.find((candidate) => startsWith(reader, candidate));
  if (operator === undefined) {
    const char = String.fromCodePoint(reader.source.codePointAt(reader.at) ?? 0);
    return failAt(reader, `invalid character '${char}'`);
  }
  if (operator in CLOSING) region.brackets.push(operator);
  else if (')]}'.includes(operator)) closeBracket(reader, region, operator);
  take(reader, 'operator', operator.length);
}

function closeBracket(reader: Reader, region: Region, closing: string): void {
  const open = region.brackets.pop();
  if (open === undefined) return failAt(reader, `unmatched '${closing}'`);
  if (CLOSING[open] === closing) return;
  failAt(reader, `closing parenthesis '${closing}' does not match opening parenthesis '${open}'`);
}
