import type { ResetLinks } from '../../shared/accounts/reset-links.ts';
import type { OperatorRecord } from '../../shared/accounts/rows.ts';
import type { Audit } from '../../shared/audit/audit.ts';
import { AppError, conflict } from '../../shared/errors.ts';
import type { OperatorActor } from '../../shared/identity/actor.ts';
import type { LoginCookies } from '../../shared/identity/cookies.ts';
import type { LoginCodes } from '../../shared/identity/login-codes.ts';
import type { LoginGuard } from '../../shared/identity/login-guard.ts';
import type { Sessions } from '../../shared/identity/sessions.ts';
import type { Outbox } from '../../shared/mail/outbox.ts';
import type { Passwords } from '../../shared/passwords/hash.ts';
import type { Settings } from '../../shared/settings/variables.ts';
import { ConditionFailed } from '../../shared/store/dynamodb.ts';
import type { Floor } from '../../shared/throttle/floor.ts';
import type { Throttle } from '../../shared/throttle/throttle.ts';
import type { Clock } from '../../shared/time.ts';
import { STALE, type OperatorStore } from './store.ts';
import type { RequestHeaders } from '../../shared/http/request.ts';

/** What the rules of this family ask of the outside. */
export interface Parts {
  readonly settings: Settings;
  readonly store: OperatorStore;
  readonly sessions: Sessions;
  readonly cookies: LoginCookies;
  readonly codes: LoginCodes;
  readonly guard: LoginGuard;
  readonly resets: ResetLinks;
  readonly passwords: Passwords;
  readonly throttle: Throttle;
  readonly floor: Floor;
  readonly outbox: Outbox;
  readonly audit: Audit;
  readonly now: Clock;
  readonly newId: () => string;
}

/** Where a request comes from, as far as it can be believed. */
export interface Origin {
  readonly ip: string;
  readonly requestId: string;
  readonly userAgent: string;
  readonly headers: RequestHeaders;
}

/** An operator who asks, and from where. */
export interface By extends Origin {
  readonly actor: OperatorActor;
}

export const actOf = ({ actor, ip, requestId }: By) => ({
  actor: { kind: 'platform' as const, id: actor.adminId },
  ip,
  requestId,
});

/** What operators do themselves while signing in. */
export const ownAct = ({ adminId }: Pick<OperatorRecord, 'adminId'>, { ip, requestId }: Origin, action: string) => {
  const who = { kind: 'platform', id: adminId } as const;
  return { action, actor: who, target: who, ip, requestId };
};

export async function demandOperator({ store }: Parts, adminId: string): Promise<OperatorRecord> {
  const operator = await store.byId(adminId);
  if (!operator) throw new AppError('token_revoked', 'The session has ended; sign in again');
  return operator;
}

/** Someone else changed the same operator between reading and writing. */
export function whenStale(error: unknown): never {
  const isStale = error instanceof ConditionFailed && error.what === STALE;
  throw isStale ? conflict('The operator was changed at this moment; try again') : error;
}
