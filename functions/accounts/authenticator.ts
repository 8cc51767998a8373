import type { UserRecord } from '../../shared/accounts/rows.ts';
import { AppError, conflict } from '../../shared/errors.ts';
import type { UserActor } from '../../shared/identity/actor.ts';
import { CODE_RULES, subjectOf } from '../../shared/identity/login-codes.ts';
import { matchingStep, newRecoveryCodes, newTotpSecret, otpauthUri } from '../../shared/identity/totp.ts';
import { orElse } from '../../shared/store/dynamodb.ts';
import type { Welcome } from '../../shared/accounts/arrival.ts';
import { changedMeanwhile } from '../../shared/accounts/changing-user.ts';
import type { Origin, Parts } from './parts.ts';
import { accountOf, demandPassword } from './reauthenticate.ts';
import { demandOffered, sealOf, type SecondStep } from './second-step.ts';

/** Setting an authenticator app up and taking it away. */
export interface Authenticator {
  enroll(actor: UserActor, password: string, origin: Origin): Promise<{ secret: string; otpauthUri: string }>;
  confirm(actor: UserActor, code: string, origin: Origin): Promise<Welcome & { recoveryCodes: string[] }>;
  remove(actor: UserActor, proof: { password: string; code: string }, origin: Origin): Promise<Welcome>;
}

export const createAuthenticator = (parts: Parts, secondStep: SecondStep): Authenticator => ({
  async enroll(actor, password, origin) {
    demandOffered(parts);
    const user = await accountOf(parts, actor.userId);
    if (user.totpSecret) throw conflict('An authenticator app is already in use; remove it first');
    await demandPassword(parts, user, { password, origin });
    const secret = newTotpSecret();
    await keepPending(parts, user, { sealed: await parts.seal.close(secret, sealOf(user)), origin });
    return { secret, otpauthUri: otpauthUri(secret, { issuer: parts.settings.SVC_NAME, account: user.email }) };
  },
  async confirm(actor, code, origin) {
    const user = await accountOf(parts, actor.userId);
    const step = await demandPendingCode(parts, user, code);
    const recoveryCodes = newRecoveryCodes();
    const operations = parts.recoveryCodes.inserting(user.userId, recoveryCodes);
    const set = { totpSecret: user.totpPending, totpLastStep: step, otpEnabled: true };
    const change = { set, remove: ['totpPending'] };
    const welcome = await secondStep.apply(user, { isOn: true, action: 'totp.enabled', operations, change }, origin);
    return { ...welcome, recoveryCodes };
  },
  async remove(actor, { password, code }, origin) {
    const user = await accountOf(parts, actor.userId);
    if (!user.totpSecret) throw conflict('No authenticator app is in use');
    await demandPassword(parts, user, { password, origin });
    await countTry(parts, user);
    if (!(await secondStep.prove(user, code))) throw wrongCode();
    const operations = await parts.recoveryCodes.deletingAll(user.userId);
    const change = { set: { otpEnabled: false }, remove: ['totpSecret', 'totpPending', 'totpLastStep'] };
    return secondStep.apply(user, { isOn: false, action: 'totp.disabled', operations, change }, origin);
  },
});

const wrongCode = () => new AppError('otp_invalid', 'The code is not right');

const countTry = ({ throttle }: Parts, user: UserRecord) =>
  throttle.take(CODE_RULES.short, subjectOf('user', user.userId));

async function keepPending(parts: Parts, user: UserRecord, { sealed, origin }: { sealed: string; origin: Origin }) {
  const actor = { kind: 'user', id: user.userId } as const;
  const act = { action: 'totp.enrolling', actor, orgId: user.orgId, ip: origin.ip, requestId: origin.requestId };
  await parts.users.change(user, { set: { totpPending: sealed } }, { act }).catch(orElse(changedMeanwhile));
}

async function demandPendingCode(parts: Parts, user: UserRecord, code: string): Promise<number> {
  if (!user.totpPending) throw conflict('Begin with the enrolment of an app');
  await countTry(parts, user);
  const secret = await parts.seal.open(user.totpPending, sealOf(user));
  const step = matchingStep(secret, code, { now: parts.now(), after: 0 });
  if (step === undefined) throw wrongCode();
  return step;
}
