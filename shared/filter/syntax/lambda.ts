import { accept, expect, fail, isAt, takeName, type Cursor } from './cursor.ts';
import type { Lambda, Parameter } from './node.ts';

export function parseLambda(cursor: Cursor): Lambda {
  expect(cursor, 'lambda');
  const parameters: Parameter[] = [];
  const state = { hasStar: false, hasBareStar: false };
  while (!isAt(cursor, ':')) {
    if (parameters.at(-1)?.kind === 'keywords') fail(cursor, 'arguments cannot follow var-keyword argument');
    parseParameter(cursor, parameters, state);
    if (!accept(cursor, ',')) break;
  }
  if (state.hasBareStar && parameters.at(-1)?.kind !== 'keyword') fail(cursor, 'named arguments must follow bare *');
  expect(cursor, ':');
  return { kind: 'lambda', parameters, body: cursor.rules.expression(cursor) };
}

interface StarState {
  hasStar: boolean;
  hasBareStar: boolean;
}

function parseParameter(cursor: Cursor, parameters: Parameter[], state: StarState): void {
  if (accept(cursor, '**')) {
    parameters.push({ name: newName(cursor, parameters), kind: 'keywords' });
  } else if (accept(cursor, '*')) {
    if (state.hasStar) fail(cursor);
    state.hasStar = true;
    state.hasBareStar = isAt(cursor, ',');
    if (!state.hasBareStar) parameters.push({ name: newName(cursor, parameters), kind: 'rest' });
  } else if (accept(cursor, '/')) {
    markPositional(cursor, parameters, state);
  } else {
    parseNamedParameter(cursor, parameters, state);
  }
}

/** A `/` makes everything before it positional only. */
function markPositional(cursor: Cursor, parameters: Parameter[], { hasStar }: StarState): void {
  const isMisplaced = hasStar || parameters.length === 0 || parameters[0]?.kind === 'positional';
  if (isMisplaced) fail(cursor);
  parameters.forEach((parameter, index) => (parameters[index] = { ...parameter, kind: 'positional' }));
}

function parseNamedParameter(cursor: Cursor, parameters: Parameter[], { hasStar }: StarState): void {
  const name = newName(cursor, parameters);
  const value = accept(cursor, '=') ? cursor.rules.expression(cursor) : undefined;
  const lacksDefault = !hasStar && value === undefined && parameters.some((other) => other.default !== undefined);
  if (lacksDefault) fail(cursor, 'non-default argument follows default argument');
  parameters.push({ name, kind: hasStar ? 'keyword' : 'any', default: value });
}

function newName(cursor: Cursor, parameters: readonly Parameter[]): string {
  const name = takeName(cursor);
  if (parameters.some((other) => other.name === name)) {
    fail(cursor, `duplicate argument '${name}' in function definition`);
  }
  return name;
}
