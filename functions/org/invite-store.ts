import { createHash } from 'node:crypto';
import { emailKey, inviteKey, InviteRow, orgInviteKey } from '../../shared/accounts/rows.ts';
import { orgKey, userKey } from '../../shared/identity/rows.ts';
import { seatLeft } from '../../shared/membership/changes.ts';
import { ConditionFailed } from '../../shared/store/dynamodb.ts';
import { absent, when } from '../../shared/store/expression.ts';
import { openTable } from '../../shared/store/table.ts';
import { deleting, putting, transact, updating, type Operation } from '../../shared/store/transaction.ts';
import type { Millis } from '../../shared/time.ts';

/**
 * An invitation is two rows with the same fields: `INV#<hash of the token> / META`, found by whoever holds the link, and
 * `ORG#<id> / INV#<invite>`, listed by administrators. The invite's id is made of the address, so the second row is also
 * the lock that allows one pending invitation per address. The organization's counts change with them.
 */
const accounts = openTable('accounts');

/** Labels of the conditions that can fail. */
export const PENDING = 'pending';
export const SEATS = 'seats';

export const inviteIdOf = (orgId: string, email: string) =>
  createHash('sha256').update(`${orgId}\n${email}`).digest('base64url').slice(0, 22);

export const createInviteStore = () => ({
  async create(invite: InviteRow, seats: number | null, others: readonly Operation[]): Promise<void> {
    const taken = { add: { pendingInvites: 1, seatsTaken: 1 }, if: seatLeft(seats) };
    await transact([
      putting(PENDING, accounts, { ...orgInviteKey(invite.orgId, invite.inviteId), ...invite }, absent),
      putting('token', accounts, tokenRow(invite)),
      updating(SEATS, accounts, orgKey(invite.orgId), taken),
      ...others,
    ]);
  },

  async get(orgId: string, inviteId: string): Promise<InviteRow | undefined> {
    const row = await accounts.get(orgInviteKey(orgId, inviteId));
    return row && InviteRow.parse(row);
  },

  async list(orgId: string, limit: number, cursor: string | undefined) {
    const page = await accounts.query({ pk: `ORG#${orgId}`, prefix: orgInviteKey(orgId, '').sk, limit, cursor });
    return { invites: page.rows.map((row) => InviteRow.parse(row)), cursor: page.cursor };
  },

  /** The old link stops working in the same moment. False when the invitation was no longer the one that was read. */
  rotate: (old: InviteRow, fresh: InviteRow, others: readonly Operation[]) =>
    unlessGone([
      putting(PENDING, accounts, { ...orgInviteKey(old.orgId, old.inviteId), ...fresh }, isStill(old)),
      deleting('old token', accounts, inviteKey(old.tokenHash)),
      putting('token', accounts, tokenRow(fresh)),
      ...others,
    ]),

  revoke: (invite: InviteRow, others: readonly Operation[]) => unlessGone([...withdrawing(invite), ...others]),

  /** Frees the seats of invitations that nobody can accept any more; counts how many there were. */
  async sweepExpired(orgId: string, now: Millis): Promise<number> {
    let swept = 0;
    for await (const row of accounts.walk({ pk: `ORG#${orgId}`, prefix: orgInviteKey(orgId, '').sk })) {
      const invite = InviteRow.parse(row);
      if (invite.expiresAt <= now && (await unlessGone(withdrawing(invite)))) swept += 1;
    }
    return swept;
  },

  async memberWith(orgId: string, email: string): Promise<boolean> {
    const owner = await accounts.get(emailKey(email));
    const user = owner && (await accounts.get(userKey(String(owner['userId']))));
    return user?.['orgId'] === orgId;
  },
});

export type InviteStore = ReturnType<typeof createInviteStore>;

const KEPT_AFTER_EXPIRY = 86_400;
const tokenRow = (invite: InviteRow) => ({
  ...inviteKey(invite.tokenHash),
  ...invite,
  ttl: Math.ceil(invite.expiresAt / 1000) + KEPT_AFTER_EXPIRY,
});

const isStill = ({ tokenHash }: InviteRow) => when('#tokenHash = :tokenHash', { tokenHash });

const withdrawing = (invite: InviteRow): Operation[] => [
  deleting(PENDING, accounts, orgInviteKey(invite.orgId, invite.inviteId), isStill(invite)),
  deleting('token', accounts, inviteKey(invite.tokenHash)),
  updating(SEATS, accounts, orgKey(invite.orgId), { add: { pendingInvites: -1, seatsTaken: -1 } }),
];

/** Accepting, resending and revoking may happen at once; whoever comes second finds it gone. */
async function unlessGone(operations: readonly Operation[]): Promise<boolean> {
  try {
    await transact(operations);
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed && error.what === PENDING) return false;
    throw error;
  }
}
