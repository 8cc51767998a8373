import { setTimeout as pause } from 'node:timers/promises';
import { createResetLinks } from '../../shared/accounts/reset-links.ts';
import { createAudit } from '../../shared/audit/audit.ts';
import { createAuthenticate } from '../../shared/identity/authenticate.ts';
import { createLoginCookies } from '../../shared/identity/cookies.ts';
import { createLoginCodes } from '../../shared/identity/login-codes.ts';
import { createPepper } from '../../shared/identity/pepper.ts';
import { createSessions } from '../../shared/identity/sessions.ts';
import { createTokens } from '../../shared/identity/token.ts';
import { httpHandler } from '../../shared/lambda/family.ts';
import { createOutbox } from '../../shared/mail/outbox.ts';
import { createPasswords } from '../../shared/passwords/hash.ts';
import { createSeal } from '../../shared/seal/seal.ts';
import { loadSettings } from '../../shared/settings/load.ts';
import { createFloor } from '../../shared/throttle/floor.ts';
import { createThrottle } from '../../shared/throttle/throttle.ts';
import { systemClock as now } from '../../shared/time.ts';
import { accountsApi } from './api.ts';
import type { Parts } from './parts.ts';
import { createAccounts } from './service.ts';
import { createInviteStore } from './store/invites.ts';
import { createKeyStore } from './store/keys.ts';
import { createLinkStore } from './store/links.ts';
import { createRecoveryStore } from './store/recovery-codes.ts';
import { createSessionStore } from './store/sessions.ts';
import { createUserStore } from './store/users.ts';

const settings = await loadSettings();
const audit = createAudit(now);
const outbox = createOutbox(settings);
const throttle = createThrottle(settings, now);

const parts: Parts = {
  settings,
  now,
  audit,
  outbox,
  throttle,
  users: createUserStore(audit),
  sessionRows: createSessionStore(audit),
  links: createLinkStore(audit),
  invites: createInviteStore(audit),
  keys: createKeyStore(audit),
  recoveryCodes: createRecoveryStore(),
  sessions: createSessions({ tokens: createTokens(settings), now, lifetimeMs: settings.JWT_EXPIRES_IN }),
  cookies: createLoginCookies(settings, now),
  codes: createLoginCodes({ pepper: createPepper(settings, 'login code'), throttle, now }),
  resets: createResetLinks('user', { outbox, svcUrl: settings.SVC_URL, now }),
  passwords: createPasswords(settings.BCRYPT_COST),
  floor: createFloor(settings.LOGIN_FAIL_FLOOR_MS, now, pause),
  seal: createSeal(),
};

export const endpoints = accountsApi(createAccounts(parts), parts, createAuthenticate(settings, now));

export const handler = httpHandler(endpoints, settings);
