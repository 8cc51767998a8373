import type { Audit } from '../../shared/audit/audit.ts';
import { conflict, invalidField } from '../../shared/errors.ts';
import type { Clock } from '../../shared/time.ts';
import { actOf, type By } from './members.ts';
import { demandFreeName, demandLeaf, demandRoom, demandTree, findUnit } from './unit-rules.ts';
import type { Kind, UnitRow, Units, UnitStore } from './unit-store.ts';
import type { UnitView } from './views.ts';

export interface UnitParts {
  readonly store: UnitStore;
  readonly audit: Audit;
  readonly now: Clock;
  readonly newId: () => string;
}

interface UnitInput {
  readonly name?: string;
  readonly description?: string;
  readonly parentId?: string | null;
}

/** What a change does to one unit, decided with all of them in view. */
interface Decision {
  readonly unit: UnitRow;
  readonly verb: 'created' | 'updated' | 'deleted';
}

const MAX_ATTEMPTS = 8;

/** Groups (a person is in any number) and departments (a tree; a person is in one at most). */
export const createUnits = (parts: UnitParts) => ({
  async list(orgId: string, kind: Kind): Promise<UnitView[]> {
    const { all } = await parts.store.read({ orgId, kind });
    return all.map((unit) => viewUnit(unit, kind)).toSorted((a, b) => a.name.localeCompare(b.name));
  },

  create: (by: By, kind: Kind, input: UnitInput & { readonly name: string }) => {
    const [at, unitId] = [parts.now(), parts.newId()];
    return change(parts, by, kind, ({ all }) => {
      demandRoom(all);
      const { name, description = '', parentId = null } = input;
      return fitting(all, { unitId, name, description, parentId, createdAt: at, updatedAt: at }, 'created');
    });
  },

  update: (by: By, kind: Kind, { unitId, ...input }: UnitInput & { readonly unitId: string }) =>
    change(parts, by, kind, ({ all }) => {
      const old = findUnit(all, unitId, kind);
      const { name = old.name, description = old.description, parentId = old.parentId } = input;
      return fitting(all, { ...old, name, description, parentId, updatedAt: parts.now() }, 'updated');
    }),

  delete: (by: By, kind: Kind, unitId: string) =>
    change(parts, by, kind, ({ all }) => {
      demandLeaf(all, unitId);
      return { unit: findUnit(all, unitId, kind), verb: 'deleted' };
    }),

  /** For invitations: 422 when the organization has no such group or department. */
  async demandAll(orgId: string, groupIds: readonly string[], departmentId: string | null): Promise<void> {
    if (groupIds.length > 0 && !(await parts.store.exist({ orgId, kind: 'GROUP' }, groupIds)))
      throw invalidField(['body', 'groupIds'], 'There is no such group');
    if (departmentId !== null && !(await parts.store.exist({ orgId, kind: 'DEPT' }, [departmentId])))
      throw invalidField(['body', 'departmentId'], 'There is no such department');
  },
});

export type UnitRegister = ReturnType<typeof createUnits>;

function fitting(all: readonly UnitRow[], unit: UnitRow, verb: Decision['verb']): Decision {
  demandFreeName(all, unit);
  demandTree(all, unit);
  return { unit, verb };
}

/** Reads all, decides, commits; when someone else was faster, decides again. */
async function change(
  { store, audit }: UnitParts,
  by: By,
  kind: Kind,
  decide: (units: Units) => Decision,
): Promise<UnitView> {
  const place = { orgId: by.actor.orgId, kind };
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const units = await store.read(place);
    const { unit, verb } = decide(units);
    const target = { kind: kind.toLowerCase(), id: unit.unitId };
    const record = { ...actOf(by), action: `${target.kind}.${verb}`, target, details: { name: unit.name } };
    const row = verb === 'deleted' ? store.dropping(place, unit.unitId) : store.saving(place, unit);
    if (await store.commit(place, units, [row, audit.recording(record)])) return viewUnit(unit, kind);
  }
  throw conflict('Others are changing these at the same moment; try again');
}

const viewUnit = (unit: UnitRow, kind: Kind): UnitView => ({
  id: unit.unitId,
  name: unit.name,
  description: unit.description,
  ...(kind === 'DEPT' && { parentId: unit.parentId }),
  createdAt: new Date(unit.createdAt).toISOString(),
  updatedAt: new Date(unit.updatedAt).toISOString(),
});
