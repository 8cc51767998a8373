import { changingUser } from '../../../shared/accounts/changing-user.ts';
import {
  DomainRow,
  emailKey,
  domainKey,
  memberKey,
  orgCodeKey,
  orgIndex,
  OrgRecord,
  userIndex,
  UserRecord,
} from '../../../shared/accounts/rows.ts';
import type { Act, Audit } from '../../../shared/audit/audit.ts';
import type { UserActor } from '../../../shared/identity/actor.ts';
import { rowsBehind } from '../../../shared/identity/reader.ts';
import { orgKey, userKey } from '../../../shared/identity/rows.ts';
import { absent, type Change } from '../../../shared/store/expression.ts';
import { openTable, type Key, type Row } from '../../../shared/store/table.ts';
import { putting, transact, updating, type Operation } from '../../../shared/store/transaction.ts';

/**
 * People and companies. Reads: by id, by address (`EMAIL#` → `USER#`), an organization by id, a mail domain.
 * Writes: a registration with everything that must agree with it; a change with the audit row that tells of it.
 */
export interface UserStore {
  /** Account and organization of whoever asks, from the read that identified them. */
  behind(actor: UserActor): Promise<{ user: UserRecord; org: OrgRecord | undefined }>;
  byId(userId: string): Promise<UserRecord | undefined>;
  /** As many reads for an unknown address as for a known one. */
  byAddress(address: string): Promise<UserRecord | undefined>;
  org(orgId: string | null): Promise<OrgRecord | undefined>;
  domain(name: string): Promise<{ orgId: string } | undefined>;
  /** Throws `ConditionFailed` of `email` when the address is taken, of `code` when the company's code is. */
  insert(registration: Registration): Promise<void>;
  /** The change, its audit row and whatever else must happen with it; nothing when the account moved in between. */
  change(user: UserRecord, change: Change, also: Also): Promise<void>;
  rename(
    user: UserRecord,
    set: { name: string; locale: string | undefined; updatedAt: number },
    act: Act,
  ): Promise<void>;
}

export interface Registration {
  readonly user: UserRecord;
  readonly org?: OrgRecord;
  readonly verification: Row & Key;
  readonly act: Act;
}

export interface Also {
  readonly act: Act;
  readonly operations?: readonly Operation[];
}

const accounts = openTable('accounts');
const NOBODY = 'nobody';

export const createUserStore = (audit: Audit): UserStore => ({
  async behind(actor) {
    const { user, org } = rowsBehind(actor) ?? (await readAgain(actor));
    return { user: UserRecord.parse(user), org: org && OrgRecord.parse(org) };
  },
  byId: findUser,
  async byAddress(address) {
    const lock = await accounts.get(emailKey(address));
    return findUser(typeof lock?.['userId'] === 'string' ? lock['userId'] : NOBODY);
  },
  async org(orgId) {
    const row = orgId === null ? undefined : await accounts.get(orgKey(orgId));
    return row && OrgRecord.parse(row);
  },
  async domain(name) {
    const row = DomainRow.safeParse(await accounts.get(domainKey(name)));
    return row.success && row.data.status === 'VERIFIED' ? { orgId: row.data.orgId } : undefined;
  },
  async insert({ user, org, verification, act }) {
    await transact([
      ...insertingUser(user),
      ...(org ? insertingCompany(org) : []),
      ...(org ? [insertingMember(org.orgId, user)] : []),
      putting('verification', accounts, verification),
      audit.recording(act),
    ]);
  },
  async change(user, change, { act, operations = [] }) {
    await transact([changingUser(user, change), ...operations, audit.recording(act)]);
  },
  async rename(user, { name, locale, updatedAt }, act) {
    const remove = locale === undefined ? ['locale'] : [];
    const changed = changingUser(user, { set: { name, locale, updatedAt }, remove });
    await transact([changed, ...(name === user.name ? [] : renamingMember(user, name)), audit.recording(act)]);
  },
});

async function readAgain({ userId, orgId }: UserActor) {
  const [user, org] = await Promise.all([
    accounts.get(userKey(userId)),
    orgId === null ? undefined : accounts.get(orgKey(orgId)),
  ]);
  return { user, org };
}

async function findUser(userId: string) {
  const row = await accounts.get(userKey(userId));
  return row && UserRecord.parse(row);
}

export const insertingUser = (user: UserRecord): Operation[] => [
  putting('email', accounts, { ...emailKey(user.email), userId: user.userId }, absent),
  putting('user', accounts, { ...userKey(user.userId), ...userIndex(user.email), ...user }, absent),
];

export const insertingMember = (orgId: string, user: UserRecord): Operation =>
  putting('member', accounts, {
    ...memberKey(orgId, user.userId),
    userId: user.userId,
    email: user.email,
    name: user.name,
    role: user.role,
    status: user.status,
    groups: user.groups,
    departmentId: user.departmentId,
    joinedAt: user.updatedAt,
  });

/** The team list shows the name too. */
const renamingMember = (user: UserRecord, name: string): Operation[] =>
  user.orgId === null ? [] : [updating('member', accounts, memberKey(user.orgId, user.userId), { set: { name } })];

const insertingCompany = (org: OrgRecord): Operation[] => [
  putting('code', accounts, { ...orgCodeKey(org.code), orgId: org.orgId }, absent),
  putting('org', accounts, { ...orgKey(org.orgId), ...orgIndex(org.name, org.orgId), ...org }, absent),
];
