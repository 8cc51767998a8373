import { assignedNames } from './children.ts';
import { accept, expect, fail, isAt, readUntil, takeName, type Cursor } from './cursor.ts';
import type { Clause, Comprehension, Target } from './node.ts';
import { targetNames } from './target-names.ts';

/** Everything from the first `for` of a comprehension whose element has been read. */
export function parseClauses(cursor: Cursor, head: Pick<Comprehension, 'result' | 'element' | 'value'>): Comprehension {
  const first = parseClause(cursor);
  const others: Clause[] = [];
  while (isAt(cursor, 'for')) others.push(parseClause(cursor));
  const comprehension: Comprehension = { kind: 'comprehension', ...head, first, others };
  refuseRebinding(cursor, comprehension);
  return comprehension;
}

function parseClause(cursor: Cursor): Clause {
  expect(cursor, 'for');
  const target = parseTargets(cursor);
  expect(cursor, 'in');
  const iterable = cursor.rules.disjunction(cursor);
  if (assignedNames(iterable).size > 0) {
    fail(cursor, 'assignment expression cannot be used in a comprehension iterable expression');
  }
  const conditions = [];
  while (accept(cursor, 'if')) conditions.push(cursor.rules.disjunction(cursor));
  return { target, iterable, conditions };
}

function refuseRebinding(cursor: Cursor, comprehension: Comprehension): void {
  const assigned = assignedNames(comprehension);
  for (const { target } of [comprehension.first, ...comprehension.others]) {
    const name = targetNames(target).find((id) => assigned.has(id));
    if (name !== undefined)
      fail(cursor, `assignment expression cannot rebind comprehension iteration variable '${name}'`);
  }
}

function parseTargets(cursor: Cursor): Target {
  const first = parseTarget(cursor);
  if (!isAt(cursor, ',')) {
    if (first.kind === 'starred') fail(cursor, 'starred assignment target must be in a list or tuple');
    return first;
  }
  const targets = [first];
  while (accept(cursor, ',')) {
    if (isAt(cursor, 'in') || isAt(cursor, ')')) break;
    targets.push(parseTarget(cursor));
  }
  return tupleTarget(cursor, targets);
}

function parseTarget(cursor: Cursor): Target {
  if (accept(cursor, '*')) return { kind: 'starred', target: parseTarget(cursor) };
  if (accept(cursor, '(')) return parseParenthesized(cursor);
  if (accept(cursor, '[')) {
    const targets: Target[] = [];
    readUntil(cursor, ']', () => targets.push(parseTarget(cursor)));
    return tupleTarget(cursor, targets);
  }
  const id = takeName(cursor);
  if (isAt(cursor, '.') || isAt(cursor, '[')) fail(cursor, 'a loop may only assign to names');
  return { kind: 'name', id };
}

function parseParenthesized(cursor: Cursor): Target {
  if (accept(cursor, ')')) return { kind: 'tuple', targets: [] };
  const target = parseTargets(cursor);
  expect(cursor, ')');
  return target;
}

function tupleTarget(cursor: Cursor, targets: readonly Target[]): Target {
  const stars = targets.filter(({ kind }) => kind === 'starred');
  if (stars.length > 1) fail(cursor, 'multiple starred expressions in assignment');
  return { kind: 'tuple', targets };
}
