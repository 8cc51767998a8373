import { AppError, unauthenticated } from '../errors.ts';
import { PERSONAL, type PlanGrant } from '../plans/plans.ts';
import { createGatheredGet } from '../store/gather.ts';
import { openTable, type Key, type Row } from '../store/table.ts';
import type { Millis } from '../time.ts';
import type { OperatorActor, UserActor } from './actor.ts';
import { apiKeyKey, ApiKeyRow, deniedKey, operatorKey, OperatorRow, orgKey, OrgRow, userKey, UserRow } from './rows.ts';
import type { Claims } from './token.ts';

/** Reads what a credential claims back from the tables, so sign-out, deactivation and suspension hold at the very next request. */
export interface IdentityReader {
  user(claims: Claims, via: 'jwt' | 'cookie'): Promise<UserActor>;
  operator(claims: Claims): Promise<OperatorActor>;
  /** By the hash of the key. */
  keyHolder(hash: string, now: Millis): Promise<UserActor>;
}

interface Whereabouts {
  readonly userId: string;
  readonly orgId: string | null;
}

/** The rows an actor was made from. Whoever needs more of them than the actor says need not read them again. */
export interface RowsBehind {
  readonly user: Row;
  readonly org: Row | undefined;
  readonly key: ApiKeyRow | undefined;
  readonly keyHash: string | undefined;
}

const behind = new WeakMap<UserActor, RowsBehind>();
export const rowsBehind = (actor: UserActor): RowsBehind | undefined => behind.get(actor);

const accounts = openTable('accounts');
const operators = openTable('admin_accounts');
const inAccounts = (key: Key) => ({ table: accounts, key });
const batchGet = createGatheredGet();

export function createIdentityReader(): IdentityReader {
  const whereabouts = new Map<string, Whereabouts>();
  return {
    user: readUser,
    operator: readOperator,
    async keyHolder(hash, now) {
      const { actor, at } = await readKeyHolder(hash, now, whereabouts.get(hash));
      remember(whereabouts, hash, at);
      return actor;
    },
  };
}

async function readUser(claims: Claims, via: 'jwt' | 'cookie') {
  const keys = [userKey(claims.sub), deniedKey(claims.jti), ...(claims.org ? [orgKey(claims.org)] : [])];
  const [userRow, denied, orgRow] = await batchGet(keys.map(inAccounts));
  const user = currentUser(userRow, claims.tv, denied);
  const org = user.orgId === (claims.org ?? null) ? orgRow : await readOrg(user.orgId);
  const credential = { via, credentialId: claims.jti, credentialExpiresAt: claims.exp * 1000, allowedRoutes: null };
  const actor = toActor(user, planIn(user, org), credential);
  behind.set(actor, { user: userRow ?? {}, org, key: undefined, keyHash: undefined });
  return actor;
}

async function readOperator(claims: Claims) {
  const wanted = [{ table: operators, key: operatorKey(claims.sub) }, inAccounts(deniedKey(claims.jti))];
  const [row, denied] = await batchGet(wanted);
  return currentOperator(row, claims, denied);
}

/** The guess says where to look, never what to believe: with it, key, user and organization come in one read. */
async function readKeyHolder(hash: string, now: Millis, guess: Whereabouts | undefined) {
  const near = guess ? [userKey(guess.userId), ...(guess.orgId ? [orgKey(guess.orgId)] : [])] : [];
  const [keyRow, nearUser, nearOrg] = await batchGet([apiKeyKey(hash), ...near].map(inAccounts));
  const apiKey = usableKey(keyRow, now);
  const userRow = nearUser ?? (await accounts.get(userKey(apiKey.userId)));
  const user = currentUser(userRow);
  const org = guess && guess.orgId === user.orgId ? nearOrg : await readOrg(user.orgId);
  const { keyId: credentialId, expiresAt: credentialExpiresAt, allowedRoutes } = apiKey;
  const actor = toActor(user, planIn(user, org), { via: 'key', credentialId, credentialExpiresAt, allowedRoutes });
  behind.set(actor, { user: userRow ?? {}, org, key: apiKey, keyHash: hash });
  return { actor, at: { userId: user.userId, orgId: user.orgId } };
}

const readOrg = async (orgId: string | null) => (orgId === null ? undefined : accounts.get(orgKey(orgId)));

const REMEMBERED_KEYS = 10_000;

function remember(whereabouts: Map<string, Whereabouts>, hash: string, at: Whereabouts) {
  if (whereabouts.size >= REMEMBERED_KEYS) whereabouts.clear();
  whereabouts.set(hash, at);
}

const revoked = () => new AppError('token_revoked', 'The session has ended; sign in again');

function currentUser(row: Row | undefined, tokenVersion?: number, denied?: Row): UserRow {
  const user = UserRow.safeParse(row);
  if (!user.success || denied || user.data.status !== 'ACTIVE') throw revoked();
  if (tokenVersion !== undefined && user.data.tokenVersion !== tokenVersion) throw revoked();
  return user.data;
}

function currentOperator(row: Row | undefined, claims: Claims, denied: Row | undefined): OperatorActor {
  const operator = OperatorRow.safeParse(row);
  if (!operator.success || denied || operator.data.status !== 'ACTIVE' || operator.data.tokenVersion !== claims.tv)
    throw revoked();
  const { adminId, name, email } = operator.data;
  return {
    kind: 'platform',
    role: 'ROLE_PLATFORM_OWNER',
    adminId,
    name,
    email,
    credentialId: claims.jti,
    credentialExpiresAt: claims.exp * 1000,
  };
}

function usableKey(row: Row | undefined, now: Millis): ApiKeyRow {
  const key = ApiKeyRow.safeParse(row);
  if (!key.success || (key.data.expiresAt !== null && key.data.expiresAt <= now))
    throw unauthenticated('The API key is not valid');
  return key.data;
}

function planIn({ orgId }: UserRow, row: Row | undefined): PlanGrant {
  if (orgId === null) return PERSONAL;
  const org = OrgRow.safeParse(row);
  if (!org.success) throw revoked();
  if (org.data.status === 'SUSPENDED') throw new AppError('organization_suspended', 'The organization is suspended');
  return org.data.plan;
}

const toActor = (
  user: UserRow,
  plan: PlanGrant,
  credential: Pick<UserActor, 'via' | 'credentialId' | 'credentialExpiresAt' | 'allowedRoutes'>,
): UserActor => ({
  kind: 'user',
  userId: user.userId,
  orgId: user.orgId,
  role: user.role,
  name: user.name,
  email: user.email,
  groups: user.groups,
  plan,
  ...credential,
});
