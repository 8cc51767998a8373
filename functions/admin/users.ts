import type { ResetLinks } from '../../shared/accounts/reset-links.ts';
import type { UserRecord } from '../../shared/accounts/rows.ts';
import { viewUser } from '../../shared/accounts/views.ts';
import type { Act, Audit } from '../../shared/audit/audit.ts';
import type { AuditPage, AuditQuery } from '../../shared/audit/read.ts';
import { AppError, notFound } from '../../shared/errors.ts';
import type { LoginGuard } from '../../shared/identity/login-guard.ts';
import type { Letter } from '../../shared/mail/letter.ts';
import type { Outbox } from '../../shared/mail/outbox.ts';
import { changeMember, lastAdmin, readUser } from '../../shared/membership/change-member.ts';
import * as changes from '../../shared/membership/changes.ts';
import * as letters from '../../shared/membership/letters.ts';
import { limitReached } from '../../shared/plans/limit-reached.ts';
import { limitsOf, PERSONAL } from '../../shared/plans/plans.ts';
import type { ConditionFailed } from '../../shared/store/dynamodb.ts';
import type { Operation } from '../../shared/store/transaction.ts';
import type { Clock } from '../../shared/time.ts';
import { actOf, type By } from './parts.ts';
import type { PlatformStore } from './platform-store.ts';

interface Parts {
  readonly store: PlatformStore;
  readonly audit: Audit;
  readonly outbox: Outbox;
  readonly guard: LoginGuard;
  readonly userResets: ResetLinks;
  readonly readAudit: (query: AuditQuery) => Promise<AuditPage>;
  readonly now: Clock;
}

interface Query {
  readonly q?: string;
  readonly limit: number;
  readonly nextToken?: string;
  readonly status?: UserRecord['status'];
  readonly organizationId?: string;
}

/** Operators about people, whichever organization they belong to. */
export const createUsers = (parts: Parts) => ({
  async list({ status, organizationId, nextToken, ...page }: Query) {
    const matches = (user: UserRecord) =>
      (status === undefined || user.status === status) &&
      (organizationId === undefined || user.orgId === organizationId);
    const { users, cursor } = await parts.store.users({ ...page, cursor: nextToken, matches });
    return { data: users.map(viewUser), nextToken: cursor ?? null };
  },
  get: async (userId: string) => viewUser(await find(userId)),
  deactivate: (by: By, userId: string, reason?: string) => take(parts, by, userId, deactivation(parts, reason)),
  reactivate: async (by: By, userId: string) => take(parts, by, userId, await reactivation(parts, userId)),
  async revokeSessions(by: By, userId: string) {
    await take(parts, by, userId, signOut(parts));
  },

  async unlock(by: By, userId: string) {
    const user = await find(userId);
    await parts.guard.unlock(user.email.toLowerCase(), await placesOfFailure(parts, user));
    await Promise.all(actsOn(by, user, { action: 'user.unlocked' }).map((act) => parts.audit.record(act)));
  },

  async sendReset(by: By, userId: string) {
    const user = await find(userId);
    if (user.passwordHash === null)
      throw new AppError('password_managed_externally', 'Another directory keeps this password');
    await Promise.all(actsOn(by, user, { action: 'user.reset_sent' }).map((act) => parts.audit.record(act)));
    await parts.userResets.send({ id: user.userId, name: user.name, email: user.email });
  },
});

interface Step {
  readonly action: string;
  readonly details?: Act['details'];
  readonly plan: (user: UserRecord) => readonly Operation[] | undefined;
  readonly refuse: (failed: ConditionFailed) => AppError;
  readonly letter: (user: UserRecord) => Letter;
}

async function take({ audit, outbox }: Parts, by: By, userId: string, step: Step) {
  const { user, isChanged } = await changeMember(userId, () => true, {
    plan: (current) => step.plan(current)?.concat(actsOn(by, current, step).map((act) => audit.recording(act))),
    refuse: step.refuse,
  });
  if (isChanged) await outbox.send(user.email, step.letter(user));
  return viewUser(user);
}

/** What an organization had switched off stays off for it too, once the platform has said so. */
const deactivation = ({ now }: Parts, reason: string | undefined): Step => ({
  action: 'user.deactivated',
  details: reason ? { reason } : {},
  plan(user) {
    if (user.deactivatedBy === 'PLATFORM') return undefined;
    return user.status === 'INACTIVE' ? changes.barring(user, now()) : changes.deactivating(user, 'PLATFORM', now());
  },
  refuse: lastAdmin,
  letter: letters.deactivated,
});

async function reactivation({ store, now }: Parts, userId: string): Promise<Step> {
  const { orgId } = await find(userId);
  const org = orgId === null ? undefined : await store.organization(orgId);
  const plan = org?.plan ?? PERSONAL;
  return {
    action: 'user.reactivated',
    plan: (user) => (user.status === 'ACTIVE' ? undefined : changes.reactivating(user, limitsOf(plan).seats, now())),
    refuse: (failed) =>
      limitReached({ plan, limit: 'seats', used: Number(failed.existing?.['seatsTaken'] ?? 0) }, now()),
    letter: letters.reactivated,
  };
}

const signOut = ({ now }: Parts): Step => ({
  action: 'user.sessions_revoked',
  plan: (user) => changes.endingSessions(user, now()),
  refuse: lastAdmin,
  letter: letters.sessionsEnded,
});

const RECENTLY = 15 * 60_000;

/** From where the person has tried in vain; locks by place are no longer than this. */
async function placesOfFailure({ readAudit, now }: Parts, { userId, orgId }: UserRecord): Promise<string[]> {
  const span = { from: now() - RECENTLY, to: now(), limit: 1000 };
  const { entries } = await readAudit({ ...span, orgId, action: 'login.failed' });
  return entries.flatMap(({ target, ip }) => (target?.id === userId && ip !== null ? [ip] : []));
}

async function find(userId: string): Promise<UserRecord> {
  const user = await readUser(userId);
  if (!user) throw notFound('User');
  return user;
}

/** Both sides read it: the person's organization, when there is one, and the platform. */
function actsOn(by: By, { userId, orgId }: UserRecord, { action, details }: Pick<Step, 'action' | 'details'>): Act[] {
  const act = { ...actOf(by), action, target: { kind: 'user', id: userId }, details };
  return orgId === null ? [act] : [act, { ...act, orgId }];
}
