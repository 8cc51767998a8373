import type { PlanGrant } from '../plans/plans.ts';

/** Who asks. The first thing every rule gets, so a missing check is visible in its signature. */
export type Role = 'ROLE_USER' | 'ROLE_ORG_ADMIN';

export interface UserActor {
  readonly kind: 'user';
  readonly userId: string;
  readonly orgId: string | null;
  readonly role: Role;
  readonly name: string;
  readonly email: string;
  readonly groups: readonly string[];
  /** The organization's plan, or the personal one; it came with the read that identified the caller. */
  readonly plan: PlanGrant;
  readonly via: 'jwt' | 'key' | 'cookie';
  /** The token's own id (jwt, cookie) or the API key's id: what sign-out and key rotation act on. */
  readonly credentialId: string;
  readonly credentialExpiresAt: number | null;
  /** Routes a restricted key may call; null means all. A restricted key can only mint keys within these. */
  readonly allowedRoutes: readonly string[] | null;
}

export interface OperatorActor {
  readonly kind: 'platform';
  readonly adminId: string;
  readonly role: 'ROLE_PLATFORM_OWNER';
  readonly name: string;
  readonly email: string;
  readonly credentialId: string;
  readonly credentialExpiresAt: number | null;
}

/** Someone invited to sign; known only by the one-time link. */
export interface RecipientActor {
  readonly kind: 'recipient';
  readonly token: string;
}

/** A system that holds the event key. */
export interface ServiceActor {
  readonly kind: 'service';
}

export type Actor = UserActor | OperatorActor | RecipientActor | ServiceActor;

/** Who may call a route. `optional` knows the caller when there is one; `signedIn` is a user or an operator. */
export type Access = 'open' | 'optional' | 'user' | 'orgAdmin' | 'platform' | 'signedIn' | 'recipient' | 'eventKey';

interface ActorByAccess {
  open: undefined;
  optional: UserActor | OperatorActor | undefined;
  user: UserActor;
  orgAdmin: UserActor & { readonly orgId: string; readonly role: 'ROLE_ORG_ADMIN' };
  platform: OperatorActor;
  signedIn: UserActor | OperatorActor;
  recipient: RecipientActor;
  eventKey: ServiceActor;
}

export type ActorFor<A extends Access> = ActorByAccess[A];

/** Rows belong to an organization when the user has one, to the user otherwise. */
export const tenantOf = (actor: Pick<UserActor, 'orgId' | 'userId'>) =>
  actor.orgId ? `org:${actor.orgId}` : `user:${actor.userId}`;
