import type { MemberRow } from '../../shared/accounts/rows.ts';
import { viewUser } from '../../shared/accounts/views.ts';
import type { Audit } from '../../shared/audit/audit.ts';
import { conflict, notFound } from '../../shared/errors.ts';
import type { Paging } from '../../shared/http/paging.ts';
import { changeMember } from '../../shared/membership/change-member.ts';
import { actOf, type By } from './members.ts';
import type { OrgStore } from './store.ts';
import { NAMES } from './unit-rules.ts';
import type { UnitPlace, UnitStore } from './unit-store.ts';

interface Parts {
  readonly store: UnitStore;
  readonly audit: Audit;
  readonly team: Pick<OrgStore, 'members' | 'users'>;
}

interface Seat {
  readonly place: UnitPlace;
  readonly unitId: string;
  readonly userId: string;
}

const MOST_GROUPS = 30;
const AT_ONCE = 10;

/** Who is in a group or department. */
export const createUnitMembers = (parts: Parts) => ({
  async list({ orgId, kind }: UnitPlace, unitId: string, { limit, nextToken }: Paging) {
    await demandUnit(parts, { orgId, kind }, unitId);
    const matches = ({ groups, departmentId }: MemberRow) =>
      kind === 'GROUP' ? groups.includes(unitId) : departmentId === unitId;
    const { members, cursor } = await parts.team.members(orgId, { limit, cursor: nextToken, matches });
    const users = await parts.team.users(members.map(({ userId }) => userId));
    return { data: users.map(viewUser), nextToken: cursor ?? null };
  },

  /** Each person is one transaction; a request that dies half-way is finished by sending it again. */
  async replace(by: By, place: UnitPlace, { unitId, userIds }: { unitId: string; userIds: readonly string[] }) {
    await demandUnit(parts, place, unitId);
    const wanted = new Set(userIds);
    const found = await parts.team.users([...wanted]);
    if (found.filter((user) => user.orgId === place.orgId).length !== wanted.size) throw notFound('User');
    const current = new Set(await parts.store.memberIds(place, unitId));
    const added = [...wanted].filter((userId) => !current.has(userId));
    const removed = [...current].filter((userId) => !wanted.has(userId));
    await inTurns(added, (userId) => putIn(parts, { place, unitId, userId }));
    await inTurns(removed, (userId) => takeOut(parts, { place, unitId, userId }));
    const counts = { added: added.length, removed: removed.length };
    const target = { kind: place.kind.toLowerCase(), id: unitId };
    await parts.audit.record({ ...actOf(by), action: `${target.kind}.members_changed`, target, details: counts });
    return counts;
  },

  async clear(place: UnitPlace, unitId: string): Promise<void> {
    const userIds = await parts.store.memberIds(place, unitId);
    await inTurns(userIds, (userId) => takeOut(parts, { place, unitId, userId }));
  },
});

export type UnitMembers = ReturnType<typeof createUnitMembers>;

async function demandUnit({ store }: Parts, place: UnitPlace, unitId: string) {
  if (!(await store.exist(place, [unitId]))) throw notFound(NAMES[place.kind]);
}

/** Refused once the unit is gone, so nobody joins what is being deleted. */
const putIn = ({ store }: Parts, { place, unitId, userId }: Seat) =>
  changeMember(userId, (user) => user.orgId === place.orgId, {
    plan(user) {
      if (place.kind === 'DEPT')
        return [...store.placing(user, { departmentId: unitId }), store.standing(place, unitId)];
      if (user.groups.includes(unitId)) return undefined;
      if (user.groups.length >= MOST_GROUPS) throw conflict(`A person can be in at most ${MOST_GROUPS} groups`);
      return [...store.placing(user, { groups: [...user.groups, unitId] }), store.standing(place, unitId)];
    },
    refuse: () => notFound(NAMES[place.kind]),
  });

const takeOut = ({ store }: Parts, { place, unitId, userId }: Seat) =>
  changeMember(userId, (user) => user.orgId === place.orgId, {
    plan(user) {
      if (place.kind === 'DEPT')
        return user.departmentId === unitId ? store.placing(user, { departmentId: null }) : undefined;
      const groups = user.groups.filter((group) => group !== unitId);
      return groups.length === user.groups.length ? undefined : store.placing(user, { groups });
    },
    refuse: () => notFound('User'),
  });

async function inTurns(ids: readonly string[], work: (id: string) => Promise<unknown>) {
  for (let at = 0; at < ids.length; at += AT_ONCE) await Promise.all(ids.slice(at, at + AT_ONCE).map(work));
}
