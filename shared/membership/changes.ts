import { memberKey, type UserRecord } from '../accounts/rows.ts';
import type { Role } from '../identity/actor.ts';
import { orgKey, userKey } from '../identity/rows.ts';
import { present, when, type Change, type Condition } from '../store/expression.ts';
import { openTable } from '../store/table.ts';
import { deleting, updating, type Operation } from '../store/transaction.ts';
import type { Millis } from '../time.ts';

/**
 * What must agree when a person's place changes: the user's own row (rights, and a new token version that ends every
 * session), the row in the team list, and the organization's counts. Each function gives the rows of one transaction.
 */

const accounts = openTable('accounts');

/** Labels that tell why a transaction was refused. */
export const STALE = 'user';
export const COUNTS = 'organization';

const isAdmin = (user: UserRecord) => user.role === 'ROLE_ORG_ADMIN';
/** There must be another one left when this one goes. */
const OTHER_ADMIN = when('#activeAdmins > :one', { one: 1 });

export function changingRole(user: UserRecord, role: Role, now: Millis): Operation[] {
  const step = user.status === 'ACTIVE' ? (role === 'ROLE_ORG_ADMIN' ? 1 : -1) : 0;
  return [
    updatingUser(user, { set: { role, updatedAt: now } }),
    ...updatingMember(user, { role }),
    ...updatingCounts(user, { activeAdmins: step }, step < 0 ? OTHER_ADMIN : undefined),
  ];
}

export function deactivating(user: UserRecord, by: 'ORGANIZATION' | 'PLATFORM', now: Millis): Operation[] {
  const counts = { activeMembers: -1, inactiveMembers: 1, seatsTaken: -1, activeAdmins: isAdmin(user) ? -1 : 0 };
  return [
    updatingUser(user, { set: { status: 'INACTIVE', deactivatedBy: by, updatedAt: now } }),
    ...updatingMember(user, { status: 'INACTIVE' }),
    ...updatingCounts(user, counts, isAdmin(user) ? OTHER_ADMIN : undefined),
  ];
}

/** Already switched off by the organization; now it cannot switch the person on again. */
export const barring = (user: UserRecord, now: Millis): Operation[] => [
  updatingUser(user, { set: { deactivatedBy: 'PLATFORM', updatedAt: now } }),
];

export function reactivating(user: UserRecord, seats: number | null, now: Millis): Operation[] {
  const counts = { activeMembers: 1, inactiveMembers: -1, seatsTaken: 1, activeAdmins: isAdmin(user) ? 1 : 0 };
  return [
    updatingUser(user, { set: { status: 'ACTIVE', updatedAt: now }, remove: ['deactivatedBy'] }),
    ...updatingMember(user, { status: 'ACTIVE' }),
    ...updatingCounts(user, counts, seatLeft(seats)),
  ];
}

/** The person keeps the account and becomes an individual; what the organization had switched off, it leaves on. */
export function removing(user: UserRecord, now: Millis): Operation[] {
  const isActive = user.status === 'ACTIVE';
  const isBarred = user.deactivatedBy === 'PLATFORM';
  const standing = isBarred ? {} : { remove: ['deactivatedBy'] };
  const place = { orgId: null, role: 'ROLE_USER', groups: [], departmentId: null, breakGlass: false };
  const counts: Record<string, number> = isActive
    ? { activeMembers: -1, seatsTaken: -1, activeAdmins: isAdmin(user) ? -1 : 0 }
    : { inactiveMembers: -1 };
  return [
    updatingUser(user, { set: { ...place, status: isBarred ? 'INACTIVE' : 'ACTIVE', updatedAt: now }, ...standing }),
    ...(user.orgId === null ? [] : [deleting('member', accounts, memberKey(user.orgId, user.userId))]),
    ...updatingCounts(user, counts, isActive && isAdmin(user) ? OTHER_ADMIN : undefined),
  ];
}

/** Nothing changes but the token version: every session ends at its next request. */
export const endingSessions = (user: UserRecord, now: Millis): Operation[] => [
  updatingUser(user, { set: { updatedAt: now } }),
];

/** Keeps a way in with password and code while the company signs in elsewhere. */
export const keepingNativeLogin = (userId: string): Operation =>
  updating('break glass', accounts, userKey(userId), { set: { breakGlass: true }, if: present });

/** Room for one more, or no limit at all. */
export const seatLeft = (seats: number | null): Condition | undefined =>
  seats === null ? undefined : when('#seatsTaken < :seats', { seats });

const updatingUser = (user: UserRecord, change: Change) =>
  updating(STALE, accounts, userKey(user.userId), {
    ...change,
    add: { tokenVersion: 1 },
    if: when('#tokenVersion = :tokenVersion AND #orgId = :orgId AND #role = :role AND #status = :status', {
      tokenVersion: user.tokenVersion,
      orgId: user.orgId,
      role: user.role,
      status: user.status,
    }),
  });

const updatingMember = (user: UserRecord, set: Readonly<Record<string, unknown>>): Operation[] =>
  user.orgId === null ? [] : [updating('member', accounts, memberKey(user.orgId, user.userId), { set })];

function updatingCounts(user: UserRecord, counts: Readonly<Record<string, number>>, condition?: Condition) {
  const add = Object.fromEntries(Object.entries(counts).filter(([, step]) => step !== 0));
  if (user.orgId === null || Object.keys(add).length === 0) return [];
  return [updating(COUNTS, accounts, orgKey(user.orgId), { add, if: condition })];
}
