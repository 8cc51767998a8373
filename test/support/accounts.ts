import { randomUUID } from 'node:crypto';
import { emailKey, userIndex } from '../../shared/accounts/rows.ts';
import { userKey } from '../../shared/identity/rows.ts';
import { createSessions } from '../../shared/identity/sessions.ts';
import { createTokens } from '../../shared/identity/token.ts';
import { openTable } from '../../shared/store/table.ts';
import { systemClock } from '../../shared/time.ts';
import { call, type Answer } from './call.ts';
import { host } from './host.ts';
import { TEST_ENVIRONMENT } from './spawn-host.ts';

/** People who sign in with a password. Their rows are as registration writes them; the hash below is that of PASSWORD. */
export const PASSWORD = 'correct horse battery staple';
const PASSWORD_HASH = '$2b$04$GP9uRzwZQoi0Busb/.483.4n4J9xCeQ2rOljuiMBg7X7N3fiQbcFq';

const accounts = openTable('accounts');
const tokens = createTokens({ JWT_SECRET: TEST_ENVIRONMENT.JWT_SECRET, JWT_SECRET_PREVIOUS: '', SVC_URL: host.url });
const sessions = createSessions({ tokens, now: systemClock, lifetimeMs: 3_600_000 });

export const newAddress = () => `p-${randomUUID()}@mail.example.test`;

export interface Account {
  readonly userId: string;
  readonly email: string;
}

export async function anAccount(fields: Readonly<Record<string, unknown>> = {}): Promise<Account> {
  const userId = randomUUID();
  const email = newAddress();
  const row = {
    userId,
    orgId: null,
    role: 'ROLE_USER',
    name: 'Robin Test',
    email,
    status: 'ACTIVE',
    groups: [],
    tokenVersion: 1,
    emailVerified: true,
    authSource: 'NATIVE',
    passwordHash: PASSWORD_HASH,
    createdAt: Date.now(),
    updatedAt: Date.now(),
  };
  await accounts.put({ ...userKey(userId), ...userIndex(email), ...row, ...fields });
  await accounts.put({ ...emailKey(email), userId });
  return { userId, email };
}

export const login = (email: string, password = PASSWORD, url?: string): Promise<Answer> =>
  call('POST /api/auth/login', { email, password }, { url });

/** Signed in without the slow hash: the token and the session row are those a login makes. */
export async function aSignedIn(fields: Readonly<Record<string, unknown>> = {}) {
  const account = await anAccount(fields);
  const orgId = typeof fields['orgId'] === 'string' ? fields['orgId'] : null;
  const holder = { acct: 'user', id: account.userId, orgId, role: 'ROLE_USER', tokenVersion: 1 } as const;
  const { token, row } = await sessions.open(holder, { ip: '192.0.2.1', userAgent: 'test', amr: ['pwd'] });
  await accounts.put(row);
  return { ...account, token };
}

export const userRow = async (userId: string) => (await accounts.get(userKey(userId))) ?? {};
export const rowsOf = async (pk: string) => (await accounts.query({ pk })).rows;

/** The `name=value` part of a cookie the answer sets. */
export const cookieOf = (answer: Answer, name: string) =>
  answer.headers
    .getSetCookie()
    .find((cookie) => cookie.startsWith(`${name}=`))
    ?.split(';')[0];

/** The same request many times at once; answers how often each status came. */
export async function atOnce(times: number, send: (at: number) => Promise<Answer>) {
  const answers = await Promise.all(Array.from({ length: times }, (_, at) => send(at)));
  const statuses: Record<number, number> = {};
  for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1;
  return { answers, statuses };
}
