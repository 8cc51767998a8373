/** What Python's str.isspace() accepts; it differs from JavaScript's \s. */
const WHITESPACE = new Set(
  '\t\n\v\f\r\u001c\u001d\u001e\u001f \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a' +
    '\u2028\u2029\u202f\u205f\u3000',
);

/** Where Python's str.splitlines() ends a line. */
const LINE_BREAKS = new Set('\n\r\v\f\u001c\u001d\u001e\u0085\u2028\u2029');

export const isWhitespace = (char: string): boolean => WHITESPACE.has(char);
export const isLineBreak = (char: string): boolean => LINE_BREAKS.has(char);

export function stripStart(text: string): string {
  let start = 0;
  while (start < text.length && isWhitespace(text.charAt(start))) start += 1;
  return text.slice(start);
}

export function stripEnd(text: string): string {
  let end = text.length;
  while (end > 0 && isWhitespace(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

export const strip = (text: string): string => stripStart(stripEnd(text));
