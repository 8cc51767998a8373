import { randomUUID } from 'node:crypto';
import { emailKey, memberKey, operatorIndex, orgIndex, userIndex } from '../../shared/accounts/rows.ts';
import { hashApiKey, newApiKey } from '../../shared/identity/api-key.ts';
import { apiKeyKey, operatorKey, orgKey, userKey } from '../../shared/identity/rows.ts';
import { createTokens } from '../../shared/identity/token.ts';
import { present } from '../../shared/store/expression.ts';
import { openTable } from '../../shared/store/table.ts';
import { host } from './host.ts';
import { TEST_ENVIRONMENT } from './spawn-host.ts';

/** People for tests that are not about signing in: rows as registration writes them, tokens as login signs them. */
export interface Person {
  readonly userId: string;
  readonly orgId: string | null;
  readonly email: string;
  readonly name: string;
  readonly token: string;
}

const accounts = openTable('accounts');
const operators = openTable('admin_accounts');
const tokens = createTokens({ JWT_SECRET: TEST_ENVIRONMENT.JWT_SECRET, JWT_SECRET_PREVIOUS: '', SVC_URL: host.url });

const sign = (sub: string, acct: 'user' | 'admin', org: string | null) => {
  const iat = Math.floor(Date.now() / 1000);
  return tokens.sign({ sub, acct, org, jti: randomUUID(), tv: 1, iat, exp: iat + 3600 });
};

export async function aUser(
  options: { role?: 'ROLE_USER' | 'ROLE_ORG_ADMIN'; orgId?: string | null; groups?: string[] } = {},
): Promise<Person> {
  const userId = randomUUID();
  const { role = 'ROLE_USER', orgId = null, groups = [] } = options;
  const email = `${userId}@example.test`;
  const name = `Test ${userId.slice(0, 4)}`;
  await accounts.put({
    ...userKey(userId),
    userId,
    orgId,
    role,
    name,
    email,
    groups,
    status: 'ACTIVE',
    tokenVersion: 1,
    ...userIndex(email),
  });
  await accounts.put({ ...emailKey(email), userId });
  if (orgId !== null) await join(orgId, { userId, role, name, email, groups });
  return { userId, orgId, email, name, token: await sign(userId, 'user', orgId) };
}

/** The place in the team list, and the counts that go with it. */
async function join(orgId: string, member: { userId: string; role: string; [field: string]: unknown }) {
  await accounts.put({ ...memberKey(orgId, member.userId), ...member, status: 'ACTIVE', joinedAt: Date.now() });
  const activeAdmins = member.role === 'ROLE_ORG_ADMIN' ? 1 : 0;
  await accounts
    .update(orgKey(orgId), { add: { activeMembers: 1, seatsTaken: 1, activeAdmins } }, present)
    .catch(() => {});
}

export async function anOrg(
  plan: Record<string, unknown> = { id: 'enterprise' },
): Promise<{ orgId: string; admin: Person }> {
  const orgId = randomUUID();
  const name = `Org ${orgId.slice(0, 4)}`;
  const row = {
    orgId,
    name,
    code: orgId.slice(0, 8),
    status: 'ACTIVE',
    version: 1,
    plan: { trialEndsAt: null, ...plan },
  };
  await accounts.put({ ...orgKey(orgId), ...row, ...orgIndex(name, orgId) });
  return { orgId, admin: await aUser({ role: 'ROLE_ORG_ADMIN', orgId }) };
}

export async function anOperator(): Promise<{ adminId: string; token: string }> {
  const adminId = randomUUID();
  const row = { adminId, name: 'Operator', email: `${adminId}@example.test`, status: 'ACTIVE', tokenVersion: 1 };
  await operators.put({ ...operatorKey(adminId), ...row, ...operatorIndex(row.email) });
  return { adminId, token: await sign(adminId, 'admin', null) };
}

export async function anApiKey(person: Person, allowedRoutes: string[] | null = null): Promise<string> {
  const key = newApiKey();
  const keyId = randomUUID();
  await accounts.put({ ...apiKeyKey(hashApiKey(key)), keyId, userId: person.userId, allowedRoutes, expiresAt: null });
  return key;
}
