import * as z from 'zod';
import { hashToken } from '../../../shared/accounts/link-token.ts';
import type { UserRecord } from '../../../shared/accounts/rows.ts';
import type { Audit } from '../../../shared/audit/audit.ts';
import { userKey } from '../../../shared/identity/rows.ts';
import { newSecret } from '../../../shared/ids.ts';
import { holds } from '../../../shared/store/dynamodb.ts';
import { present, when } from '../../../shared/store/expression.ts';
import { openTable, type Key, type Row } from '../../../shared/store/table.ts';
import { deleting, transact, updating } from '../../../shared/store/transaction.ts';
import type { Millis } from '../../../shared/time.ts';

const VerificationRow = z.object({ userId: z.string(), email: z.string(), expiresAt: z.number() });
export const VERIFICATION_HOURS = 24;

/** Confirmation links: `VER#<hash of token> / T`. Each belongs to one address of one account and works once. */
export interface LinkStore {
  insert(row: Row & Key): Promise<void>;
  /** False for every token that is not, or no longer, good. */
  spend(token: string, now: Millis): Promise<boolean>;
}

const accounts = openTable('accounts');
const verificationKey = (tokenHash: string) => ({ pk: `VER#${tokenHash}`, sk: 'T' });

export function newVerification(user: Pick<UserRecord, 'userId' | 'email'>, now: Millis) {
  const token = newSecret();
  const expiresAt = now + VERIFICATION_HOURS * 3_600_000;
  const { userId, email } = user;
  const row = { ...verificationKey(hashToken(token)), userId, email, expiresAt, ttl: Math.ceil(expiresAt / 1000) };
  return { token, row };
}

export const createLinkStore = (audit: Audit): LinkStore => ({
  insert: (row) => accounts.put(row),
  async spend(token, now) {
    const key = verificationKey(hashToken(token));
    const row = VerificationRow.safeParse(await accounts.get(key));
    if (!row.success || row.data.expiresAt <= now) return false;
    const { userId, email } = row.data;
    const verified = { set: { emailVerified: true, updatedAt: now }, if: when('#email = :email', { email }) };
    const actor = { kind: 'user', id: userId } as const;
    const verifying = [
      deleting('token', accounts, key, present),
      updating('user', accounts, userKey(userId), verified),
      audit.recording({ action: 'email.verified', actor, target: actor }),
    ];
    return holds(transact(verifying));
  },
});
