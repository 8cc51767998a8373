import { OrgRecord } from '../../shared/accounts/rows.ts';
import { orgKey, userKey, UserRow } from '../../shared/identity/rows.ts';
import { batchGet } from '../../shared/store/batch.ts';
import { openTable } from '../../shared/store/table.ts';

const accounts = openTable('accounts');

/** How many administrators could review; the organization keeps the count itself. */
export async function countAdmins(orgId: string | null): Promise<number> {
  const row = orgId === null ? undefined : await accounts.get(orgKey(orgId));
  return row ? OrgRecord.parse(row).activeAdmins : 0;
}

export async function membersAmong(orgId: string | null, userIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (orgId === null) return new Set();
  const rows = await batchGet(userIds.map((userId) => ({ table: accounts, key: userKey(userId) })));
  const people = rows.flatMap((row) => (row ? [UserRow.parse(row)] : []));
  return new Set(people.filter((one) => one.orgId === orgId && one.status === 'ACTIVE').map(({ userId }) => userId));
}
