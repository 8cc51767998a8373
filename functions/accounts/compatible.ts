import { AppError, notFound } from '../../shared/errors.ts';
import type { UserActor } from '../../shared/identity/actor.ts';
import type { ApiKeys } from './api-keys.ts';
import type { Outcome, Welcome } from '../../shared/accounts/arrival.ts';
import type { SessionUser } from './contract/compat.ts';
import type { Origin } from './parts.ts';
import { permissionsOf } from './profile.ts';

/** The same accounts in the shapes that existing chat clients read. */

export const toSessionUser = ({ session }: Welcome): SessionUser => ({
  token: session.token,
  token_type: 'Bearer',
  expires_at: session.expiresAt,
  ...toClientUser({ ...session.user, userId: session.user.id }),
});

export const presentedSession = (actor: UserActor, token: string): SessionUser => ({
  token,
  token_type: 'Bearer',
  expires_at: actor.credentialExpiresAt === null ? null : Math.floor(actor.credentialExpiresAt / 1000),
  ...toClientUser(actor),
});

const toClientUser = (user: Pick<UserActor, 'userId' | 'email' | 'name' | 'role'>) => ({
  id: user.userId,
  email: user.email,
  name: user.name,
  role: user.role === 'ROLE_ORG_ADMIN' ? ('admin' as const) : ('user' as const),
  profile_image_url: '',
  permissions: Object.fromEntries(permissionsOf(user.role).map((name) => [name, true])),
});

/** These clients know no second step; they learn which challenge to finish through the login of this interface. */
export function demandWelcome(outcome: Outcome): Welcome {
  if ('session' in outcome) return outcome;
  const { status: _, ...challenge } = outcome.challenge;
  throw new AppError('otp_required', 'Finish this login with its code at /api/auth/verify-login-otp', {
    facts: challenge,
  });
}

/** One key beside all others; asking for it again replaces it. */
export async function replaceCompatibleKey(keys: ApiKeys, actor: UserActor, origin: Origin) {
  const existing = await keys.compatible(actor);
  if (existing) return { api_key: (await keys.rotate(actor, existing.id, origin)).key };
  const input = { name: 'Client key', allowedRoutes: allowedOf(actor), isCompatible: true };
  return { api_key: (await keys.create(actor, input, origin)).key };
}

const allowedOf = ({ allowedRoutes }: UserActor) => (allowedRoutes === null ? null : [...allowedRoutes]);

export async function maskedCompatibleKey(keys: ApiKeys, actor: UserActor) {
  const key = await keys.compatible(actor);
  if (!key) throw notFound('API key');
  return { api_key: `${key.start}…${key.last4}` };
}

export async function revokeCompatibleKey(keys: ApiKeys, actor: UserActor, origin: Origin) {
  const key = await keys.compatible(actor);
  if (key) await keys.revoke(actor, key.id, origin);
  return true;
}
