import type { OperatorRecord } from '../../shared/accounts/rows.ts';
import { AppError } from '../../shared/errors.ts';
import { CODE_RULES, subjectOf } from '../../shared/identity/login-codes.ts';
import { operatorSubject } from '../../shared/identity/login-guard.ts';
import { passwordChanged, secondStepChanged } from '../../shared/mail/letters.ts';
import { demandGoodPassword } from '../../shared/passwords/rules.ts';
import { ConditionFailed } from '../../shared/store/dynamodb.ts';
import { transact } from '../../shared/store/transaction.ts';
import { takeByAddress } from '../../shared/throttle/by-address.ts';
import { demandOperator, ownAct, whenStale, type By, type Origin, type Parts } from './parts.ts';
import { welcome, type Welcome } from './sign-in.ts';

const HOUR = 3_600_000;
const FORGOT = { kind: 'operator-forgot', limit: 3, windowMs: HOUR };
const FORGOT_PLACE = { kind: 'operator-forgot-place', limit: 20, windowMs: HOUR };
const RESET_PLACE = { kind: 'operator-reset-place', limit: 30, windowMs: HOUR / 4 };
const REAUTH = { kind: 'operator-reauth', limit: 10, windowMs: HOUR / 4 };

interface Profile {
  readonly name?: string;
  readonly otpEnabled?: boolean;
  readonly password?: string;
}

/** What operators do with their own account. */
export const createAccount = (parts: Parts) => ({
  me: (by: By) => demandOperator(parts, by.actor.adminId),
  update: (by: By, profile: Profile) => update(parts, by, profile),

  /** Every session ends by the token version, one by its own id. */
  async logout(by: By, all: boolean): Promise<void> {
    const { actor } = by;
    if (!all) return parts.sessions.end(actor.credentialId, actor.credentialExpiresAt);
    const operator = await demandOperator(parts, actor.adminId);
    const record = parts.audit.recording(ownAct(operator, by, 'operator.signed_out_everywhere'));
    await parts.store.change(operator, { add: { tokenVersion: 1 } }, [record]).catch(whenStale);
  },

  async changePassword(by: By, input: { currentPassword: string; newPassword: string }): Promise<Welcome> {
    const operator = await demandOperator(parts, by.actor.adminId);
    await demandPassword(parts, operator, input.currentPassword);
    const words = [operator.name, operator.email];
    demandGoodPassword(input.newPassword, parts.settings, { field: 'newPassword', words });
    const set = { passwordHash: await parts.passwords.hash(input.newPassword), updatedAt: parts.now() };
    const record = parts.audit.recording(ownAct(operator, by, 'operator.password_changed'));
    const change = { set, add: { tokenVersion: 1 }, remove: ['resetHash'] };
    await parts.store.change(operator, change, [record]).catch(whenStale);
    await parts.outbox.send(operator.email, passwordChanged(operator));
    const renewed = { ...operator, ...set, tokenVersion: operator.tokenVersion + 1 };
    return welcome(parts, renewed, { origin: by, amr: ['pwd'] });
  },

  /** The same answer, as late, for every address. */
  async forgot(email: string, origin: Origin): Promise<void> {
    const startedAt = parts.now();
    await takeByAddress(parts.throttle, FORGOT_PLACE, origin.ip);
    await parts.throttle.take(FORGOT, email);
    const operator = await parts.store.byAddress(email);
    if (operator?.status === 'ACTIVE') {
      await parts.resets.send({ id: operator.adminId, name: operator.name, email });
      await parts.audit.record(ownAct(operator, origin, 'operator.reset_requested'));
    }
    await parts.floor(startedAt);
  },

  reset: (input: { token: string; password: string }, origin: Origin) => reset(parts, input, origin),
});

async function update(parts: Parts, by: By, { name, otpEnabled, password }: Profile): Promise<OperatorRecord> {
  const operator = await demandOperator(parts, by.actor.adminId);
  const isSwitched = otpEnabled !== undefined && otpEnabled !== operator.otpEnabled;
  if (isSwitched) await demandPassword(parts, operator, password ?? '');
  const set = { name, otpEnabled, updatedAt: parts.now() };
  const record = parts.audit.recording(ownAct(operator, by, 'operator.updated'));
  await parts.store.change(operator, { set }, [record]).catch(whenStale);
  if (isSwitched) await parts.outbox.send(operator.email, secondStepChanged({ name: operator.name, isOn: otpEnabled }));
  return demandOperator(parts, operator.adminId);
}

/** The first password of an invited operator is also the moment from which they count. */
async function reset(parts: Parts, { token, password }: { token: string; password: string }, origin: Origin) {
  await takeByAddress(parts.throttle, RESET_PLACE, origin.ip);
  const found = await parts.resets.find(token);
  const operator = found && (await parts.store.byId(found.holderId));
  if (!operator || operator.status !== 'ACTIVE' || operator.resetHash !== found.tokenHash) throw badLink();
  demandGoodPassword(password, parts.settings, { words: [operator.name, operator.email] });
  const set = { passwordHash: await parts.passwords.hash(password), updatedAt: parts.now() };
  const record = parts.audit.recording(ownAct(operator, origin, 'operator.password_reset'));
  const first = parts.store.counting(operator.passwordHash === null ? 1 : undefined);
  await transact([...parts.resets.spending(found, set), ...first, record]).catch((error: unknown) => {
    throw error instanceof ConditionFailed ? badLink() : error;
  });
  const subject = subjectOf('admin', operator.adminId);
  await Promise.all([
    parts.guard.unlock(operatorSubject(operator.email), [origin.ip]),
    parts.throttle.clear(CODE_RULES.short.kind, subject),
    parts.outbox.send(operator.email, passwordChanged(operator)),
  ]);
}

async function demandPassword({ throttle, passwords }: Parts, operator: OperatorRecord, password: string) {
  const counted = await throttle.take(REAUTH, operator.adminId);
  if (await passwords.matches(password, operator.passwordHash)) return counted.refund();
  throw new AppError('invalid_credentials', 'The password is not right');
}

const badLink = () => new AppError('token_invalid', 'The link is not valid any more; ask for a new one');
