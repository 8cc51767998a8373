import { viewUser } from '../../shared/accounts/views.ts';
import { reply, type Handlers } from '../../shared/http/route.ts';
import type { inviteRoutes } from './invite-routes.ts';
import type { Invites } from './invites.ts';
import type { Members } from './members.ts';
import { orgOf, type Organization } from './service.ts';
import type { teamRoutes } from './team-routes.ts';

export interface TeamServices {
  readonly organization: Organization;
  readonly members: Members;
  readonly invites: Invites;
}

const ACCEPTED = { status: 'ACCEPTED' } as const;

export const teamHandlers = ({ organization, members }: TeamServices): Handlers<typeof teamRoutes> => ({
  team: ({ actor, query }) => organization.team(actor, query),
  member: ({ actor, params }) => organization.member(actor, params.userId),
  setRole: async (context) => viewUser(await members.setRole(context, context.params.userId, context.body.role)),
  deactivate: async (context) =>
    viewUser(await members.deactivate(context, context.params.userId, context.body?.reason)),
  reactivate: async (context) =>
    viewUser(await members.reactivate(context, context.params.userId, context.body?.reason)),
  async revokeSessions(context) {
    await members.revokeSessions(context, context.params.userId);
    return ACCEPTED;
  },
  async sendReset(context) {
    await members.sendReset(context, context.params.userId);
    return ACCEPTED;
  },
  remove: (context) => members.remove(context, context.params.userId),
  leave: ({ actor, ip, requestId }) =>
    members.remove({ actor: { ...actor, orgId: orgOf(actor) }, ip, requestId }, actor.userId),
});

export const inviteHandlers = ({ invites }: TeamServices): Handlers<typeof inviteRoutes> => ({
  async invite(context) {
    const { invites: many, email, ...rest } = context.body;
    if (many) return reply({ data: await invites.inviteMany(context, many) }, { status: 207 });
    return { invite: await invites.invite(context, { ...rest, email: email ?? '' }) };
  },
  invites: (context) => invites.list(context, context.query),
  resendInvite: async (context) => ({ invite: await invites.resend(context, context.params.inviteId) }),
  revokeInvite: (context) => invites.revoke(context, context.params.inviteId),
});
