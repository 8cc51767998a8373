import { AppError } from '../../shared/errors.ts';
import type { Authenticate } from '../../shared/http/api.ts';
import type { UserActor } from '../../shared/identity/actor.ts';
import { rowsBehind } from '../../shared/identity/reader.ts';
import { UserRow } from '../../shared/identity/rows.ts';
import type { Member } from '../../shared/realtime/connection.ts';

/** Whose token this is. Undefined for one that is not good, or not a user's: such a connection stays and hears nothing. */
export type Identify = (token: string) => Promise<Member | undefined>;

const PLAUSIBLE = /^[\w.~+/=-]{1,8192}$/;

/** A socket is a request like any other: the same rules decide about tokens, keys and what a restricted key may reach. */
export const createIdentify =
  (authenticate: Authenticate, ownAddress: string): Identify =>
  async (token) => {
    if (!PLAUSIBLE.test(token)) return undefined;
    const headers = { authorization: `Bearer ${token}` };
    try {
      const actor = await authenticate(new Request(`${ownAddress}/ws/socket.io`, { headers }), 'user');
      return actor?.kind === 'user' ? memberOf(actor) : undefined;
    } catch (error) {
      if (error instanceof AppError && error.status < 500) return undefined;
      throw error;
    }
  };

function memberOf(actor: UserActor): Member {
  const { userId, name, orgId, credentialId, credentialExpiresAt: expiresAt } = actor;
  const { user, keyHash } = rowsBehind(actor) ?? {};
  const { tokenVersion } = UserRow.parse(user);
  const credential = { kind: keyHash ? 'key' : 'token', id: keyHash ?? credentialId, expiresAt } as const;
  return { userId, name, orgId, tokenVersion, credential };
}
