import { accept, fail, isAt, peek, type Cursor } from './cursor.ts';
import type { Item, Node } from './node.ts';

/** An expression, or `name := expression`. */
export function parseNamed(cursor: Cursor): Node {
  const token = peek(cursor);
  if (token.type !== 'name' || !isAt(cursor, ':=', 1)) return cursor.rules.expression(cursor);
  cursor.index += 2;
  return { kind: 'assignment', name: token.text, value: cursor.rules.expression(cursor) };
}

/** A named expression, or `*iterable`. */
export function parseItem(cursor: Cursor): Item {
  if (accept(cursor, '*')) return { kind: 'starred', value: cursor.rules.bitwise(cursor) };
  return parseNamed(cursor);
}

/** For places where `*iterable` was read but cannot stand. */
export function refuseStar(cursor: Cursor, item: Item, message: string): Node {
  return item.kind === 'starred' ? fail(cursor, message) : item;
}
