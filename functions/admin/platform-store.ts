import { MemberRow, memberKey, OrgRecord, UserRecord } from '../../shared/accounts/rows.ts';
import { orgKey } from '../../shared/identity/rows.ts';
import { ConditionFailed } from '../../shared/store/dynamodb.ts';
import { when, type Change } from '../../shared/store/expression.ts';
import { queryMatching } from '../../shared/store/matching.ts';
import { openTable } from '../../shared/store/table.ts';
import { transact, updating, type Operation } from '../../shared/store/transaction.ts';

/**
 * Table `accounts`, seen from above: gsi1 `USERS` / address and `ORGS` / name#id, each one partition. Its rows change
 * at registration, at login and when someone is managed; DynamoDB takes a thousand such writes a second in one partition
 * and splits it by sort key beyond, and one partition lists in order and searches by beginning without merging shards.
 */
const accounts = openTable('accounts');

export interface Search<T> {
  readonly q?: string;
  readonly limit: number;
  readonly cursor?: string;
  readonly matches: (record: T) => boolean;
}

export const createPlatformStore = () => ({
  async organizations({ q = '', limit, cursor, matches }: Search<OrgRecord>) {
    const query = { index: 'gsi1', pk: 'ORGS', prefix: q, limit, cursor };
    const page = await queryMatching(accounts, query, (row) => matches(OrgRecord.parse(row)));
    return { organizations: page.rows.map((row) => OrgRecord.parse(row)), cursor: page.cursor };
  },

  async users({ q = '', limit, cursor, matches }: Search<UserRecord>) {
    const query = { index: 'gsi1', pk: 'USERS', prefix: q, limit, cursor };
    const page = await queryMatching(accounts, query, (row) => matches(UserRecord.parse(row)));
    return { users: page.rows.map((row) => UserRecord.parse(row)), cursor: page.cursor };
  },

  async organization(orgId: string): Promise<OrgRecord | undefined> {
    const row = await accounts.get(orgKey(orgId));
    return row && OrgRecord.parse(row);
  },

  /** False when someone else has changed its settings since they were read. */
  async updateOrganization({ orgId, version }: OrgRecord, change: Change, others: readonly Operation[]) {
    const isSame = when('attribute_exists(pk) AND (attribute_not_exists(#version) OR #version = :version)', {
      version,
    });
    const bumped = { ...change, add: { version: 1 }, if: isSame };
    try {
      await transact([updating('organization', accounts, orgKey(orgId), bumped), ...others]);
      return true;
    } catch (error) {
      if (error instanceof ConditionFailed && error.what === 'organization') return false;
      throw error;
    }
  },

  /** The active administrator who has been there longest. */
  async firstAdmin(orgId: string): Promise<string | undefined> {
    let first: MemberRow | undefined;
    for await (const row of accounts.walk({ pk: `ORG#${orgId}`, prefix: memberKey(orgId, '').sk })) {
      const member = MemberRow.parse(row);
      const isAdmin = member.role === 'ROLE_ORG_ADMIN' && member.status === 'ACTIVE';
      if (isAdmin && (!first || member.joinedAt < first.joinedAt)) first = member;
    }
    return first?.userId;
  },
});

export type PlatformStore = ReturnType<typeof createPlatformStore>;
