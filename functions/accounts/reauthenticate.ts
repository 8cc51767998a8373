import type { UserRecord } from '../../shared/accounts/rows.ts';
import { AppError } from '../../shared/errors.ts';
import type { Rule } from '../../shared/throttle/throttle.ts';
import type { Origin, Parts } from './parts.ts';

const TRIES: Rule = { kind: 'reauth', limit: 10, windowMs: 15 * 60_000 };

/** Asks for the password again before something that a stolen session must not do. */
export async function demandPassword(parts: Parts, user: UserRecord, given: { password: string; origin: Origin }) {
  if (user.authSource !== 'NATIVE' || user.passwordHash === null) {
    throw new AppError('password_managed_externally', 'The password of this account is kept by another directory');
  }
  const counted = await parts.throttle.take(TRIES, user.userId);
  if (await parts.passwords.matches(given.password, user.passwordHash)) return counted.refund();
  const actor = { kind: 'user', id: user.userId } as const;
  const { ip, requestId } = given.origin;
  await parts.audit.record({ action: 'password.refused', outcome: 'failure', actor, orgId: user.orgId, ip, requestId });
  throw new AppError('invalid_credentials', 'The password is not right');
}

/** The whole account behind an actor; it was read when the request was authenticated. */
export async function accountOf({ users }: Parts, userId: string): Promise<UserRecord> {
  const user = await users.byId(userId);
  if (!user) throw new AppError('token_revoked', 'The session has ended; sign in again');
  return user;
}
