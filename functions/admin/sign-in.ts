import { viewChallenge, type ChallengeView } from '../../shared/accounts/challenge-view.ts';
import { LANDING } from '../../shared/accounts/landing.ts';
import type { OperatorRecord } from '../../shared/accounts/rows.ts';
import { AppError } from '../../shared/errors.ts';
import { CODE_MINUTES, type Challenge } from '../../shared/identity/login-codes.ts';
import { operatorSubject } from '../../shared/identity/login-guard.ts';
import type { Holder } from '../../shared/identity/sessions.ts';
import { loginCode } from '../../shared/mail/letters.ts';
import { ownAct, whenStale, type Origin, type Parts } from './parts.ts';
import { viewOperator, type OperatorSession } from './views.ts';

/** Someone is in: the session, and the cookies that carry it in browsers. */
export interface Welcome {
  readonly session: OperatorSession;
  readonly cookies: readonly string[];
}

export type Outcome = Welcome | { readonly challenge: ChallengeView };

interface LoginInput {
  readonly email: string;
  readonly password: string;
  readonly rememberDevice: boolean;
}

/** The operators' own login; it shares its machinery with the users' one, and no account. */
export const createSignIn = (parts: Parts) => ({
  login: (input: LoginInput, origin: Origin) => login(parts, input, origin),
  verifyCode: (input: CodeInput, origin: Origin) => verifyCode(parts, input, origin),
  async resendCode(challengeId: string): Promise<ChallengeView> {
    const { challenge, code } = await parts.codes.renew('admin', challengeId);
    const operator = await parts.store.byId(challenge.holderId);
    if (!operator) throw over();
    return sendCode(parts, operator, { challenge, code });
  },
});

async function login(parts: Parts, input: LoginInput, origin: Origin): Promise<Outcome> {
  const startedAt = parts.now();
  const entered = await parts.guard.enter(operatorSubject(input.email), origin);
  const operator = await parts.store.byAddress(input.email);
  const isRight = await parts.passwords.matches(input.password, operator?.passwordHash);
  if (!operator || !isRight) {
    await Promise.all([recordFailure(parts, operator, origin), parts.floor(startedAt)]);
    throw new AppError('invalid_credentials', 'The address or the password is not right');
  }
  await entered.succeeded();
  demandActive(operator);
  if (!needsCode(parts, operator)) return welcome(parts, operator, { origin, amr: ['pwd'], ...input });
  return { challenge: await sendCode(parts, operator, await parts.codes.begin(holderOf(operator), 'EMAIL')) };
}

interface CodeInput {
  readonly challengeId: string;
  readonly code: string;
  readonly rememberDevice: boolean;
}

async function verifyCode(parts: Parts, input: CodeInput, origin: Origin): Promise<Welcome> {
  const challenge = await parts.codes.redeem({
    ...input,
    acct: 'admin',
    checkApp: () => Promise.resolve(false),
    onWrong: ({ holderId }) => recordFailure(parts, { adminId: holderId }, origin),
  });
  const operator = await parts.store.byId(challenge.holderId);
  if (!operator || operator.tokenVersion !== challenge.tokenVersion) throw over();
  demandActive(operator);
  return welcome(parts, operator, { origin, amr: ['pwd', 'otp'], rememberDevice: input.rememberDevice });
}

interface Way {
  readonly origin: Origin;
  readonly amr: readonly string[];
  readonly rememberDevice?: boolean;
}

export async function welcome(parts: Parts, operator: OperatorRecord, way: Way): Promise<Welcome> {
  const at = parts.now();
  const opened = await parts.sessions.open(holderOf(operator), { ...way.origin, amr: way.amr });
  const record = parts.audit.recording(ownAct(operator, way.origin, 'operator.signed_in'));
  await parts.store.beginSession(operator, opened.row, { at, record }).catch(whenStale);
  const session: OperatorSession = {
    status: 'AUTHENTICATED',
    token: opened.token,
    access_token: opened.token,
    tokenType: 'Bearer',
    expiresAt: opened.expiresAt,
    user: viewOperator({ ...operator, lastLoginAt: at }),
    landing: LANDING.ROLE_PLATFORM_OWNER,
  };
  const device = way.rememberDevice ? [parts.cookies.device(operatorSubject(operator.email))] : [];
  return { session, cookies: [parts.cookies.login(opened.token, opened.lifetime), ...device] };
}

async function sendCode(
  { outbox }: Parts,
  { name, email }: OperatorRecord,
  { challenge, code }: { challenge: Challenge; code: string },
): Promise<ChallengeView> {
  await outbox.send(email, loginCode({ name, code, minutes: CODE_MINUTES }));
  return viewChallenge(email, challenge);
}

const needsCode = ({ settings: { LOGIN_OTP } }: Parts, { otpEnabled }: OperatorRecord) =>
  LOGIN_OTP === 'required' || (LOGIN_OTP === 'optional' && otpEnabled);

/** Told only to people who have already proved who they are. */
function demandActive({ status }: OperatorRecord) {
  if (status !== 'ACTIVE') throw new AppError('account_disabled', 'This account is deactivated');
}

const holderOf = ({ adminId: id, tokenVersion }: OperatorRecord): Holder => ({
  acct: 'admin',
  id,
  orgId: null,
  role: 'ROLE_PLATFORM_OWNER',
  tokenVersion,
});

/** Written for unknown addresses too: one row more or less must not show in the time it takes. */
const recordFailure = ({ audit }: Parts, target: { adminId: string } | undefined, { ip, requestId }: Origin) =>
  audit.record({
    action: 'operator.login_failed',
    outcome: 'failure',
    actor: { kind: 'anonymous', id: null },
    target: target ? { kind: 'platform', id: target.adminId } : null,
    ip,
    requestId,
  });

const over = () => new AppError('otp_expired', 'This login attempt is over; sign in again');
