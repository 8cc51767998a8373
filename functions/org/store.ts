import { MemberRow, memberKey, OrgRecord, UserRecord } from '../../shared/accounts/rows.ts';
import { orgKey, userKey } from '../../shared/identity/rows.ts';
import { batchGet } from '../../shared/store/batch.ts';
import type { Change } from '../../shared/store/expression.ts';
import { present } from '../../shared/store/expression.ts';
import { queryMatching } from '../../shared/store/matching.ts';
import { openTable } from '../../shared/store/table.ts';
import { transact, updating, type Operation } from '../../shared/store/transaction.ts';

/**
 * Table `accounts`. One organization is one partition:
 *   ORG#<id> / META            its settings, plan and counts      read by key
 *   ORG#<id> / MEMBER#<user>   who belongs to it                  listed by prefix
 *   ORG#<id> / INV#<invite>    pending invitations                invite-store.ts
 *   ORG#<id> / GROUP#, DEPT#   groups and departments             unit-store.ts
 * What a member may do stands on USER#<id> / META, which every request reads.
 */
const accounts = openTable('accounts');

export interface MemberQuery {
  readonly limit: number;
  readonly cursor?: string;
  readonly matches: (member: MemberRow) => boolean;
}

export const createOrgStore = () => ({
  async organization(orgId: string): Promise<OrgRecord | undefined> {
    const row = await accounts.get(orgKey(orgId));
    return row && OrgRecord.parse(row);
  },

  async update(orgId: string, change: Change, others: readonly Operation[]): Promise<void> {
    const bumped = { ...change, add: { ...change.add, version: 1 }, if: present };
    await transact([updating('organization', accounts, orgKey(orgId), bumped), ...others]);
  },

  async members(orgId: string, { limit, cursor, matches }: MemberQuery) {
    const query = { pk: `ORG#${orgId}`, prefix: memberKey(orgId, '').sk, limit, cursor };
    const page = await queryMatching(accounts, query, (row) => matches(MemberRow.parse(row)));
    return { members: page.rows.map((row) => MemberRow.parse(row)), cursor: page.cursor };
  },

  /** In the order asked; whoever is gone is left out. */
  async users(userIds: readonly string[]): Promise<UserRecord[]> {
    const rows = await batchGet(userIds.map((userId) => ({ table: accounts, key: userKey(userId) })));
    return rows.flatMap((row) => (row ? [UserRecord.parse(row)] : []));
  },
});

export type OrgStore = ReturnType<typeof createOrgStore>;
