import { parseClauses } from './comprehension.ts';
import { accept, expect, isAt, readUntil, type Cursor } from './cursor.ts';
import { parseItem, refuseStar } from './named.ts';
import type { DictEntry, Item, Node } from './node.ts';

const STAR_IN_COMPREHENSION = 'iterable unpacking cannot be used in comprehension';

/** A tuple, a generator, or an expression in parentheses. */
export function parseParentheses(cursor: Cursor): Node {
  if (accept(cursor, ')')) return { kind: 'tuple', items: [] };
  const first = parseItem(cursor);
  if (isAt(cursor, 'for')) return parseLoop(cursor, first, { result: 'generator', closing: ')' });
  if (accept(cursor, ')')) return refuseStar(cursor, first, 'cannot use starred expression here');
  return { kind: 'tuple', items: parseRest(cursor, first, ')') };
}

/** A list or a list comprehension. */
export function parseBrackets(cursor: Cursor): Node {
  if (accept(cursor, ']')) return { kind: 'list', items: [] };
  const first = parseItem(cursor);
  if (isAt(cursor, 'for')) return parseLoop(cursor, first, { result: 'list', closing: ']' });
  return { kind: 'list', items: parseRest(cursor, first, ']') };
}

/** A dict or a set, or a comprehension of either. */
export function parseBraces(cursor: Cursor): Node {
  if (isAt(cursor, '}') || isAt(cursor, '**')) return parseEntries(cursor, []);
  const first = parseItem(cursor);
  if (first.kind !== 'starred' && first.kind !== 'assignment' && accept(cursor, ':')) return parseDict(cursor, first);
  if (isAt(cursor, 'for')) return parseLoop(cursor, first, { result: 'set', closing: '}' });
  return { kind: 'set', items: parseRest(cursor, first, '}') };
}

function parseDict(cursor: Cursor, key: Node): Node {
  const value = cursor.rules.expression(cursor);
  if (isAt(cursor, 'for')) {
    const comprehension = parseClauses(cursor, { result: 'dict', element: key, value });
    expect(cursor, '}');
    return comprehension;
  }
  if (!accept(cursor, ',')) {
    expect(cursor, '}');
    return { kind: 'dict', entries: [{ key, value }] };
  }
  return parseEntries(cursor, [{ key, value }]);
}

function parseEntries(cursor: Cursor, entries: DictEntry[]): Node {
  readUntil(cursor, '}', () => entries.push(parseEntry(cursor)));
  return { kind: 'dict', entries };
}

function parseEntry(cursor: Cursor): DictEntry {
  if (accept(cursor, '**')) return { value: cursor.rules.bitwise(cursor) };
  const key = cursor.rules.expression(cursor);
  expect(cursor, ':');
  return { key, value: cursor.rules.expression(cursor) };
}

interface Loop {
  readonly result: 'list' | 'set' | 'generator';
  readonly closing: string;
}

function parseLoop(cursor: Cursor, first: Item, { result, closing }: Loop): Node {
  const element = refuseStar(cursor, first, STAR_IN_COMPREHENSION);
  const comprehension = parseClauses(cursor, { result, element });
  expect(cursor, closing);
  return comprehension;
}

function parseRest(cursor: Cursor, first: Item, closing: string): Item[] {
  const items = [first];
  if (accept(cursor, ',')) readUntil(cursor, closing, () => items.push(parseItem(cursor)));
  else expect(cursor, closing);
  return items;
}
