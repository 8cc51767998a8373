import { setTimeout as pause } from 'node:timers/promises';
import { createResetLinks } from '../../shared/accounts/reset-links.ts';
import { createAudit } from '../../shared/audit/audit.ts';
import { readAudit } from '../../shared/audit/read.ts';
import { createAuthenticate } from '../../shared/identity/authenticate.ts';
import { createLoginCookies } from '../../shared/identity/cookies.ts';
import { createLoginCodes } from '../../shared/identity/login-codes.ts';
import { createLoginGuard } from '../../shared/identity/login-guard.ts';
import { createPepper } from '../../shared/identity/pepper.ts';
import { createSessions } from '../../shared/identity/sessions.ts';
import { createTokens } from '../../shared/identity/token.ts';
import { newId } from '../../shared/ids.ts';
import { httpHandler } from '../../shared/lambda/family.ts';
import { createOutbox } from '../../shared/mail/outbox.ts';
import { createPasswords } from '../../shared/passwords/hash.ts';
import { createQuota } from '../../shared/plans/quota.ts';
import { loadSettings } from '../../shared/settings/load.ts';
import { createFloor } from '../../shared/throttle/floor.ts';
import { createThrottle } from '../../shared/throttle/throttle.ts';
import { systemClock as now } from '../../shared/time.ts';
import { createAccount } from './account.ts';
import { adminApi } from './api.ts';
import { createOperators } from './operators.ts';
import { createOrganizations } from './organizations.ts';
import type { Parts } from './parts.ts';
import { createPlatformStore } from './platform-store.ts';
import { createSignIn } from './sign-in.ts';
import { createOperatorStore } from './store.ts';
import { createUsers } from './users.ts';

const EIGHT_HOURS = 8 * 3_600_000;

const settings = await loadSettings();
const audit = createAudit(now);
const outbox = createOutbox(settings);
const throttle = createThrottle(settings, now);
const cookies = createLoginCookies(settings, now);
const guard = createLoginGuard(throttle, cookies);
const links = { outbox, svcUrl: settings.SVC_URL, now };
const platform = createPlatformStore();

const parts: Parts = {
  settings,
  store: createOperatorStore(),
  sessions: createSessions({ tokens: createTokens(settings), now, lifetimeMs: EIGHT_HOURS }),
  cookies,
  codes: createLoginCodes({ pepper: createPepper(settings, 'login code'), throttle, now }),
  guard,
  resets: createResetLinks('admin', links),
  passwords: createPasswords(settings.BCRYPT_COST),
  throttle,
  floor: createFloor(settings.LOGIN_FAIL_FLOOR_MS, now, pause),
  outbox,
  audit,
  now,
  newId,
};

export const endpoints = adminApi(
  {
    parts,
    signIn: createSignIn(parts),
    account: createAccount(parts),
    operators: createOperators(parts),
    organizations: createOrganizations({ store: platform, quota: createQuota(now), audit, settings, now }),
    users: createUsers({
      store: platform,
      audit,
      outbox,
      guard,
      userResets: createResetLinks('user', links),
      readAudit,
      now,
    }),
    readAudit,
  },
  createAuthenticate(settings, now),
);

export const handler = httpHandler(endpoints, settings);
