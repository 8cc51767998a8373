import type { InviteRow, OrgRecord, UserRecord } from '../../shared/accounts/rows.ts';
import { AppError, invalidField, unauthenticated } from '../../shared/errors.ts';
import type { OperatorActor, UserActor } from '../../shared/identity/actor.ts';
import { demandGoodPassword } from '../../shared/passwords/rules.ts';
import { ConditionFailed } from '../../shared/store/dynamodb.ts';
import { newPerson } from './account-records.ts';
import type { Arrival, Outcome } from '../../shared/accounts/arrival.ts';
import { changedMeanwhile } from '../../shared/accounts/changing-user.ts';
import { ssoStart } from './login-mode.ts';
import type { Origin, Parts } from './parts.ts';
import { accountOf } from './reauthenticate.ts';

export interface InviteView {
  readonly organizationName: string;
  readonly email: string;
  readonly name: string | null;
  readonly role: InviteRow['role'];
  readonly mode: 'NATIVE' | 'SSO';
  readonly needsPassword: boolean;
  readonly expiresAt: string;
}

export interface Acceptance {
  readonly token: string;
  readonly name?: string;
  readonly password?: string;
  readonly actor: UserActor | OperatorActor | undefined;
}

/** Joining an organization: only with an invitation, and only as the person it was mailed to. */
export interface Invites {
  view(token: string): Promise<InviteView>;
  accept(acceptance: Acceptance, origin: Origin): Promise<Outcome | { mode: 'SSO'; startUrl: string }>;
}

export const createInvites = (parts: Parts, arrival: Arrival): Invites => ({
  async view(token) {
    const { invite, org } = await open(parts, token);
    const mode = ssoStart(parts.settings, org, invite.email) ? 'SSO' : 'NATIVE';
    return {
      organizationName: org.name,
      email: invite.email,
      name: invite.name ?? null,
      role: invite.role,
      mode,
      needsPassword: mode === 'NATIVE' && !(await parts.invites.hasAccount(invite.email)),
      expiresAt: new Date(invite.expiresAt).toISOString(),
    };
  },
  async accept(acceptance, origin) {
    const { invite, org } = await open(parts, acceptance.token);
    const startUrl = ssoStart(parts.settings, org, invite.email);
    if (startUrl) return { mode: 'SSO', startUrl };
    const hasAccount = await parts.invites.hasAccount(invite.email);
    const joined = hasAccount
      ? await joinWithAccount(parts, invite, { acceptance, origin })
      : await joinAnew(parts, invite, { acceptance, origin });
    return arrival.admit({ user: joined, org }, origin, { amr: ['invite'], action: 'invite.signed_in' });
  },
});

/** Expired, used, revoked and never sent look alike. */
const gone = () => new AppError('invite_invalid', 'This invitation is not valid any more');

async function open(parts: Parts, token: string): Promise<{ invite: InviteRow; org: OrgRecord }> {
  const invite = await parts.invites.find(token, parts.now());
  const org = invite && (await parts.users.org(invite.orgId));
  if (!invite || !org) throw gone();
  if (org.status === 'SUSPENDED') throw new AppError('organization_suspended', 'The organization is suspended');
  return { invite, org };
}

interface Joining {
  readonly acceptance: Acceptance;
  readonly origin: Origin;
}

/** The link came by mail, so the address is proved. */
async function joinAnew(parts: Parts, invite: InviteRow, { acceptance, origin }: Joining): Promise<UserRecord> {
  const name = acceptance.name ?? invite.name;
  if (name === undefined) throw invalidField(['body', 'name'], 'Field required', 'missing');
  if (acceptance.password === undefined) throw invalidField(['body', 'password'], 'Field required', 'missing');
  demandGoodPassword(acceptance.password, parts.settings, { words: [name, invite.email] });
  const passwordHash = await parts.passwords.hash(acceptance.password);
  const person = newPerson({ name, email: invite.email, passwordHash }, parts.now());
  const user: UserRecord = { ...person, ...placeOf(invite), emailVerified: true };
  await parts.invites.acceptNew(invite, user, actOf(user, invite, origin)).catch(explain);
  return user;
}

async function joinWithAccount(parts: Parts, invite: InviteRow, { acceptance, origin }: Joining) {
  const { actor } = acceptance;
  if (actor?.kind !== 'user' || actor.email.toLowerCase() !== invite.email) {
    throw unauthenticated(`Sign in as ${invite.email} to accept this invitation`);
  }
  const before = await accountOf(parts, actor.userId);
  if (before.orgId !== null) {
    throw new AppError('account_in_other_org', 'Your account belongs to another organization; leave it first');
  }
  const user: UserRecord = { ...before, ...placeOf(invite), emailVerified: true, updatedAt: parts.now() };
  await parts.invites.acceptExisting(invite, { before, user }, actOf(user, invite, origin)).catch(explain);
  return { ...user, tokenVersion: before.tokenVersion + 1 };
}

const placeOf = ({ orgId, role, groupIds, departmentId }: InviteRow) => ({
  orgId,
  role,
  groups: groupIds,
  departmentId,
});

function actOf(user: UserRecord, { orgId, inviteId, role }: InviteRow, { ip, requestId }: Origin) {
  const actor = { kind: 'user', id: user.userId } as const;
  const target = { kind: 'invite', id: inviteId };
  return { action: 'invite.accepted', actor, target, orgId, ip, requestId, details: { role } };
}

function explain(error: unknown): never {
  if (!(error instanceof ConditionFailed)) throw error;
  throw error.what === 'token' || error.what === 'org' ? gone() : changedMeanwhile();
}
