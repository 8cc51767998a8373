import * as z from 'zod';
import { defineRoutes } from '../../shared/http/route.ts';
import { Address, PersonName } from '../../shared/accounts/inputs.ts';
import { pageOf, Paging } from '../../shared/http/paging.ts';
import { InviteView } from './views.ts';

export const InviteInput = z.object({
  email: Address,
  name: PersonName.optional(),
  role: z.string().default('ROLE_USER'),
  groupIds: z.array(z.string().max(100)).max(30).default([]),
  departmentId: z.string().max(100).nullable().default(null),
  message: z.string().trim().max(1000).optional(),
});
export type InviteInput = z.output<typeof InviteInput>;

/** The fields of one invitation, or a list of them under `invites`. */
const InviteBody = InviteInput.partial({ email: true })
  .extend({ invites: z.array(InviteInput).min(1).max(50).optional() })
  .superRefine(({ email, invites }, context) => {
    if (email === undefined && invites === undefined)
      context.addIssue({ code: 'custom', path: ['email'], message: 'Field required' });
  });

const Outcome = z.object({
  email: z.string(),
  status: z.number(),
  invite: InviteView.optional(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
});

export const inviteRoutes = defineRoutes({
  invite: {
    method: 'POST',
    path: '/api/org/team/invite',
    auth: 'orgAdmin',
    summary: 'Invite a person by mail (201), or up to 50 under `invites` (207, one outcome each); each takes a seat',
    body: InviteBody,
    returns: z.object({ invite: InviteView.optional(), data: z.array(Outcome).optional() }),
    status: 201,
    errors: ['role_not_assignable', 'already_member', 'invite_pending', 'plan_limit_reached', 'rate_limited'],
  },
  invites: {
    method: 'GET',
    path: '/api/org/team/invites',
    auth: 'orgAdmin',
    summary: 'Invitations that nobody has accepted yet',
    query: Paging,
    returns: pageOf(InviteView),
  },
  resendInvite: {
    method: 'POST',
    path: '/api/org/team/invites/{inviteId}/resend',
    auth: 'orgAdmin',
    summary: 'Mail a fresh link; the earlier one stops working',
    returns: z.object({ invite: InviteView }),
    status: 202,
    errors: ['not_found', 'rate_limited'],
  },
  revokeInvite: {
    method: 'DELETE',
    path: '/api/org/team/invites/{inviteId}',
    auth: 'orgAdmin',
    summary: 'Take an invitation back and free its seat',
    errors: ['not_found'],
  },
});
