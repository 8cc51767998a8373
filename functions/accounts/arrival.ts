import { viewChallenge, type ChallengeView } from '../../shared/accounts/challenge-view.ts';
import { LANDING } from '../../shared/accounts/landing.ts';
import type { OrgRecord, UserRecord } from '../../shared/accounts/rows.ts';
import { viewUser } from '../../shared/accounts/views.ts';
import { AppError, conflict } from '../../shared/errors.ts';
import { CODE_MINUTES, type Challenge } from '../../shared/identity/login-codes.ts';
import type { Holder } from '../../shared/identity/sessions.ts';
import { loginCode } from '../../shared/mail/letters.ts';
import { orElse } from '../../shared/store/dynamodb.ts';
import type { Settings } from '../../shared/settings/variables.ts';
import type { SessionView } from './contract/shapes.ts';
import type { Origin, Parts } from './parts.ts';

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

/** The last steps of every way in: may this account come in at all, does it need a code, and then the session. */
export interface Arrival {
  demandUsable(user: UserRecord, org: OrgRecord | undefined): void;
  admit(who: { user: UserRecord; org: OrgRecord | undefined }, origin: Origin, way: Way): Promise<Outcome>;
  welcome(user: UserRecord, origin: Origin, way: Way): Promise<Welcome>;
  sendCode(user: UserRecord, challenge: Challenge, code: string): Promise<ChallengeView>;
}

export function createArrival(parts: Parts): Arrival {
  const arrival: Arrival = {
    demandUsable: (user, org) => demandUsable(parts.settings, user, org),
    async admit({ user, org }, origin, way) {
      demandUsable(parts.settings, user, org);
      if (!needsCode(parts.settings, user, org)) return arrival.welcome(user, origin, way);
      const { challenge, code } = await parts.codes.begin(holderOf(user), user.totpSecret ? 'TOTP' : 'EMAIL');
      return { challenge: await arrival.sendCode(user, challenge, code) };
    },
    welcome: (user, origin, way) => welcome(parts, user, { origin, way }),
    async sendCode(user, challenge, code) {
      if (code) await parts.outbox.send(user.email, loginCode({ name: user.name, code, minutes: CODE_MINUTES }));
      return viewChallenge(user.email, challenge);
    },
  };
  return arrival;
}

/** Told only to people who have already proved who they are. */
function demandUsable({ EMAIL_VERIFICATION }: Settings, user: UserRecord, org: OrgRecord | undefined) {
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
  parts: Parts,
  user: UserRecord,
  { origin, way }: { origin: Origin; way: Way },
): Promise<Welcome> {
  const at = parts.now();
  const opened = await parts.sessions.open(holderOf(user), { ...origin, amr: way.amr });
  const { ip, requestId } = origin;
  const actor = { kind: 'user', id: user.userId } as const;
  const action = way.action ?? 'login.succeeded';
  const act = { action, actor, target: actor, orgId: user.orgId, ip, requestId, details: { amr: way.amr.join(' ') } };
  await parts.sessionRows.begin(user, opened.row, { at, act }).catch(orElse(changedMeanwhile));
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

export const changedMeanwhile = () => conflict('The account was changed at this moment; try again');

export const holderOf = (user: UserRecord): Holder => ({
  acct: 'user',
  id: user.userId,
  orgId: user.orgId,
  role: user.role,
  tokenVersion: user.tokenVersion,
});
