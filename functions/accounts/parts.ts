import type { Whence } from '../../shared/accounts/arrival.ts';
import type { ResetLinks } from '../../shared/accounts/reset-links.ts';
import type { Audit } from '../../shared/audit/audit.ts';
import type { LoginCookies } from '../../shared/identity/cookies.ts';
import type { LoginCodes } from '../../shared/identity/login-codes.ts';
import type { Sessions } from '../../shared/identity/sessions.ts';
import type { Outbox } from '../../shared/mail/outbox.ts';
import type { Passwords } from '../../shared/passwords/hash.ts';
import type { Seal } from '../../shared/seal/seal.ts';
import type { Settings } from '../../shared/settings/variables.ts';
import type { Floor } from '../../shared/throttle/floor.ts';
import type { Throttle } from '../../shared/throttle/throttle.ts';
import type { Clock } from '../../shared/time.ts';
import type { InviteStore } from './store/invites.ts';
import type { KeyStore } from './store/keys.ts';
import type { LinkStore } from './store/links.ts';
import type { RecoveryStore } from './store/recovery-codes.ts';
import type { SessionStore } from './store/sessions.ts';
import type { UserStore } from './store/users.ts';
import type { RequestHeaders } from '../../shared/http/request.ts';

/** What the rules of this family ask of the outside. */
export interface Parts {
  readonly settings: Settings;
  readonly now: Clock;
  readonly users: UserStore;
  readonly sessionRows: SessionStore;
  readonly links: LinkStore;
  readonly invites: InviteStore;
  readonly keys: KeyStore;
  readonly recoveryCodes: RecoveryStore;
  readonly sessions: Sessions;
  readonly cookies: LoginCookies;
  readonly codes: LoginCodes;
  readonly resets: ResetLinks;
  readonly passwords: Passwords;
  readonly throttle: Throttle;
  readonly floor: Floor;
  readonly outbox: Outbox;
  readonly audit: Audit;
  readonly seal: Seal;
}

export interface Origin extends Whence {
  readonly headers: RequestHeaders;
}
