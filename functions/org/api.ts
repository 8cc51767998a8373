import { viewEntry } from '../../shared/audit/entry.ts';
import type { AuditPage, AuditQuery } from '../../shared/audit/read.ts';
import { createApi, type Authenticate } from '../../shared/http/api.ts';
import type { Clock } from '../../shared/time.ts';
import { routes } from './routes.ts';
import type { OrgSettings } from './settings.ts';
import { inviteHandlers, teamHandlers, type TeamServices } from './team-api.ts';
import { unitHandlers, type UnitServices } from './unit-api.ts';

interface Parts extends TeamServices, UnitServices {
  readonly settings: OrgSettings;
  readonly readAudit: (query: AuditQuery) => Promise<AuditPage>;
  readonly now: Clock;
}

export const orgApi = (parts: Parts, authenticate: Authenticate) => {
  const { organization, settings, readAudit, now } = parts;
  return createApi(
    routes,
    {
      organization: ({ actor }) => organization.mine(actor),
      updateOrganization: (context) => settings.updateProfile(context, context.body),
      usage: ({ actor }) => organization.usage(actor),
      authSettings: (context) => settings.authSettings(context),
      updateAuthSettings: (context) => settings.updateAuth(context, context.body),
      async audit({ actor: { orgId }, query: { from, to, limit, nextToken: cursor, action, actor } }) {
        const span = { from: from ? Date.parse(from) : 0, to: to ? Date.parse(to) : now() };
        const page = await readAudit({ orgId, ...span, limit, cursor, action, actorId: actor });
        return { data: page.entries.map(viewEntry), nextToken: page.cursor ?? null };
      },
      ...teamHandlers(parts),
      ...inviteHandlers(parts),
      ...unitHandlers(parts),
    },
    authenticate,
  );
};
