import * as z from 'zod';
import { memberKey, type UserRecord } from '../../shared/accounts/rows.ts';
import { userKey } from '../../shared/identity/rows.ts';
import { STALE } from '../../shared/membership/changes.ts';
import { batchGet } from '../../shared/store/batch.ts';
import { ConditionFailed } from '../../shared/store/dynamodb.ts';
import { present, unchanged, when } from '../../shared/store/expression.ts';
import { openTable } from '../../shared/store/table.ts';
import { checking, deleting, putting, transact, updating, type Operation } from '../../shared/store/transaction.ts';

/**
 * Groups and departments, of which an organization has hundreds at most: `ORG#<id> / GROUP#<unit>` and `DEPT#<unit>`.
 * Each kind has a head row with a version that every change raises, so names stay unique and trees stay trees although
 * those rules look at all of them. Who is in one stands on the user's row and on the row in the team list.
 */
export type Kind = 'GROUP' | 'DEPT';

export const UnitRow = z.object({
  unitId: z.string(),
  name: z.string(),
  description: z.string().default(''),
  parentId: z.string().nullable().default(null),
  createdAt: z.number(),
  updatedAt: z.number(),
});
export type UnitRow = z.output<typeof UnitRow>;

/** All units of one kind, and the version they were read at. */
export interface Units {
  readonly all: readonly UnitRow[];
  readonly version: number;
}

export interface UnitPlace {
  readonly orgId: string;
  readonly kind: Kind;
}

const accounts = openTable('accounts');
const unitKey = ({ orgId, kind }: UnitPlace, unitId: string) => ({ pk: `ORG#${orgId}`, sk: `${kind}#${unitId}` });
const headKey = ({ orgId, kind }: UnitPlace) => ({ pk: `ORG#${orgId}`, sk: `UNITS#${kind}` });

export const createUnitStore = () => ({
  /** The head is read first: what changes after that makes the commit fail. */
  async read(place: UnitPlace): Promise<Units> {
    const head = await accounts.get(headKey(place));
    const all = await Array.fromAsync(accounts.walk({ pk: `ORG#${place.orgId}`, prefix: unitKey(place, '').sk }));
    return { all: all.map((row) => UnitRow.parse(row)), version: Number(head?.['version'] ?? 0) };
  },
  async exist(place: UnitPlace, unitIds: readonly string[]): Promise<boolean> {
    const rows = await batchGet(unitIds.map((unitId) => ({ table: accounts, key: unitKey(place, unitId) })));
    return rows.every((row) => row !== undefined);
  },
  saving: (place: UnitPlace, unit: UnitRow): Operation =>
    putting('unit', accounts, { ...unitKey(place, unit.unitId), ...unit }),
  dropping: (place: UnitPlace, unitId: string): Operation => deleting('unit', accounts, unitKey(place, unitId)),
  standing: (place: UnitPlace, unitId: string): Operation =>
    checking('unit', accounts, unitKey(place, unitId), present),
  commit,
  memberIds,
  placing,
});

export type UnitStore = ReturnType<typeof createUnitStore>;

/** False when someone else has changed the units since they were read. */
async function commit(place: UnitPlace, { version }: Units, operations: readonly Operation[]): Promise<boolean> {
  const isUnchanged = version === 0 ? when('attribute_not_exists(#version)') : unchanged(version);
  try {
    const head = updating('head', accounts, headKey(place), { add: { version: 1 }, if: isUnchanged });
    await transact([head, ...operations]);
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed && error.what === 'head') return false;
    throw error;
  }
}

/** Who is in the unit, by the team list. */
async function memberIds({ orgId, kind }: UnitPlace, unitId: string): Promise<string[]> {
  const isIn = kind === 'GROUP' ? 'contains(#groups, :unitId)' : '#departmentId = :unitId';
  const query = { pk: `ORG#${orgId}`, prefix: memberKey(orgId, '').sk, filter: when(isIn, { unitId }) };
  const rows = await Array.fromAsync(accounts.walk(query));
  return rows.map((row) => String(row['userId']));
}

const SAME_PLACE = [
  '#orgId = :orgId',
  '(attribute_not_exists(#groups) OR #groups = :groups)',
  '(attribute_not_exists(#departmentId) OR #departmentId = :departmentId)',
].join(' AND ');

/** Both rows of one person, as long as nobody has changed their place since they were read. */
function placing(user: UserRecord, set: { groups: string[] } | { departmentId: string | null }): Operation[] {
  const { orgId, groups, departmentId } = user;
  return [
    updating(STALE, accounts, userKey(user.userId), { set, if: when(SAME_PLACE, { orgId, groups, departmentId }) }),
    updating('member', accounts, memberKey(String(orgId), user.userId), { set }),
  ];
}
