import { hashToken } from '../../shared/accounts/link-token.ts';
import type { InviteRow } from '../../shared/accounts/rows.ts';
import { AppError, notFound } from '../../shared/errors.ts';
import type { Audit } from '../../shared/audit/audit.ts';
import { invitation } from '../../shared/mail/letters.ts';
import type { Outbox } from '../../shared/mail/outbox.ts';
import { demandRunning } from '../../shared/plans/limit-reached.ts';
import { limitsOf } from '../../shared/plans/plans.ts';
import { ConditionFailed } from '../../shared/store/dynamodb.ts';
import type { Throttle } from '../../shared/throttle/throttle.ts';
import type { Clock } from '../../shared/time.ts';
import type { InviteInput } from './invite-routes.ts';
import { inviteIdOf, PENDING, SEATS, type InviteStore } from './invite-store.ts';
import { actOf, type By } from './members.ts';
import { assignableRole } from './role.ts';
import { seatsGone, type WithSeats } from './seats.ts';
import type { InviteView } from './views.ts';

export interface InviteParts {
  readonly store: InviteStore;
  readonly audit: Audit;
  readonly outbox: Outbox;
  readonly throttle: Throttle;
  readonly withSeats: WithSeats;
  readonly now: Clock;
  readonly newToken: () => string;
  readonly linkTo: (token: string) => string;
  readonly organizationName: (orgId: string) => Promise<string>;
  /** Throws 422 for groups or a department the organization does not have. */
  readonly demandUnits: (orgId: string, groupIds: readonly string[], departmentId: string | null) => Promise<void>;
}

export interface Outcome {
  readonly email: string;
  readonly status: number;
  readonly invite?: InviteView;
  readonly error?: { readonly code: string; readonly message: string };
}

const DAYS = 7;
const DAY = 86_400_000;
/** Enough for a large company's first day, too little to use us for sending junk. */
const MAILS = { kind: 'invite-org', limit: 500, windowMs: DAY };
const MAILS_TO_ONE = { kind: 'invite-mail', limit: 5, windowMs: DAY };

export const createInvites = (parts: InviteParts) => ({
  invite: (by: By, input: InviteInput) => inviteOne(parts, by, input),

  /** One after the other, so that the seats go to those who stand first. */
  async inviteMany(by: By, inputs: readonly InviteInput[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const input of inputs) outcomes.push(await outcomeOf(input.email, inviteOne(parts, by, input)));
    return outcomes;
  },

  async list(by: By, { limit, nextToken }: { limit: number; nextToken?: string }) {
    const { invites, cursor } = await parts.store.list(by.actor.orgId, limit, nextToken);
    return { data: invites.map((invite) => viewInvite(invite, parts.now())), nextToken: cursor ?? null };
  },

  async resend(by: By, inviteId: string): Promise<InviteView> {
    const old = await parts.store.get(by.actor.orgId, inviteId);
    if (!old) throw notFound('Invitation');
    demandRunning(by.actor.plan, parts.now());
    const token = parts.newToken();
    const fresh = { ...old, tokenHash: hashToken(token), expiresAt: parts.now() + DAYS * DAY };
    await withinMailBudget(parts, fresh, async () => {
      const isDone = await parts.store.rotate(old, fresh, [recordOf(parts, by, 'invite.resent', old)]);
      if (!isDone) throw notFound('Invitation');
    });
    await mail(parts, by, { invite: fresh, token });
    return viewInvite(fresh, parts.now());
  },

  async revoke(by: By, inviteId: string): Promise<void> {
    const invite = await parts.store.get(by.actor.orgId, inviteId);
    const isDone = invite && (await parts.store.revoke(invite, [recordOf(parts, by, 'invite.revoked', invite)]));
    if (!isDone) throw notFound('Invitation');
  },
});

export type Invites = ReturnType<typeof createInvites>;

async function inviteOne(parts: InviteParts, by: By, input: InviteInput): Promise<InviteView> {
  const { store, now } = parts;
  const { orgId, plan } = by.actor;
  const role = assignableRole(input.role);
  demandRunning(plan, now());
  await parts.demandUnits(orgId, input.groupIds, input.departmentId);
  if (await store.memberWith(orgId, input.email))
    throw new AppError('already_member', 'This person already belongs to your organization');
  const token = parts.newToken();
  const { message, ...fields } = input;
  const invite: InviteRow = {
    ...fields,
    role,
    orgId,
    inviteId: inviteIdOf(orgId, input.email),
    tokenHash: hashToken(token),
    invitedBy: by.actor.userId,
    createdAt: now(),
    expiresAt: now() + DAYS * DAY,
  };
  await withinMailBudget(parts, invite, () => parts.withSeats(orgId, () => create(parts, by, invite)));
  await mail(parts, by, { invite, token, message });
  return viewInvite(invite, now());
}

async function create(parts: InviteParts, by: By, invite: InviteRow): Promise<void> {
  const { plan } = by.actor;
  const others = [recordOf(parts, by, 'invite.created', invite)];
  try {
    await parts.store.create(invite, limitsOf(plan).seats, others);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    if (error.what === SEATS) throw seatsGone(plan, error, parts.now());
    if (error.what !== PENDING) throw error;
    if (Number(error.existing?.['expiresAt']) > parts.now())
      throw new AppError('invite_pending', 'This person has already been invited');
    await parts.store.sweepExpired(invite.orgId, parts.now());
    await create(parts, by, invite);
  }
}

const recordOf = ({ audit }: InviteParts, by: By, action: string, invite: InviteRow) =>
  audit.recording({
    ...actOf(by),
    action,
    target: { kind: 'invite', id: invite.inviteId },
    details: { email: invite.email, role: invite.role },
  });

/** Only what leads to a mail uses up the budget. */
async function withinMailBudget({ throttle }: InviteParts, { orgId, email }: InviteRow, work: () => Promise<void>) {
  const toOne = await throttle.take(MAILS_TO_ONE, `${orgId} ${email}`);
  const toAll = await throttle.take(MAILS, orgId);
  await work().catch(async (error: unknown) => {
    await Promise.all([toOne.refund(), toAll.refund()]);
    throw error;
  });
}

interface Sent {
  readonly invite: InviteRow;
  readonly token: string;
  readonly message?: string;
}

async function mail({ outbox, organizationName, linkTo }: InviteParts, by: By, { invite, token, message }: Sent) {
  const organization = await organizationName(invite.orgId);
  const letter = invitation({ organization, inviter: by.actor.name, link: linkTo(token), days: DAYS, message });
  await outbox.send(invite.email, letter);
}

async function outcomeOf(email: string, work: Promise<InviteView>): Promise<Outcome> {
  try {
    return { email, status: 201, invite: await work };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { email, status: error.status, error: { code: error.code, message: error.message } };
  }
}

const viewInvite = (invite: InviteRow, now: number): InviteView => ({
  id: invite.inviteId,
  email: invite.email,
  name: invite.name ?? null,
  role: invite.role,
  status: invite.expiresAt > now ? 'PENDING' : 'EXPIRED',
  groupIds: invite.groupIds,
  departmentId: invite.departmentId,
  createdAt: new Date(invite.createdAt).toISOString(),
  expiresAt: new Date(invite.expiresAt).toISOString(),
});
