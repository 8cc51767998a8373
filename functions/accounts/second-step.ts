import type { UserRecord } from '../../shared/accounts/rows.ts';
import { conflict, forbidden } from '../../shared/errors.ts';
import { matchingStep } from '../../shared/identity/totp.ts';
import { secondStepChanged } from '../../shared/mail/letters.ts';
import { orElse } from '../../shared/store/dynamodb.ts';
import type { Change } from '../../shared/store/expression.ts';
import type { Operation } from '../../shared/store/transaction.ts';
import type { Arrival, Welcome } from '../../shared/accounts/arrival.ts';
import { changedMeanwhile } from '../../shared/accounts/changing-user.ts';
import type { Origin, Parts } from './parts.ts';
import { accountOf, demandPassword } from './reauthenticate.ts';

/** Two-step login of one account: by mailed codes, or by an authenticator app with recovery codes. */
export interface SecondStep {
  /** Mailed codes on or off; needs the password. */
  toggle(user: UserRecord, wanted: { isOn: boolean; password: string }, origin: Origin): Promise<Welcome>;
  /** What kind of proof this code was, or nothing when it is none. A proof works once. */
  prove(user: UserRecord, code: string): Promise<'totp' | 'recovery' | undefined>;
  /** Whatever else is signed in to this account is signed out; whoever made the change gets a fresh session. */
  apply(user: UserRecord, wanted: Wanted, origin: Origin): Promise<Welcome>;
}

export interface Wanted {
  readonly isOn: boolean;
  readonly action: string;
  readonly change: Change;
  readonly operations?: readonly Operation[];
}

export function createSecondStep(parts: Parts, arrival: Arrival): SecondStep {
  const apply: SecondStep['apply'] = async (user, { isOn, action, change, operations }, origin) => {
    const who = { kind: 'user', id: user.userId } as const;
    const act = { action, actor: who, target: who, orgId: user.orgId, ip: origin.ip, requestId: origin.requestId };
    await parts.users
      .change(user, { ...change, add: { tokenVersion: 1 } }, { act, operations })
      .catch(orElse(changedMeanwhile));
    await parts.outbox.send(user.email, secondStepChanged({ name: user.name, isOn }));
    const current = await accountOf(parts, user.userId);
    return arrival.welcome(current, origin, { amr: ['pwd'], action: 'session.renewed' });
  };
  return {
    apply,
    prove: (user, code) => prove(parts, user, code),
    async toggle(user, { isOn, password }, origin) {
      demandOffered(parts);
      if (!isOn && user.totpSecret) throw conflict('Remove the authenticator app to switch two-step login off');
      await demandPassword(parts, user, { password, origin });
      const action = isOn ? 'otp.enabled' : 'otp.disabled';
      return apply(user, { isOn, action, change: { set: { otpEnabled: isOn } } }, origin);
    },
  };
}

export const sealOf = (user: UserRecord) => ({ tenant: `user:${user.userId}`, field: 'totp' });

export function demandOffered({ settings }: Parts) {
  if (settings.LOGIN_OTP === 'off') throw forbidden('Two-step login is switched off on this installation');
}

async function prove(parts: Parts, user: UserRecord, code: string) {
  if (!user.totpSecret) return undefined;
  if (!/^\d{6}$/.test(code)) return (await parts.recoveryCodes.spend(user.userId, code)) ? 'recovery' : undefined;
  const secret = await parts.seal.open(user.totpSecret, sealOf(user));
  const step = matchingStep(secret, code, { now: parts.now(), after: user.totpLastStep ?? 0 });
  if (step === undefined || !(await parts.recoveryCodes.useStep(user.userId, step))) return undefined;
  return 'totp';
}
