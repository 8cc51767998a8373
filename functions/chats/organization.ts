import { userKey, UserRow } from '../../shared/identity/rows.ts';
import { openTable } from '../../shared/store/table.ts';

const accounts = openTable('accounts');

/** Undefined for nobody, null for somebody without an organization. */
export const orgOf = async (userId: string): Promise<string | null | undefined> =>
  UserRow.safeParse(await accounts.get(userKey(userId))).data?.orgId;
