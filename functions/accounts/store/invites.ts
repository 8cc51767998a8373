import { changingUser } from '../../../shared/accounts/changing-user.ts';
import { hashToken } from '../../../shared/accounts/link-token.ts';
import { emailKey, inviteKey, InviteRow, orgInviteKey, type UserRecord } from '../../../shared/accounts/rows.ts';
import type { Act, Audit } from '../../../shared/audit/audit.ts';
import { orgKey } from '../../../shared/identity/rows.ts';
import { present, when } from '../../../shared/store/expression.ts';
import { openTable } from '../../../shared/store/table.ts';
import { deleting, transact, updating, type Operation } from '../../../shared/store/transaction.ts';
import type { Millis } from '../../../shared/time.ts';
import { insertingMember, insertingUser } from './users.ts';

/** Invitations from the invited person's side: `INV#<hash of token> / META`, mirrored at `ORG#<id> / INV#<invite>`. */
export interface InviteStore {
  find(token: string, now: Millis): Promise<InviteRow | undefined>;
  /** Is there an account of this address? Who it is stays here. */
  hasAccount(address: string): Promise<boolean>;
  /** With a new account. Fails as `email`, `token` or `org`. */
  acceptNew(invite: InviteRow, user: UserRecord, act: Act): Promise<void>;
  /** With an account that belongs to no organization yet; `user` is as it will be, `before` as it was read. */
  acceptExisting(invite: InviteRow, moved: { before: UserRecord; user: UserRecord }, act: Act): Promise<void>;
}

const accounts = openTable('accounts');

export const createInviteStore = (audit: Audit): InviteStore => ({
  async find(token, now) {
    const invite = InviteRow.safeParse(await accounts.get(inviteKey(hashToken(token))));
    return invite.success && invite.data.expiresAt > now ? invite.data : undefined;
  },
  hasAccount: async (address) => (await accounts.get(emailKey(address))) !== undefined,
  async acceptNew(invite, user, act) {
    await transact([...insertingUser(user), ...joining(invite, user), audit.recording(act)]);
  },
  async acceptExisting(invite, { before, user }, act) {
    const { orgId, role, groups, departmentId, updatedAt } = user;
    const set = { orgId, role, groups, departmentId, updatedAt, emailVerified: true };
    const moved = changingUser(before, { set, add: { tokenVersion: 1 } });
    await transact([moved, ...joining(invite, user), audit.recording(act)]);
  },
});

/** The seat was taken when the invitation was sent, so an acceptance only moves it. */
function joining(invite: InviteRow, user: UserRecord): Operation[] {
  const { orgId, inviteId, tokenHash } = invite;
  const activeAdmins = user.role === 'ROLE_ORG_ADMIN' ? 1 : 0;
  const isOpen = when('attribute_exists(pk) AND #status <> :suspended', { suspended: 'SUSPENDED' });
  return [
    deleting('token', accounts, inviteKey(tokenHash), present),
    deleting('token', accounts, orgInviteKey(orgId, inviteId), when('#tokenHash = :tokenHash', { tokenHash })),
    insertingMember(orgId, user),
    updating('org', accounts, orgKey(orgId), {
      add: { pendingInvites: -1, activeMembers: 1, activeAdmins },
      if: isOpen,
    }),
  ];
}
