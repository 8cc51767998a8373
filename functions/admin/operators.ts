import type { OperatorRecord } from '../../shared/accounts/rows.ts';
import { AppError, conflict, notFound } from '../../shared/errors.ts';
import type { Letter } from '../../shared/mail/letter.ts';
import { notice } from '../../shared/mail/letters.ts';
import { ConditionFailed, orElse } from '../../shared/store/dynamodb.ts';
import { actOf, whenStale, type By, type Parts } from './parts.ts';
import { ADDRESS, BOOT, isCounted } from './store.ts';

/** Operators about operators. */
export const createOperators = (parts: Parts) => ({
  async list({ q, limit, nextToken }: { q?: string; limit: number; nextToken?: string }) {
    return parts.store.list({ q, limit, cursor: nextToken });
  },

  create: (by: By, input: { name: string; email: string }) => create(parts, by, input),
  update: (by: By, adminId: string, input: { name?: string; email?: string }) =>
    update(parts, by, { ...input, adminId }),
  deactivate: (by: By, adminId: string) => setStatus(parts, by, { adminId, status: 'INACTIVE' }),
  reactivate: (by: By, adminId: string) => setStatus(parts, by, { adminId, status: 'ACTIVE' }),

  async remove(by: By, adminId: string): Promise<void> {
    demandOther(by, adminId);
    const operator = await find(parts, adminId);
    const record = recordOf(parts, by, 'operator.deleted', operator);
    await parts.store.remove(operator, [record]).catch(whenLast).catch(whenStale);
    await parts.outbox.send(operator.email, standingChanged(operator.name, 'deleted'));
  },
});

/** Without a password until the mailed link is used. */
async function create(parts: Parts, by: By, { name, email }: { name: string; email: string }): Promise<OperatorRecord> {
  const at = parts.now();
  const operator: OperatorRecord = {
    adminId: parts.newId(),
    name,
    email,
    status: 'ACTIVE',
    tokenVersion: 1,
    passwordHash: null,
    otpEnabled: true,
    createdAt: at,
    updatedAt: at,
    lastLoginAt: null,
  };
  await parts.store.create(operator, [recordOf(parts, by, 'operator.created', operator)]).catch(orElse(taken));
  await parts.resets.send({ id: operator.adminId, name, email }, invited);
  return operator;
}

interface Update {
  readonly adminId: string;
  readonly name?: string;
  readonly email?: string;
}

async function update(parts: Parts, by: By, { adminId, name, email }: Update): Promise<OperatorRecord> {
  const operator = await find(parts, adminId);
  const record = recordOf(parts, by, 'operator.updated', operator);
  const set = { name, updatedAt: parts.now() };
  if (email === undefined || email === operator.email) {
    await parts.store.change(operator, { set }, [record]).catch(whenStale);
    return find(parts, adminId);
  }
  const change = { set, add: { tokenVersion: 1 }, remove: ['resetHash'] };
  await parts.store.rename(operator, email, change, [record]).catch(whenTaken).catch(whenStale);
  const letter = addressChanged(operator.name, email);
  await Promise.all([parts.outbox.send(operator.email, letter), parts.outbox.send(email, letter)]);
  return find(parts, adminId);
}

async function setStatus(
  parts: Parts,
  by: By,
  { adminId, status }: Pick<OperatorRecord, 'adminId' | 'status'>,
): Promise<OperatorRecord> {
  demandOther(by, adminId);
  const operator = await find(parts, adminId);
  if (operator.status === status) return operator;
  const word = status === 'ACTIVE' ? 'reactivated' : 'deactivated';
  const step = isCounted({ ...operator, status: 'ACTIVE' }) ? (status === 'ACTIVE' ? 1 : -1) : undefined;
  const change = {
    set: { status, updatedAt: parts.now() },
    add: { tokenVersion: 1 },
    remove: ['resetHash'],
    step,
  } as const;
  const record = recordOf(parts, by, `operator.${word}`, operator);
  await parts.store.change(operator, change, [record]).catch(whenLast).catch(whenStale);
  await parts.outbox.send(operator.email, standingChanged(operator.name, word));
  return find(parts, adminId);
}

async function find({ store }: Parts, adminId: string): Promise<OperatorRecord> {
  const operator = await store.byId(adminId);
  if (!operator) throw notFound('Operator');
  return operator;
}

function demandOther({ actor }: By, adminId: string) {
  if (actor.adminId === adminId)
    throw new AppError('cannot_act_on_self', 'Ask another operator to do this to your account');
}

const recordOf = ({ audit }: Parts, by: By, action: string, { adminId, email }: OperatorRecord) =>
  audit.recording({ ...actOf(by), action, target: { kind: 'platform', id: adminId }, details: { email } });

const taken = (failed: ConditionFailed) =>
  failed.what === ADDRESS
    ? new AppError('email_taken', 'Another operator has this address')
    : conflict('The operator was changed at this moment; try again');

function whenTaken(error: unknown): never {
  throw error instanceof ConditionFailed && error.what === ADDRESS ? taken(error) : error;
}

function whenLast(error: unknown): never {
  const isLast = error instanceof ConditionFailed && error.what === BOOT;
  throw isLast ? new AppError('last_admin', 'The platform cannot be left without an active operator') : error;
}

const invited = (to: { name: string; link: string; minutes: number }): Letter => ({
  ...notice({ name: to.name, subject: 'You are now a platform operator', lines: ['please set your password.'] }),
  action: { label: 'Set your password', link: to.link },
  closing: `The link works once, for ${to.minutes} minutes. Later, ask for another one with “forgot password”.`,
});

const addressChanged = (name: string, email: string): Letter =>
  notice({
    name,
    subject: 'The address of your account was changed',
    lines: [`from now on you sign in with ${email}.`],
  });

const standingChanged = (name: string, word: 'reactivated' | 'deactivated' | 'deleted'): Letter =>
  notice({ name, subject: `Your operator account was ${word}`, lines: [`another operator has ${word} your account.`] });
