import { signInLink } from '../../shared/accounts/link-token.ts';
import type { UserRecord } from '../../shared/accounts/rows.ts';
import type { UserActor } from '../../shared/identity/actor.ts';
import { CODE_RULES, subjectOf } from '../../shared/identity/login-codes.ts';
import { passwordChanged, signInElsewhere } from '../../shared/mail/letters.ts';
import { demandGoodPassword } from '../../shared/passwords/rules.ts';
import { ConditionFailed, orElse } from '../../shared/store/dynamodb.ts';
import { transact } from '../../shared/store/transaction.ts';
import { takeByAddress } from '../../shared/throttle/by-address.ts';
import type { Rule } from '../../shared/throttle/throttle.ts';
import type { Arrival, Welcome } from '../../shared/accounts/arrival.ts';
import { changedMeanwhile } from '../../shared/accounts/changing-user.ts';
import type { LoginGuard } from '../../shared/identity/login-guard.ts';
import type { Origin, Parts } from './parts.ts';
import { accountOf, demandPassword } from './reauthenticate.ts';
import { badLink } from './registration.ts';
import { mayUsePassword } from './sign-in.ts';

/** Passwords that were forgotten, and ones that are changed on purpose. */
export interface Recovery {
  forgot(address: string, origin: Origin): Promise<void>;
  reset(request: { token: string; password: string }, origin: Origin): Promise<void>;
  change(actor: UserActor, request: { current: string; next: string }, origin: Origin): Promise<Welcome>;
}

const HOUR = 3_600_000;
const FORGOT: Rule = { kind: 'forgot', limit: 3, windowMs: HOUR };
const FORGOT_PLACE: Rule = { kind: 'forgot-place', limit: 20, windowMs: HOUR };
const RESET_PLACE: Rule = { kind: 'reset-place', limit: 30, windowMs: HOUR / 4 };

interface Helpers {
  readonly arrival: Arrival;
  readonly guard: LoginGuard;
}

export const createRecovery = (parts: Parts, { arrival, guard }: Helpers): Recovery => ({
  async forgot(address, origin) {
    const startedAt = parts.now();
    await takeByAddress(parts.throttle, FORGOT_PLACE, origin.ip);
    await parts.throttle.take(FORGOT, address);
    const user = await parts.users.byAddress(address);
    if (user?.status === 'ACTIVE') await mailWayIn(parts, user, origin);
    await parts.floor(startedAt);
  },
  reset: (request, origin) => reset(parts, guard, { ...request, origin }),
  async change(actor, { current, next }, origin) {
    const user = await accountOf(parts, actor.userId);
    await demandPassword(parts, user, { password: current, origin });
    demandGoodPassword(next, parts.settings, { field: 'newPassword', words: [user.name, user.email] });
    const set = { passwordHash: await parts.passwords.hash(next), updatedAt: parts.now() };
    const act = actBy(user, 'password.changed', origin);
    const change = { set, add: { tokenVersion: 1 }, remove: ['resetHash'] };
    await parts.users.change(user, change, { act }).catch(orElse(changedMeanwhile));
    await parts.outbox.send(user.email, passwordChanged(user));
    const renewed = { ...user, ...set, tokenVersion: user.tokenVersion + 1 };
    return arrival.welcome(renewed, origin, { amr: ['pwd'], action: 'session.renewed' });
  },
});

function actBy(user: UserRecord, action: string, { ip, requestId }: Origin) {
  const who = { kind: 'user', id: user.userId } as const;
  return { action, actor: who, target: who, orgId: user.orgId, ip, requestId };
}

async function mailWayIn(parts: Parts, user: UserRecord, origin: Origin) {
  const { userId: id, name, email } = user;
  const way = mayUsePassword(user, await parts.users.org(user.orgId)) ? user.authSource : 'SSO';
  if (way !== 'NATIVE') {
    return parts.outbox.send(email, signInElsewhere({ name, way, link: signInLink(parts.settings.SVC_URL) }));
  }
  await parts.resets.send({ id, name, email });
  await parts.audit.record(actBy(user, 'password.reset_requested', origin));
}

interface ResetRequest {
  readonly token: string;
  readonly password: string;
  readonly origin: Origin;
}

/** The link has proved the address too. Two-step login stays as it was: this signs nobody in. */
async function reset(parts: Parts, guard: LoginGuard, { token, password, origin }: ResetRequest) {
  await takeByAddress(parts.throttle, RESET_PLACE, origin.ip);
  const found = await parts.resets.find(token);
  const user = found && (await parts.users.byId(found.holderId));
  if (!user || user.status !== 'ACTIVE' || user.resetHash !== found.tokenHash) throw badLink();
  demandGoodPassword(password, parts.settings, { words: [user.name, user.email] });
  const set = { passwordHash: await parts.passwords.hash(password), emailVerified: true, updatedAt: parts.now() };
  const operations = parts.resets.spending(found, set);
  await transact([...operations, parts.audit.recording(actBy(user, 'password.reset', origin))]).catch(
    (error: unknown) => {
      throw error instanceof ConditionFailed ? badLink() : error;
    },
  );
  const subject = subjectOf('user', user.userId);
  await Promise.all([guard.unlock(user.email, [origin.ip]), parts.throttle.clear(CODE_RULES.short.kind, subject)]);
  await parts.outbox.send(user.email, passwordChanged(user));
}
