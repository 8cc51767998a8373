export type TokenType =
  | 'number'
  | 'string'
  | 'bytes'
  | 'name'
  | 'keyword'
  | 'operator'
  | 'newline'
  | 'end'
  | 'fstring-start'
  | 'fstring-text'
  | 'fstring-end'
  | 'field-start'
  | 'field-debug'
  | 'field-conversion'
  | 'field-spec'
  | 'field-end';

/** `text` is the source text, except for strings, where it is the decoded content. */
export interface Token {
  readonly type: TokenType;
  readonly text: string;
  readonly start: number;
}

const KEYWORDS = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from ' +
    'global if import in is lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
);

export const isKeyword = (word: string) => KEYWORDS.has(word);
