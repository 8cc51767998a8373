import type { ChallengeView } from '../../shared/accounts/challenge-view.ts';
import { signInLink } from '../../shared/accounts/link-token.ts';
import type { OrgRecord, UserRecord } from '../../shared/accounts/rows.ts';
import { AppError } from '../../shared/errors.ts';
import { signInElsewhere } from '../../shared/mail/letters.ts';
import type { Rule } from '../../shared/throttle/throttle.ts';
import { orElse } from '../../shared/store/dynamodb.ts';
import type { Arrival, Outcome, Welcome } from '../../shared/accounts/arrival.ts';
import { changedMeanwhile } from '../../shared/accounts/changing-user.ts';
import type { LoginGuard } from '../../shared/identity/login-guard.ts';
import type { Origin, Parts } from './parts.ts';
import type { SecondStep } from './second-step.ts';

export interface LoginRequest {
  readonly typed: string;
  readonly password: string;
  readonly rememberDevice: boolean;
}

export interface SignIn {
  login(request: LoginRequest, origin: Origin): Promise<Outcome>;
  verifyCode(request: { challengeId: string; code: string; rememberDevice: boolean }, origin: Origin): Promise<Welcome>;
  resendCode(challengeId: string): Promise<ChallengeView>;
}

interface Helpers {
  readonly arrival: Arrival;
  readonly guard: LoginGuard;
  readonly secondStep: SecondStep;
}

export const createSignIn = (parts: Parts, helpers: Helpers): SignIn => ({
  login: (request, origin) => login(parts, helpers, { request, origin }),
  verifyCode: (request, origin) => verifyCode(parts, helpers, { ...request, origin }),
  async resendCode(challengeId) {
    const { challenge, code } = await parts.codes.renew('user', challengeId);
    const user = await parts.users.byId(challenge.holderId);
    if (!user) throw over();
    return helpers.arrival.sendCode(user, challenge, code);
  },
});

/** One answer for everything that can be wrong before the password is proved. */
export const wrongCredentials = () => new AppError('invalid_credentials', 'The address or the password is not right');

const over = () => new AppError('otp_expired', 'This login attempt is over; sign in again');

interface Try {
  readonly request: LoginRequest;
  readonly origin: Origin;
}

async function login(parts: Parts, { arrival, guard }: Helpers, { request, origin }: Try): Promise<Outcome> {
  const startedAt = parts.now();
  const entered = await guard.enter(request.typed, origin);
  const user = await parts.users.byAddress(request.typed);
  const isRight = await parts.passwords.matches(request.password, user?.passwordHash);
  const org = user && isRight ? await parts.users.org(user.orgId) : undefined;
  if (!user || !isRight || !mayUsePassword(user, org)) {
    await Promise.all([recordFailure(parts, user, origin), hintAtProvider(parts, user), parts.floor(startedAt)]);
    throw wrongCredentials();
  }
  await entered.succeeded();
  const current = await rehashed(parts, user, request.password);
  const way = { amr: ['pwd'], rememberDevice: request.rememberDevice };
  return arrival.admit({ user: current, org }, origin, way);
}

/** Where a company signs in through its provider, only whoever keeps the emergency access has a password here. */
export const mayUsePassword = (user: UserRecord, org: OrgRecord | undefined) =>
  org?.authProvider !== 'SSO' || user.breakGlass;

/** Written for unknown addresses too: one row more or less must not show in the time it takes. */
const recordFailure = (parts: Parts, user: UserRecord | undefined, { ip, requestId }: Origin) =>
  parts.audit.record({
    action: 'login.failed',
    outcome: 'failure',
    actor: { kind: 'anonymous', id: null },
    target: user ? { kind: 'user', id: user.userId } : null,
    orgId: user?.orgId ?? null,
    ip,
    requestId,
  });

const ONE_HINT_A_DAY: Rule = { kind: 'sso-hint', limit: 1, windowMs: 86_400_000 };

/** People without a password here learn by mail, and only by mail, how they get in. */
async function hintAtProvider({ throttle, outbox, settings }: Parts, user: UserRecord | undefined) {
  if (!user || user.authSource === 'NATIVE' || user.status !== 'ACTIVE') return;
  const isDue = await throttle.take(ONE_HINT_A_DAY, user.userId).then(
    () => true,
    () => false,
  );
  const letter = { name: user.name, way: user.authSource, link: signInLink(settings.SVC_URL) };
  if (isDue) await outbox.send(user.email, signInElsewhere(letter));
}

/** A work factor that has changed since reaches each account at its next login. */
async function rehashed(parts: Parts, user: UserRecord, password: string): Promise<UserRecord> {
  if (!user.passwordHash || !parts.passwords.isOutdated(user.passwordHash)) return user;
  const passwordHash = await parts.passwords.hash(password);
  const actor = { kind: 'system', id: null } as const;
  const act = { action: 'password.rehashed', actor, target: { kind: 'user', id: user.userId }, orgId: user.orgId };
  await parts.users.change(user, { set: { passwordHash } }, { act }).catch(orElse(changedMeanwhile));
  return { ...user, passwordHash };
}

async function recordWrongCode(parts: Parts, userId: string, { ip, requestId }: Origin) {
  const orgId = (await parts.users.byId(userId))?.orgId;
  const actor = { kind: 'anonymous', id: null } as const;
  const target = { kind: 'user', id: userId };
  await parts.audit.record({ action: 'login.code_failed', outcome: 'failure', actor, target, orgId, ip, requestId });
}

interface CodeTry {
  readonly challengeId: string;
  readonly code: string;
  readonly rememberDevice: boolean;
  readonly origin: Origin;
}

async function verifyCode(parts: Parts, { arrival, secondStep }: Helpers, attempt: CodeTry): Promise<Welcome> {
  const { challengeId, code, origin, rememberDevice } = attempt;
  let proof = 'otp';
  const challenge = await parts.codes.redeem({
    acct: 'user',
    challengeId,
    code,
    async checkApp({ holderId }, given) {
      const holder = await parts.users.byId(holderId);
      const found = holder && (await secondStep.prove(holder, given));
      proof = found ?? proof;
      return found !== undefined;
    },
    onWrong: ({ holderId }) => recordWrongCode(parts, holderId, origin),
  });
  const user = await parts.users.byId(challenge.holderId);
  if (!user || user.tokenVersion !== challenge.tokenVersion) throw over();
  arrival.demandUsable(user, await parts.users.org(user.orgId));
  return arrival.welcome(user, origin, { amr: ['pwd', proof], rememberDevice });
}
