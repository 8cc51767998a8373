import { AppError, conflict, invalidField, notFound } from '../../shared/errors.ts';
import type { Kind, UnitRow } from './unit-store.ts';

/** What holds among all groups, or all departments, of one organization. */

export const NAMES = { GROUP: 'Group', DEPT: 'Department' } as const satisfies Record<Kind, string>;
const MOST = 500;
const DEEPEST = 20;

export function demandRoom(all: readonly UnitRow[]) {
  if (all.length >= MOST) throw conflict(`There can be at most ${MOST} of them`);
}

export function findUnit(all: readonly UnitRow[], unitId: string, kind: Kind): UnitRow {
  const unit = all.find((one) => one.unitId === unitId);
  if (!unit) throw notFound(NAMES[kind]);
  return unit;
}

/** Groups are named once; departments once below the same parent. Case and outer blanks do not tell names apart. */
export function demandFreeName(all: readonly UnitRow[], wanted: UnitRow) {
  const isTaken = all.some(
    (one) => one.unitId !== wanted.unitId && one.parentId === wanted.parentId && plain(one.name) === plain(wanted.name),
  );
  if (isTaken) throw new AppError('name_taken', `There already is one with the name ${wanted.name}`);
}

export function demandTree(all: readonly UnitRow[], wanted: UnitRow) {
  const parents = new Map(all.map((one) => [one.unitId, one.parentId]));
  if (wanted.parentId !== null && !parents.has(wanted.parentId))
    throw invalidField(['body', 'parentId'], 'There is no such department');
  let depth = 0;
  for (let at = wanted.parentId; at !== null; at = parents.get(at) ?? null) {
    if (at === wanted.unitId) throw conflict('A department cannot stand below itself');
    depth += 1;
    if (depth >= DEEPEST) throw conflict(`Departments can be at most ${DEEPEST} deep`);
  }
}

export function demandLeaf(all: readonly UnitRow[], unitId: string) {
  if (all.some((one) => one.parentId === unitId)) throw conflict('Delete or move the departments below it first');
}

const plain = (name: string) => name.trim().normalize('NFC').toLowerCase();
