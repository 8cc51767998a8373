import type { Audit } from '../audit/audit.ts';
import { viewChallenge, type ChallengeView } from './challenge-view.ts';
import { changedMeanwhile, changingUser } from './changing-user.ts';
import { LANDING } from './landing.ts';
import type { OrgRecord, UserRecord } from './rows.ts';
import type { SessionView } from './session-view.ts';
import { viewUser } from './views.ts';
import { AppError } from '../errors.ts';
import type { LoginCookies } from '../identity/cookies.ts';
import { CODE_MINUTES, type Challenge, type LoginCodes } from '../identity/login-codes.ts';
import type { Holder, Sessions } from '../identity/sessions.ts';
import { loginCode } from '../mail/letters.ts';
import type { Outbox } from '../mail/outbox.ts';
import { orElse } from '../store/dynamodb.ts';
import type { Settings } from '../settings/variables.ts';
import { openTable } from '../store/table.ts';
import { putting, transact } from '../store/transaction.ts';
import type { Clock } from '../time.ts';

/** Someone is in: the session, and the cookies that carry it in browsers. */
export interface Welcome {
  readonly session: SessionView;
  readonly cookies: readonly string[];
}

export type Outcome = Welcome | { readonly challenge: ChallengeView };

export interface Way {
  readonly amr: readonly string[];
  readonly action?: string;
  /** Mark the browser as one that has signed in before. */
  readonly rememberDevice?: boolean;
}

/** Where someone comes from, as far as it can be believed. */
export interface Whence {
  readonly ip: string;
  readonly userAgent: string;
  readonly requestId: string;
}

export interface ArrivalParts {
  readonly settings: Pick<Settings, 'EMAIL_VERIFICATION' | 'LOGIN_OTP'>;
  readonly now: Clock;
  readonly codes: LoginCodes;
  readonly sessions: Sessions;
  readonly cookies: LoginCookies;
  readonly outbox: Outbox;
  readonly audit: Audit;
}

/** The last steps of every way in: may this account come in at all, does it need a code, and then the session. */
export interface Arrival {
  demandUsable(user: UserRecord, org: OrgRecord | undefined): void;
  admit(who: { user: UserRecord; org: OrgRecord | undefined }, whence: Whence, way: Way): Promise<Outcome>;
  welcome(user: UserRecord, whence: Whence, way: Way): Promise<Welcome>;
  sendCode(user: UserRecord, challenge: Challenge, code: string): Promise<ChallengeView>;
}

const accounts = openTable('accounts');

export function createArrival(parts: ArrivalParts): Arrival {
  const arrival: Arrival = {
    demandUsable: (user, org) => demandUsable(parts.settings, user, org),
    async admit({ user, org }, whence, way) {
      demandUsable(parts.settings, user, org);
      if (!needsCode(parts.settings, user, org)) return arrival.welcome(user, whence, way);
      const { challenge, code } = await parts.codes.begin(holderOf(user), user.totpSecret ? 'TOTP' : 'EMAIL');
      return { challenge: await arrival.sendCode(user, challenge, code) };
    },
    welcome: (user, whence, way) => welcome(parts, user, { whence, way }),
    async sendCode(user, challenge, code) {
      if (code) await parts.outbox.send(user.email, loginCode({ name: user.name, code, minutes: CODE_MINUTES }));
      return viewChallenge(user.email, challenge);
    },
  };
  return arrival;
}

/** Told only to people who have already proved who they are. */
function demandUsable({ EMAIL_VERIFICATION }: ArrivalParts['settings'], user: UserRecord, org: OrgRecord | undefined) {
  if (user.status !== 'ACTIVE') throw new AppError('account_disabled', 'This account is deactivated');
  if (org?.status === 'SUSPENDED') throw new AppError('organization_suspended', 'The organization is suspended');
  if (EMAIL_VERIFICATION === 'required' && !user.emailVerified) {
    throw new AppError('email_not_verified', 'Confirm your address first; the link is in your mail');
  }
}

/** Accounts that may still use a password although their company signs in elsewhere always need the second step. */
export const needsCode = ({ LOGIN_OTP }: Pick<Settings, 'LOGIN_OTP'>, user: UserRecord, org: OrgRecord | undefined) =>
  LOGIN_OTP !== 'off' &&
  (LOGIN_OTP === 'required' ||
    user.otpEnabled ||
    user.totpSecret !== undefined ||
    org?.requireOtp === true ||
    org?.authProvider === 'SSO');

async function welcome(
  parts: ArrivalParts,
  user: UserRecord,
  { whence, way }: { whence: Whence; way: Way },
): Promise<Welcome> {
  const at = parts.now();
  const opened = await parts.sessions.open(holderOf(user), { ...whence, amr: way.amr });
  const { ip, requestId } = whence;
  const actor = { kind: 'user', id: user.userId } as const;
  const action = way.action ?? 'login.succeeded';
  const act = { action, actor, target: actor, orgId: user.orgId, ip, requestId, details: { amr: way.amr.join(' ') } };
  await transact([
    changingUser(user, { set: { lastLoginAt: at } }),
    putting('session', accounts, opened.row),
    parts.audit.recording(act),
  ]).catch(orElse(changedMeanwhile));
  const session: SessionView = {
    status: 'AUTHENTICATED',
    token: opened.token,
    access_token: opened.token,
    tokenType: 'Bearer',
    expiresAt: opened.expiresAt,
    user: viewUser({ ...user, lastLoginAt: at }),
    landing: LANDING[user.role],
  };
  const device = way.rememberDevice ? [parts.cookies.device(user.email)] : [];
  return { session, cookies: [parts.cookies.login(opened.token, opened.lifetime), ...device] };
}

export const holderOf = (user: UserRecord): Holder => ({
  acct: 'user',
  id: user.userId,
  orgId: user.orgId,
  role: user.role,
  tokenVersion: user.tokenVersion,
});
