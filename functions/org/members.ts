import type { ResetLinks } from '../../shared/accounts/reset-links.ts';
import type { UserRecord } from '../../shared/accounts/rows.ts';
import type { Act, Audit } from '../../shared/audit/audit.ts';
import { AppError, forbidden, notFound } from '../../shared/errors.ts';
import type { Role, UserActor } from '../../shared/identity/actor.ts';
import type { Letter } from '../../shared/mail/letter.ts';
import type { Outbox } from '../../shared/mail/outbox.ts';
import { changeMember, lastAdmin, readUser } from '../../shared/membership/change-member.ts';
import * as changes from '../../shared/membership/changes.ts';
import * as letters from '../../shared/membership/letters.ts';
import { demandRunning } from '../../shared/plans/limit-reached.ts';
import { limitsOf } from '../../shared/plans/plans.ts';
import type { ConditionFailed } from '../../shared/store/dynamodb.ts';
import type { Operation } from '../../shared/store/transaction.ts';
import type { Clock } from '../../shared/time.ts';
import { assignableRole } from './role.ts';
import { seatsGone, type WithSeats } from './seats.ts';

/** Someone of an organization who asks, and from where. */
export interface By {
  readonly actor: UserActor & { readonly orgId: string };
  readonly ip: string;
  readonly requestId: string;
}

export interface Parts {
  readonly audit: Audit;
  readonly outbox: Outbox;
  readonly now: Clock;
  readonly withSeats: WithSeats;
  readonly resetLinks: ResetLinks;
}

/** What administrators do to the people of their own organization. Everyone else does not exist for them. */
export const createMembers = (parts: Parts) => ({
  setRole: (by: By, userId: string, role: string) => take(parts, by, userId, roleStep(parts, assignableRole(role))),
  deactivate: (by: By, userId: string, reason?: string) => take(parts, by, userId, deactivation(parts, reason)),
  reactivate: (by: By, userId: string, reason?: string) =>
    parts.withSeats(by.actor.orgId, () => take(parts, by, userId, reactivation(parts, by, reason))),
  async remove(by: By, userId: string): Promise<void> {
    await take(parts, by, userId, removal(parts, userId === by.actor.userId));
  },
  async revokeSessions(by: By, userId: string): Promise<void> {
    await take(parts, by, userId, signOut(parts));
  },
  async sendReset(by: By, userId: string): Promise<void> {
    const user = await readUser(userId);
    if (!user || user.orgId !== by.actor.orgId) throw notFound('User');
    if (user.passwordHash === null)
      throw new AppError('password_managed_externally', 'Another directory keeps this password');
    const target = { kind: 'user', id: userId };
    await parts.audit.record({ ...actOf(by), action: 'member.reset_sent', target });
    await parts.resetLinks.send({ id: user.userId, name: user.name, email: user.email });
  },
});

export type Members = ReturnType<typeof createMembers>;

interface Step {
  readonly action: string;
  readonly details?: Act['details'];
  /** Nothing when the person already is as wanted. */
  readonly plan: (user: UserRecord) => readonly Operation[] | undefined;
  readonly refuse?: (failed: ConditionFailed) => AppError;
  readonly letter: (user: UserRecord) => Letter;
}

/** Change, audit row and counts in one transaction; the mail once it is done. */
async function take({ audit, outbox }: Parts, by: By, userId: string, step: Step): Promise<UserRecord> {
  const isOurs = (user: UserRecord) => user.orgId === by.actor.orgId;
  const act = { ...actOf(by), action: step.action, target: { kind: 'user', id: userId }, details: step.details };
  const { user, isChanged } = await changeMember(userId, isOurs, {
    plan: (current) => step.plan(current)?.concat(audit.recording(act)),
    refuse: step.refuse ?? lastAdmin,
  });
  if (isChanged) await outbox.send(user.email, step.letter(user));
  return user;
}

const roleStep = ({ now }: Parts, role: Role): Step => ({
  action: 'member.role_changed',
  details: { role },
  plan: (user) => (user.role === role ? undefined : changes.changingRole(user, role, now())),
  letter: ({ name }) => letters.roleChanged({ name, role }),
});

const deactivation = ({ now }: Parts, reason: string | undefined): Step => ({
  action: 'member.deactivated',
  details: reason ? { reason } : {},
  plan: (user) => (user.status === 'INACTIVE' ? undefined : changes.deactivating(user, 'ORGANIZATION', now())),
  letter: letters.deactivated,
});

const reactivation = ({ now }: Parts, { actor: { plan } }: By, reason: string | undefined): Step => ({
  action: 'member.reactivated',
  details: reason ? { reason } : {},
  plan(user) {
    if (user.status === 'ACTIVE') return undefined;
    if (user.deactivatedBy === 'PLATFORM') throw forbidden('The platform has deactivated this account');
    demandRunning(plan, now());
    return changes.reactivating(user, limitsOf(plan).seats, now());
  },
  refuse: (failed) => seatsGone(plan, failed, now()),
  letter: letters.reactivated,
});

const removal = ({ now }: Parts, isOwn: boolean): Step => ({
  action: isOwn ? 'member.left' : 'member.removed',
  plan: (user) => changes.removing(user, now()),
  letter: letters.removed,
});

const signOut = ({ now }: Parts): Step => ({
  action: 'member.sessions_revoked',
  plan: (user) => changes.endingSessions(user, now()),
  letter: letters.sessionsEnded,
});

export const actOf = ({ actor, ip, requestId }: By) => ({
  actor: { kind: 'user' as const, id: actor.userId },
  orgId: actor.orgId,
  ip,
  requestId,
});
