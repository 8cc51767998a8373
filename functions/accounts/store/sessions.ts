import * as z from 'zod';
import { sessionKey } from '../../../shared/accounts/rows.ts';
import type { Act, Audit } from '../../../shared/audit/audit.ts';
import { deniedRow } from '../../../shared/identity/sessions.ts';
import { holds } from '../../../shared/store/dynamodb.ts';
import { present } from '../../../shared/store/expression.ts';
import { openTable } from '../../../shared/store/table.ts';
import { deleting, putting, transact } from '../../../shared/store/transaction.ts';

const SessionRow = z.object({
  jti: z.string(),
  createdAt: z.number(),
  lastSeenAt: z.number().optional(),
  expiresAt: z.number(),
  tokenVersion: z.number(),
  ip: z.string(),
  userAgent: z.string(),
  amr: z.array(z.string()),
});
export type SessionRow = z.output<typeof SessionRow>;

/** Sessions of one person: `USER#<id> / SESS#<jti>`, and the denials that end them early. */
export interface SessionStore {
  list(userId: string): Promise<SessionRow[]>;
  find(userId: string, jti: string): Promise<SessionRow | undefined>;
  /** False when there is no such session of this person. */
  end(userId: string, session: { jti: string; expiresAt: number }, act: Act): Promise<boolean>;
}

const accounts = openTable('accounts');

export const createSessionStore = (audit: Audit): SessionStore => ({
  async list(userId) {
    const found: SessionRow[] = [];
    for await (const row of accounts.walk({ pk: `USER#${userId}`, prefix: 'SESS#' })) found.push(SessionRow.parse(row));
    return found;
  },
  async find(userId, jti) {
    const row = await accounts.get(sessionKey(userId, jti));
    return row && SessionRow.parse(row);
  },
  async end(userId, { jti, expiresAt }, act) {
    const ending = [
      deleting('session', accounts, sessionKey(userId, jti), present),
      putting('denial', accounts, deniedRow(jti, expiresAt)),
      audit.recording(act),
    ];
    return holds(transact(ending));
  },
});
