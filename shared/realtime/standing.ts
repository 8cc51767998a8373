import { ApiKeyRow, apiKeyKey, deniedKey, orgKey, OrgRow, userKey, UserRow } from '../identity/rows.ts';
import { batchGet } from '../store/batch.ts';
import { openTable, type Row } from '../store/table.ts';
import type { Millis } from '../time.ts';
import type { Connection, Member } from './connection.ts';

const accounts = openTable('accounts');

/** The connections that may still hear something: a sign-out, a deactivation or a suspension counts from the next event on. */
export async function inStanding(connections: readonly Connection[], now: Millis): Promise<ReadonlySet<Connection>> {
  const keys = connections.flatMap(({ member }) => keysBehind(member));
  const rows = await batchGet(keys.map((key) => ({ table: accounts, key })));
  const found = new Map(rows.flatMap((row) => (row ? [[String(row['pk']), row] as const] : [])));
  return new Set(connections.filter(({ member }) => isInStanding(member, found, now)));
}

const keysBehind = (member: Member) => [
  userKey(member.userId),
  credentialKey(member),
  ...(member.orgId === null ? [] : [orgKey(member.orgId)]),
];

const credentialKey = ({ credential: { kind, id } }: Member) => (kind === 'key' ? apiKeyKey(id) : deniedKey(id));

const isInStanding = (member: Member, found: ReadonlyMap<string, Row>, now: Millis) =>
  isUserCurrent(member, found.get(userKey(member.userId).pk)) &&
  (member.orgId === null || isOrgOpen(found.get(orgKey(member.orgId).pk))) &&
  isCredentialGood(member, found.get(credentialKey(member).pk), now);

/** Keys outlive a change of the token version, as they do for requests. */
function isUserCurrent({ orgId, tokenVersion, credential }: Member, row: Row | undefined) {
  const user = UserRow.safeParse(row).data;
  const isVersionCurrent = credential.kind === 'key' || user?.tokenVersion === tokenVersion;
  return user?.status === 'ACTIVE' && user.orgId === orgId && isVersionCurrent;
}

function isOrgOpen(row: Row | undefined) {
  const org = OrgRow.safeParse(row).data;
  return org !== undefined && org.status !== 'SUSPENDED';
}

function isCredentialGood({ credential: { kind, expiresAt } }: Member, row: Row | undefined, now: Millis) {
  if (expiresAt !== null && expiresAt <= now) return false;
  return kind === 'token' ? row === undefined : ApiKeyRow.safeParse(row).success;
}
