import { parseClauses } from './comprehension.ts';
import { accept, expect, fail, isAt, peek, type Cursor } from './cursor.ts';
import { parseNamed } from './named.ts';
import type { Call, Item, Keyword } from './node.ts';

interface Arguments {
  readonly positional: Item[];
  readonly keywords: Keyword[];
}

/** The arguments of a call, after its opening parenthesis and through the closing one. */
export function parseArguments(cursor: Cursor): Pick<Call, 'positional' | 'keywords'> {
  const found: Arguments = { positional: [], keywords: [] };
  while (!isAt(cursor, ')')) {
    parseArgument(cursor, found);
    if (!accept(cursor, ',')) break;
  }
  expect(cursor, ')');
  return found;
}

function parseArgument(cursor: Cursor, found: Arguments): void {
  if (accept(cursor, '**')) {
    found.keywords.push({ value: cursor.rules.expression(cursor) });
  } else if (accept(cursor, '*')) {
    if (hasUnpacking(found)) fail(cursor, 'iterable argument unpacking follows keyword argument unpacking');
    found.positional.push({ kind: 'starred', value: cursor.rules.expression(cursor) });
  } else if (isAt(cursor, '=', 1)) {
    parseKeyword(cursor, found);
  } else {
    parsePositional(cursor, found);
  }
}

function parseKeyword(cursor: Cursor, found: Arguments): void {
  const { type, text: name } = peek(cursor);
  if (type !== 'name') fail(cursor);
  if (found.keywords.some((keyword) => keyword.name === name)) fail(cursor, `keyword argument repeated: ${name}`);
  cursor.index += 2;
  found.keywords.push({ name, value: cursor.rules.expression(cursor) });
}

function parsePositional(cursor: Cursor, found: Arguments): void {
  const value = parseNamed(cursor);
  if (isAt(cursor, 'for')) {
    found.positional.push(parseClauses(cursor, { result: 'generator', element: value }));
    const isAlone = found.positional.length === 1 && found.keywords.length === 0;
    const isLast = isAt(cursor, ')') || (isAt(cursor, ',') && isAt(cursor, ')', 1));
    if (!isAlone || !isLast) fail(cursor, 'Generator expression must be parenthesized');
    return;
  }
  if (hasUnpacking(found)) fail(cursor, 'positional argument follows keyword argument unpacking');
  if (found.keywords.length > 0) fail(cursor, 'positional argument follows keyword argument');
  found.positional.push(value);
}

const hasUnpacking = ({ keywords }: Arguments) => keywords.some(({ name }) => name === undefined);
