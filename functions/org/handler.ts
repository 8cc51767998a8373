import { pageLink } from '../../shared/accounts/link-token.ts';
import { createResetLinks } from '../../shared/accounts/reset-links.ts';
import { createAudit } from '../../shared/audit/audit.ts';
import { readAudit } from '../../shared/audit/read.ts';
import { createAuthenticate } from '../../shared/identity/authenticate.ts';
import { newId, newSecret } from '../../shared/ids.ts';
import { httpHandler } from '../../shared/lambda/family.ts';
import { createOutbox } from '../../shared/mail/outbox.ts';
import { createQuota } from '../../shared/plans/quota.ts';
import { loadSettings } from '../../shared/settings/load.ts';
import { createThrottle } from '../../shared/throttle/throttle.ts';
import { systemClock as now } from '../../shared/time.ts';
import { orgApi } from './api.ts';
import { createInviteStore } from './invite-store.ts';
import { createInvites } from './invites.ts';
import { createMembers } from './members.ts';
import { createWithSeats } from './seats.ts';
import { createOrganization } from './service.ts';
import { createSettings } from './settings.ts';
import { createOrgStore } from './store.ts';
import { createUnitMembers } from './unit-members.ts';
import { createUnitStore } from './unit-store.ts';
import { createUnits } from './units.ts';

const settings = await loadSettings();
const audit = createAudit(now);
const outbox = createOutbox(settings);
const store = createOrgStore();
const inviteStore = createInviteStore();
const unitStore = createUnitStore();
const withSeats = createWithSeats((orgId) => inviteStore.sweepExpired(orgId, now()));
const resetLinks = createResetLinks('user', { outbox, svcUrl: settings.SVC_URL, now });
const units = createUnits({ store: unitStore, audit, now, newId });

const invites = createInvites({
  store: inviteStore,
  audit,
  outbox,
  throttle: createThrottle(settings, now),
  withSeats,
  now,
  newToken: newSecret,
  linkTo: (token) => pageLink(settings.SVC_URL, 'invite', token),
  organizationName: async (orgId) => (await store.organization(orgId))?.name ?? settings.SVC_NAME,
  demandUnits: (...wanted) => units.demandAll(...wanted),
});

export const endpoints = orgApi(
  {
    organization: createOrganization({ store, quota: createQuota(now), now }),
    settings: createSettings({ store, audit, settings, now }),
    members: createMembers({ audit, outbox, now, withSeats, resetLinks }),
    invites,
    units,
    unitMembers: createUnitMembers({ store: unitStore, audit, team: store }),
    readAudit,
    now,
  },
  createAuthenticate(settings, now),
);

export const handler = httpHandler(endpoints, settings);
