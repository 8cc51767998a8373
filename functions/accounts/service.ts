import { createLoginGuard } from '../../shared/identity/login-guard.ts';
import { createApiKeys, type ApiKeys } from './api-keys.ts';
import { createArrival } from '../../shared/accounts/arrival.ts';
import { createAuthenticator, type Authenticator } from './authenticator.ts';
import { createInvites, type Invites } from './invites.ts';
import { createOwnSessions, type OwnSessions } from './own-sessions.ts';
import type { Parts } from './parts.ts';
import { createProfile, type Profile } from './profile.ts';
import { createRecovery, type Recovery } from './recovery.ts';
import { createRegistration, type Registration } from './registration.ts';
import { createSecondStep } from './second-step.ts';
import { createSignIn, type SignIn } from './sign-in.ts';

/** The rules of this family, by what people come for. */
export interface Accounts {
  readonly registration: Registration;
  readonly signIn: SignIn;
  readonly recovery: Recovery;
  readonly profile: Profile;
  readonly ownSessions: OwnSessions;
  readonly authenticator: Authenticator;
  readonly apiKeys: ApiKeys;
  readonly invites: Invites;
}

export function createAccounts(parts: Parts): Accounts {
  const arrival = createArrival(parts);
  const guard = createLoginGuard(parts.throttle, parts.cookies);
  const secondStep = createSecondStep(parts, arrival);
  return {
    registration: createRegistration(parts),
    signIn: createSignIn(parts, { arrival, guard, secondStep }),
    recovery: createRecovery(parts, { arrival, guard }),
    profile: createProfile(parts, secondStep),
    ownSessions: createOwnSessions(parts),
    authenticator: createAuthenticator(parts, secondStep),
    apiKeys: createApiKeys(parts),
    invites: createInvites(parts, arrival),
  };
}
