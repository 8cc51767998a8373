import { method, takes, type Argument, type Methods } from '../builtins/signature.ts';
import { allocate, allocateText, step } from '../budget.ts';
import { typeError, valueError } from '../errors.ts';
import { paySearch } from '../text/code-points.ts';
import { isLineBreak, isWhitespace, stripEnd, stripStart } from '../text/whitespace.ts';
import { isIterable, iterate } from '../values/iterate.ts';
import { typeName } from '../values/kinds.ts';
import { clampedIndex, indexOf } from '../values/numeric.ts';
import { isTrue } from '../values/truth.ts';
import { list, tuple, type ListValue, type Value } from '../values/value.ts';

const separated = takes([], ['sep', 'maxsplit'], 0);

export const splitMethods: Methods<string> = new Map([
  method('split', separated, (text: string, separator, most) => split(text, separator, { most, isFromEnd: false })),
  method('rsplit', separated, (text: string, separator, most) => split(text, separator, { most, isFromEnd: true })),
  method('splitlines', takes([], ['keepends'], 0), (text: string, keepEnds) =>
    splitLines(text, isTrue(keepEnds ?? false)),
  ),
  method('partition', takes(['sep'], []), (text: string, separator) => partition(text, separator, 'indexOf')),
  method('rpartition', takes(['sep'], []), (text: string, separator) => partition(text, separator, 'lastIndexOf')),
  method('join', takes(['iterable'], []), join),
]);

interface Limit {
  readonly most: Argument;
  readonly isFromEnd: boolean;
}

function split(text: string, separator: Argument, { most, isFromEnd }: Limit): ListValue {
  const asked = most === undefined ? -1 : clampedIndex(indexOf(most));
  const limit = asked < 0 ? Infinity : asked;
  step(text.length / 4);
  const parts = splitAt(text, separator, { limit, isFromEnd });
  allocate(parts.length * 24 + text.length * 2);
  step(parts.length);
  return list(parts);
}

function splitAt(
  text: string,
  separator: Argument,
  { limit, isFromEnd }: { limit: number; isFromEnd: boolean },
): string[] {
  if (separator === undefined || separator === null) {
    return isFromEnd ? wordsFromEnd(text, limit) : wordsFromStart(text, limit);
  }
  const mark = separatorText(separator);
  paySearch(text, mark);
  const parts = text.split(mark);
  const extra = parts.length - 1 - limit;
  if (extra <= 0) return parts;
  return isFromEnd
    ? [parts.slice(0, extra + 1).join(mark), ...parts.slice(extra + 1)]
    : [...parts.slice(0, limit), parts.slice(limit).join(mark)];
}

function separatorText(separator: Value): string {
  if (typeof separator !== 'string') throw typeError(`must be str or None, not ${typeName(separator)}`);
  if (separator === '') throw valueError('empty separator');
  return separator;
}

function wordsFromStart(text: string, limit: number): string[] {
  const words: string[] = [];
  let rest = stripStart(text);
  while (rest !== '') {
    if (words.length >= limit) return [...words, rest];
    let end = 0;
    while (end < rest.length && !isWhitespace(rest.charAt(end))) end += 1;
    words.push(rest.slice(0, end));
    rest = stripStart(rest.slice(end));
  }
  return words;
}

function wordsFromEnd(text: string, limit: number): string[] {
  const words: string[] = [];
  let rest = stripEnd(text);
  while (rest !== '') {
    if (words.length >= limit) return [rest, ...words.toReversed()];
    let start = rest.length;
    while (start > 0 && !isWhitespace(rest.charAt(start - 1))) start -= 1;
    words.push(rest.slice(start));
    rest = stripEnd(rest.slice(0, start));
  }
  return words.toReversed();
}

function splitLines(text: string, keepsEnds: boolean): ListValue {
  step(text.length / 4);
  allocateText(text.length);
  const lines: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (!isLineBreak(text.charAt(at))) continue;
    const end = at;
    if (text.startsWith('\r\n', at)) at += 1;
    lines.push(text.slice(start, keepsEnds ? at + 1 : end));
    start = at + 1;
  }
  if (start < text.length) lines.push(text.slice(start));
  allocate(lines.length * 24);
  return list(lines);
}

function partition(text: string, separator: Value, search: 'indexOf' | 'lastIndexOf'): Value {
  if (typeof separator !== 'string') throw typeError(`must be str, not ${typeName(separator)}`);
  const mark = separatorText(separator);
  paySearch(text, mark);
  const at = text[search](mark);
  if (at >= 0) return tuple([text.slice(0, at), mark, text.slice(at + mark.length)]);
  return tuple(search === 'indexOf' ? [text, '', ''] : ['', '', text]);
}

function join(separator: string, source: Value): Value {
  if (!isIterable(source)) throw typeError('can only join an iterable');
  const parts: string[] = [];
  for (const item of iterate(source)) {
    if (typeof item !== 'string') {
      throw typeError(`sequence item ${parts.length}: expected str instance, ${typeName(item)} found`);
    }
    allocateText(item.length + separator.length);
    parts.push(item);
  }
  return parts.join(separator);
}
