import * as z from 'zod';
import { operatorKey, userKey } from '../identity/rows.ts';
import { newSecret } from '../ids.ts';
import { resetPassword } from '../mail/letters.ts';
import type { Outbox } from '../mail/outbox.ts';
import { present, when } from '../store/expression.ts';
import { openTable, type Key } from '../store/table.ts';
import { deleting, putting, transact, updating, type Operation } from '../store/transaction.ts';
import type { Clock } from '../time.ts';
import { hashToken, pageLink } from './link-token.ts';

/** The way back in for someone who has forgotten the password. One link is live per account, and it works once. */
export interface ResetLinks {
  /** Another letter may carry the link: an operator's first one is an invitation. */
  send(holder: ResetHolder, letter?: typeof resetPassword): Promise<void>;
  find(token: string): Promise<FoundReset | undefined>;
  /** Sets the password, ends every session and spends the link, or nothing of it. */
  spending(found: FoundReset, set: Readonly<Record<string, unknown>>): Operation[];
}

export interface ResetHolder {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

export interface FoundReset {
  readonly tokenHash: string;
  readonly holderId: string;
}

const ResetRow = z.object({ holderId: z.string(), expiresAt: z.number() });
const MINUTES = 30;

const AREAS = {
  user: { table: openTable('accounts'), holderKey: userKey, page: 'reset-password' },
  admin: { table: openTable('admin_accounts'), holderKey: operatorKey, page: 'reset-operator-password' },
} as const;

interface Parts {
  readonly outbox: Outbox;
  readonly svcUrl: string;
  readonly now: Clock;
}

const resetKey = (tokenHash: string): Key => ({ pk: `RST#${tokenHash}`, sk: 'T' });

export function createResetLinks(acct: keyof typeof AREAS, { outbox, svcUrl, now }: Parts): ResetLinks {
  const { table, holderKey, page } = AREAS[acct];
  return {
    async send({ id, name, email }, letter = resetPassword) {
      const token = newSecret();
      const tokenHash = hashToken(token);
      const expiresAt = now() + MINUTES * 60_000;
      const row = { ...resetKey(tokenHash), holderId: id, expiresAt, ttl: Math.ceil(expiresAt / 1000) };
      await transact([
        putting('token', table, row),
        updating('holder', table, holderKey(id), { set: { resetHash: tokenHash }, if: present }),
      ]);
      await outbox.send(email, letter({ name, link: pageLink(svcUrl, page, token), minutes: MINUTES }));
    },
    async find(token) {
      const tokenHash = hashToken(token);
      const row = ResetRow.safeParse(await table.get(resetKey(tokenHash)));
      return row.success && row.data.expiresAt > now() ? { tokenHash, holderId: row.data.holderId } : undefined;
    },
    spending: ({ tokenHash, holderId }, set) => [
      deleting('token', table, resetKey(tokenHash), present),
      updating('holder', table, holderKey(holderId), {
        set,
        add: { tokenVersion: 1 },
        remove: ['resetHash'],
        if: when('#resetHash = :tokenHash', { tokenHash }),
      }),
    ],
  };
}
