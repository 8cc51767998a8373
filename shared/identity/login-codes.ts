import { randomInt } from 'node:crypto';
import * as z from 'zod';
import { AppError, conflict, tooMany } from '../errors.ts';
import { newSecret } from '../ids.ts';
import { ConditionFailed } from '../store/dynamodb.ts';
import { when } from '../store/expression.ts';
import { openTable } from '../store/table.ts';
import type { Rule, Throttle } from '../throttle/throttle.ts';
import type { Clock } from '../time.ts';
import { isSame } from './cookies.ts';
import type { Pepper } from './pepper.ts';
import type { Holder } from './sessions.ts';

/** A login that waits for its second step: `OTP#<id> / C` in `accounts`, for users and operators alike. */
const ChallengeRow = z.object({
  challengeId: z.string(),
  acct: z.enum(['user', 'admin']),
  holderId: z.string(),
  tokenVersion: z.number(),
  channel: z.enum(['EMAIL', 'TOTP']),
  /** Keyed hash of challenge and code; absent when an app makes the codes. */
  codeHash: z.string().optional(),
  attemptsLeft: z.number(),
  resends: z.number(),
  resendAt: z.number(),
  expiresAt: z.number(),
});
export type Challenge = z.output<typeof ChallengeRow>;

export interface LoginCodes {
  /** The code is empty when an app makes it. */
  begin(holder: Holder, channel: Challenge['channel']): Promise<{ challenge: Challenge; code: string }>;
  /** A new code for the same challenge; the old one is dead. */
  renew(acct: Holder['acct'], challengeId: string): Promise<{ challenge: Challenge; code: string }>;
  /** Uses up one attempt, then compares; the challenge itself works once. */
  redeem(attempt: Attempt): Promise<Challenge>;
}

export interface Attempt {
  readonly acct: Holder['acct'];
  readonly challengeId: string;
  readonly code: string;
  /** Decides about codes that were not mailed. */
  readonly checkApp: (challenge: Challenge, code: string) => Promise<boolean>;
  /** A wrong code is worth an audit row, which the families write each in their own way. */
  readonly onWrong: (challenge: Challenge) => Promise<void>;
}

export const CODE_MINUTES = 5;
const ATTEMPTS = 5;
const MAX_RESENDS = 5;
const RESEND_AFTER_MS = 60_000;
const LIFE_MS = CODE_MINUTES * 60_000;

/** Over all challenges of one account: a stolen password buys fifty guesses a day among a million codes. */
export const CODE_RULES = {
  short: { kind: 'otp', limit: 10, windowMs: 15 * 60_000 },
  day: { kind: 'otp-day', limit: 50, windowMs: 86_400_000 },
  mails: { kind: 'otp-mail', limit: 10, windowMs: 3_600_000 },
} as const satisfies Record<string, Rule>;

interface Parts {
  readonly pepper: Pepper;
  readonly throttle: Throttle;
  readonly now: Clock;
}

const accounts = openTable('accounts');
const keyOf = (challengeId: string) => ({ pk: `OTP#${challengeId}`, sk: 'C' });

/** The same for expired, unknown, used and locked: none of them says anything about an account. */
const expired = () => new AppError('otp_expired', 'This login attempt is over; sign in again');

export function createLoginCodes(parts: Parts): LoginCodes {
  return {
    begin: (holder, channel) => begin(parts, holder, channel),
    renew: (acct, challengeId) => renew(parts, acct, challengeId),
    redeem: (attempt) => redeem(parts, attempt),
  };
}

async function begin({ pepper, throttle, now }: Parts, holder: Holder, channel: Challenge['channel']) {
  const challengeId = newSecret();
  const code = channel === 'EMAIL' ? newCode() : '';
  if (code) await throttle.take(CODE_RULES.mails, subjectOf(holder.acct, holder.id));
  const challenge: Challenge = {
    challengeId,
    acct: holder.acct,
    holderId: holder.id,
    tokenVersion: holder.tokenVersion,
    channel,
    codeHash: code ? pepper(challengeId + code) : undefined,
    attemptsLeft: ATTEMPTS,
    resends: 0,
    resendAt: now() + RESEND_AFTER_MS,
    expiresAt: now() + LIFE_MS,
  };
  await accounts.put({ ...keyOf(challengeId), ...challenge, ttl: ttlOf(challenge.expiresAt) });
  return { challenge, code };
}

async function renew({ pepper, throttle, now }: Parts, acct: Holder['acct'], challengeId: string) {
  const before = await read(challengeId, acct);
  if (!before || before.expiresAt <= now() || before.attemptsLeft <= 0) throw expired();
  if (before.channel === 'TOTP') throw conflict('The codes of this login come from your app; there is nothing to send');
  if (before.resends >= MAX_RESENDS) throw expired();
  if (before.resendAt > now()) throw tooMany('A code has just been sent', (before.resendAt - now()) / 1000);
  await throttle.take(CODE_RULES.mails, subjectOf(acct, before.holderId));
  const code = newCode();
  const expiresAt = now() + LIFE_MS;
  const set = {
    codeHash: pepper(challengeId + code),
    expiresAt,
    ttl: ttlOf(expiresAt),
    resendAt: now() + RESEND_AFTER_MS,
  };
  const isSameAsRead = when('#resends = :resends AND #attemptsLeft > :none', { resends: before.resends, none: 0 });
  const row = await accounts.update(keyOf(challengeId), { set, add: { resends: 1 } }, isSameAsRead).catch(asExpired);
  return { challenge: ChallengeRow.parse(row), code };
}

async function redeem({ pepper, throttle, now }: Parts, { acct, challengeId, code, ...attempt }: Attempt) {
  const isOpen = when('#acct = :acct AND #attemptsLeft > :none AND #expiresAt > :now', { acct, none: 0, now: now() });
  const row = await accounts.update(keyOf(challengeId), { add: { attemptsLeft: -1 } }, isOpen).catch(asExpired);
  const challenge = ChallengeRow.parse(row);
  const subject = subjectOf(acct, challenge.holderId);
  await throttle.take(CODE_RULES.short, subject);
  const counted = await throttle.take(CODE_RULES.day, subject);
  const isRight = challenge.codeHash
    ? isSame(pepper(challengeId + code.trim()), challenge.codeHash)
    : await attempt.checkApp(challenge, code.trim());
  if (!isRight) {
    await attempt.onWrong(challenge);
    const { attemptsLeft } = challenge;
    throw new AppError('otp_invalid', 'The code is not right', { facts: { attemptsLeft } });
  }
  await accounts.delete(keyOf(challengeId), when('attribute_exists(pk)')).catch(asExpired);
  await Promise.all([throttle.clear(CODE_RULES.short.kind, subject), counted.refund()]);
  return challenge;
}

async function read(challengeId: string, acct: Holder['acct']) {
  const row = ChallengeRow.safeParse(await accounts.get(keyOf(challengeId)));
  return row.success && row.data.acct === acct ? row.data : undefined;
}

function asExpired(error: unknown): never {
  throw error instanceof ConditionFailed ? expired() : error;
}

const newCode = () => String(randomInt(1_000_000)).padStart(6, '0');
const ttlOf = (expiresAt: number) => Math.ceil(expiresAt / 1000) + 60;
/** Counters must not let a user and an operator of the same id share a budget. */
export const subjectOf = (acct: Holder['acct'], holderId: string) => `${acct}:${holderId}`;
