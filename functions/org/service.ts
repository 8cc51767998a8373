import type { MemberRow, OrgRecord } from '../../shared/accounts/rows.ts';
import { viewOrganization, viewPlan, viewUser } from '../../shared/accounts/views.ts';
import { AppError, notFound } from '../../shared/errors.ts';
import type { UserActor } from '../../shared/identity/actor.ts';
import { limitsOf } from '../../shared/plans/plans.ts';
import type { Quota } from '../../shared/plans/quota.ts';
import type { Clock } from '../../shared/time.ts';
import { assignableRole } from './role.ts';
import type { OrgStore } from './store.ts';
import type { MemberView, OrganizationView } from './views.ts';

interface Parts {
  readonly store: OrgStore;
  readonly quota: Quota;
  readonly now: Clock;
}

export interface TeamQuery {
  readonly limit: number;
  readonly nextToken?: string;
  readonly status?: 'ACTIVE' | 'INACTIVE';
  readonly role?: string;
  readonly q?: string;
}

/** What people read about their own organization. */
export const createOrganization = ({ store, quota, now }: Parts) => ({
  async mine(actor: UserActor): Promise<OrganizationView> {
    const org = await readOrg(store, actor);
    const full = viewOrganization(org, now());
    if (isAdmin(actor)) return full;
    const { id, name, code, status, authProvider } = full;
    return { id, name, code, status, authProvider };
  },

  async team(actor: UserActor, query: TeamQuery) {
    const org = await readOrg(store, actor);
    const { limit, nextToken: cursor } = query;
    const { members, cursor: next } = await store.members(org.orgId, { limit, cursor, matches: matcher(actor, query) });
    const data = isAdmin(actor) ? await inFull(store, members) : members.map(inShort);
    return { data, nextToken: next ?? null, total: org.activeMembers + (isAdmin(actor) ? org.inactiveMembers : 0) };
  },

  async member(actor: UserActor, userId: string): Promise<MemberView> {
    const orgId = orgOf(actor);
    const [user] = await store.users([userId]);
    if (!user || user.orgId !== orgId) throw notFound('User');
    if (isAdmin(actor) || userId === actor.userId) return viewUser(user);
    if (user.status !== 'ACTIVE') throw notFound('User');
    return inShort(user);
  },

  async usage(actor: UserActor) {
    const [uses, org] = await Promise.all([
      quota.usage(actor),
      actor.orgId === null ? undefined : store.organization(actor.orgId),
    ]);
    const seats = { limit: 'seats', used: org?.seatsTaken ?? 1, size: limitsOf(actor.plan).seats, resetsAt: null };
    return { plan: viewPlan(actor.plan, now()), limits: [seats, ...uses] };
  },
});

export type Organization = ReturnType<typeof createOrganization>;

export const noOrganization = () => new AppError('no_organization', 'You do not belong to an organization');

export function orgOf(actor: UserActor): string {
  if (actor.orgId === null) throw noOrganization();
  return actor.orgId;
}

export async function readOrg(store: OrgStore, actor: UserActor): Promise<OrgRecord> {
  const org = await store.organization(orgOf(actor));
  if (!org) throw noOrganization();
  return org;
}

const isAdmin = (actor: UserActor) => actor.role === 'ROLE_ORG_ADMIN';

function matcher(actor: UserActor, query: TeamQuery) {
  const status = isAdmin(actor) ? query.status : 'ACTIVE';
  const role = query.role === undefined || !isAdmin(actor) ? undefined : assignableRole(query.role);
  const text = query.q?.toLowerCase() ?? '';
  return (member: MemberRow) =>
    (status === undefined || member.status === status) &&
    (role === undefined || member.role === role) &&
    (member.name.toLowerCase().includes(text) || (isAdmin(actor) && member.email.toLowerCase().includes(text)));
}

const inFull = async (store: OrgStore, members: readonly MemberRow[]): Promise<MemberView[]> =>
  (await store.users(members.map(({ userId }) => userId))).map(viewUser);

const inShort = ({ userId, name }: { readonly userId: string; readonly name: string }): MemberView => ({
  id: userId,
  name,
});
