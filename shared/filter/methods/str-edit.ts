import { method, takes, type Argument, type Methods } from '../builtins/signature.ts';
import { allocateText, step } from '../budget.ts';
import { typeError } from '../errors.ts';
import { characters, lengthOf, paySearch } from '../text/code-points.ts';
import { missingWidth, pad, type Alignment } from '../text/pad.ts';
import { strip, stripEnd, stripStart } from '../text/whitespace.ts';
import { typeName } from '../values/kinds.ts';
import { clampedIndex, indexOf } from '../values/numeric.ts';
import type { Value } from '../values/value.ts';

const padded = takes(['width'], ['fillchar']);
const trimmed = takes([], ['chars']);

export const editMethods: Methods<string> = new Map([
  method('strip', trimmed, (text: string, chars) => trim(text, chars, { start: true, end: true })),
  method('lstrip', trimmed, (text: string, chars) => trim(text, chars, { start: true, end: false })),
  method('rstrip', trimmed, (text: string, chars) => trim(text, chars, { start: false, end: true })),
  method('ljust', padded, (text: string, width, fill) => justify(text, width, { fill, align: '<' })),
  method('rjust', padded, (text: string, width, fill) => justify(text, width, { fill, align: '>' })),
  method('center', padded, center),
  method('zfill', takes(['width'], []), fillZeros),
  method('replace', takes(['old', 'new'], ['count']), replace),
  method('removeprefix', takes(['prefix'], []), removePrefix),
  method('removesuffix', takes(['suffix'], []), removeSuffix),
  method('expandtabs', takes([], ['tabsize'], 0), expandTabs),
]);

function trim(text: string, chars: Argument, ends: { start: boolean; end: boolean }): string {
  step(text.length / 16);
  if (chars === undefined || chars === null) {
    return ends.start && ends.end ? strip(text) : ends.start ? stripStart(text) : stripEnd(text);
  }
  if (typeof chars !== 'string') throw typeError('strip arg must be None or str');
  const unwanted = new Set(chars);
  const letters = characters(text);
  let [start, end] = [0, letters.length];
  while (ends.start && start < end && unwanted.has(letters[start] ?? '')) start += 1;
  while (ends.end && end > start && unwanted.has(letters[end - 1] ?? '')) end -= 1;
  return letters.slice(start, end).join('');
}

function justify(text: string, width: Value, { fill, align }: { fill: Argument; align: Alignment }): string {
  return pad(text, { width: clampedIndex(indexOf(width)), fill: fillOf(fill), align });
}

/** Where the padding is uneven, the extra character goes left when the width is odd. */
function center(text: string, width: Value, fill: Argument): string {
  const [total, char] = [clampedIndex(indexOf(width)), fillOf(fill)];
  const missing = missingWidth(text, total);
  const before = Math.floor(missing / 2) + (missing % 2 === 1 && total % 2 === 1 ? 1 : 0);
  return char.repeat(before) + text + char.repeat(missing - before);
}

function fillOf(fill: Argument): string {
  if (fill === undefined) return ' ';
  if (typeof fill === 'string' && lengthOf(fill) === 1) return fill;
  throw typeError('The fill character must be exactly one character long');
}

function fillZeros(text: string, width: Value): string {
  const zeros = '0'.repeat(missingWidth(text, clampedIndex(indexOf(width))));
  return /^[+-]/.test(text) ? text.charAt(0) + zeros + text.slice(1) : zeros + text;
}

function replace(text: string, old: Value, replacement: Value, count: Argument): string {
  const from = textArgument(old, 'replace() argument 1');
  const to = textArgument(replacement, 'replace() argument 2');
  const asked = count === undefined ? -1 : clampedIndex(indexOf(count));
  paySearch(text, from);
  const parts = from === '' ? ['', ...characters(text), ''] : text.split(from);
  const replaced = Math.min(parts.length - 1, asked < 0 ? Infinity : asked);
  allocateText(text.length + replaced * to.length);
  const head = parts.slice(0, replaced + 1).join(to);
  return replaced === parts.length - 1 ? head : head + from + parts.slice(replaced + 1).join(from);
}

function textArgument(value: Value, what: string): string {
  if (typeof value !== 'string') throw typeError(`${what} must be str, not ${typeName(value)}`);
  return value;
}

function removePrefix(text: string, prefix: Value): string {
  const part = textArgument(prefix, 'removeprefix() argument');
  step(part.length / 32);
  return text.startsWith(part) ? text.slice(part.length) : text;
}

function removeSuffix(text: string, suffix: Value): string {
  const part = textArgument(suffix, 'removesuffix() argument');
  step(part.length / 32);
  return text.endsWith(part) ? text.slice(0, text.length - part.length) : text;
}

function expandTabs(text: string, size: Argument): string {
  const width = size === undefined ? 8 : clampedIndex(indexOf(size));
  let column = 0;
  let result = '';
  for (const char of text) {
    step();
    const blanks = char === '\t' && width > 0 ? width - (column % width) : 0;
    allocateText(blanks);
    result += char === '\t' ? ' '.repeat(blanks) : char;
    column = char === '\n' || char === '\r' ? 0 : column + (char === '\t' ? blanks : 1);
  }
  return result;
}
