import { parseArguments } from './arguments.ts';
import { parseAtom } from './atom.ts';
import { accept, expect, fail, isAt, readUntil, takeName, type Cursor } from './cursor.ts';
import { parseItem, parseNamed } from './named.ts';
import type { Item, Node } from './node.ts';

/** An atom with the attributes, calls and subscripts that follow it. */
export function parsePrimary(cursor: Cursor): Node {
  let node = parseAtom(cursor);
  for (;;) {
    if (accept(cursor, '.')) node = { kind: 'attribute', object: node, name: takeName(cursor) };
    else if (accept(cursor, '[')) node = { kind: 'subscript', object: node, index: parseIndex(cursor) };
    else if (accept(cursor, '(')) node = { kind: 'call', callee: node, ...parseArguments(cursor) };
    else return node;
  }
}

function parseIndex(cursor: Cursor): Node {
  const first = parseSlice(cursor);
  if (first.kind !== 'starred' && accept(cursor, ']')) return first;
  const items = [first];
  if (accept(cursor, ',')) readUntil(cursor, ']', () => items.push(parseSlice(cursor)));
  else expect(cursor, ']');
  return { kind: 'tuple', items };
}

function parseSlice(cursor: Cursor): Item {
  if (isAt(cursor, '*')) return parseItem(cursor);
  const start = isAt(cursor, ':') ? undefined : parseNamed(cursor);
  if (start && !isAt(cursor, ':')) return start;
  if (start?.kind === 'assignment') fail(cursor);
  expect(cursor, ':');
  const stop = parseBound(cursor);
  const step = accept(cursor, ':') ? parseBound(cursor) : undefined;
  return { kind: 'slice', start, stop, step };
}

function parseBound(cursor: Cursor): Node | undefined {
  const isAbsent = [':', ',', ']'].some((text) => isAt(cursor, text));
  return isAbsent ? undefined : cursor.rules.expression(cursor);
}
