import { allocate, step } from '../budget.ts';

const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Zs}]/u;
const NAMED: ReadonlyMap<string, string> = new Map([
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  [' ', ' '],
]);

/** repr() of a string. */
export function quote(text: string): string {
  step(text.length / 4);
  allocate(text.length);
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  let body = '';
  for (const char of text) body += char === mark ? `\\${char}` : (NAMED.get(char) ?? printable(char));
  return mark + body + mark;
}

export const isPrintable = (char: string): boolean => char === ' ' || !UNPRINTABLE.test(char);

const printable = (char: string) => (isPrintable(char) ? char : escaped(char));

/** Text with everything beyond ASCII escaped, as ascii() does after repr(). */
export function asciiOnly(text: string): string {
  step(text.length / 4);
  allocate(text.length * 2);
  return text.replaceAll(/\P{ASCII}/gu, escaped);
}

function escaped(char: string): string {
  const hex = (char.codePointAt(0) ?? 0).toString(16);
  if (hex.length <= 2) return `\\x${hex.padStart(2, '0')}`;
  return hex.length <= 4 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}
