import { charAt, failAt, startsWith, take, type ReadCode, type Reader, type Region } from './reader.ts';
import { decodeEscapes, type Opening } from './string-literal.ts';

export interface FormattedSource {
  readonly reader: Reader;
  readonly region: Region;
  readonly opening: Opening;
  readonly readCode: ReadCode;
}

const MAX_FIELD_DEPTH = 2;
const MAX_NESTING = 20;

/** Reads an f-string as a run of text and field tokens, its expressions in place. */
export function readFormatted(literal: FormattedSource): void {
  const { reader, region, opening } = literal;
  if (region.nesting >= MAX_NESTING) failAt(reader, 'f-string: expressions nested too deeply');
  take(reader, 'fstring-start', opening.prefix.length + opening.quote.length);
  readParts(literal, 0);
  take(reader, 'fstring-end', opening.quote.length);
}

/** Text and fields up to the closing quote or, inside a format spec (depth above 0), up to the closing brace. */
function readParts(literal: FormattedSource, depth: number): void {
  const { reader, opening } = literal;
  let chunk = reader.at;
  const flush = (end: number) => {
    pushText(literal, chunk, end);
    chunk = reader.at;
  };
  while (!startsWith(reader, opening.quote)) {
    const char = charAt(reader);
    checkUnterminated(literal, depth);
    if (char === '}' && depth > 0) return flush(reader.at);
    if ((char === '{' || char === '}') && charAt(reader, 1) === char && depth === 0) {
      reader.at += 2;
      flush(reader.at - 1);
    } else if (char === '{') {
      flush(reader.at);
      readField(literal, depth + 1);
      chunk = reader.at;
    } else if (char === '}') {
      failAt(reader, "f-string: single '}' is not allowed");
    } else {
      reader.at += char === '\\' ? escapeLength(literal) : 1;
    }
  }
  if (depth > 0) failAt(reader, "f-string: expecting '}'");
  flush(reader.at);
}

function checkUnterminated({ reader, opening }: FormattedSource, depth: number): void {
  const char = charAt(reader);
  if (char === '') failAt(reader, depth > 0 ? "f-string: expecting '}'" : 'unterminated f-string literal');
  if (char === '\n' && opening.quote.length === 1) failAt(reader, 'unterminated f-string literal');
}

/** A backslash hides the next character, but never a brace. */
function escapeLength(literal: FormattedSource): number {
  const { reader } = literal;
  if (!isRaw(literal) && startsWith(reader, '\\N{')) failAt(reader, '\\N escapes are not supported');
  return '{}'.includes(charAt(reader, 1)) ? 1 : 2;
}

function pushText(literal: FormattedSource, start: number, end: number): void {
  if (start === end) return;
  const { reader } = literal;
  const raw = reader.source.slice(start, end);
  const text = isRaw(literal) ? raw : decodeEscapes(reader, raw, start);
  reader.tokens.push({ type: 'fstring-text', text, start });
}

function readField(literal: FormattedSource, depth: number): void {
  const { reader } = literal;
  if (depth > MAX_FIELD_DEPTH) failAt(reader, 'f-string: expressions nested too deeply');
  take(reader, 'field-start', 1);
  const start = reader.at;
  literal.readCode(reader, fieldRegion(literal));
  if (charAt(reader) === '=') readDebug(reader, start);
  if (charAt(reader) === '!') readConversion(reader);
  if (charAt(reader) === ':') {
    take(reader, 'field-spec', 1);
    readParts(literal, depth);
  }
  if (charAt(reader) !== '}') failAt(reader, "f-string: expecting '}'");
  take(reader, 'field-end', 1);
}

const fieldRegion = ({ region, opening }: FormattedSource): Region => ({
  brackets: [],
  nesting: region.nesting + 1,
  isWhole: false,
  isSingleLine: region.isSingleLine || opening.quote.length === 1,
  ends: endsField,
});

function endsField(reader: Reader): boolean {
  const char = charAt(reader);
  if (char === '!' || char === '=') return charAt(reader, 1) !== '=';
  return char === '}' || char === ':';
}

/** The `=` of f"{value=}", which prints the expression's own text, blanks included. */
function readDebug(reader: Reader, start: number): void {
  do reader.at += 1;
  while (charAt(reader) === ' ');
  reader.tokens.push({ type: 'field-debug', text: reader.source.slice(start, reader.at), start });
}

function readConversion(reader: Reader): void {
  reader.at += 1;
  if (!/[rsa]/.test(charAt(reader))) failAt(reader, 'f-string: invalid conversion character');
  take(reader, 'field-conversion', 1);
}

const isRaw = ({ opening }: FormattedSource) => /r/i.test(opening.prefix);
