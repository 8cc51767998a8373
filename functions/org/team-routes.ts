import * as z from 'zod';
import { defineRoutes } from '../../shared/http/route.ts';
import { pageOf, Paging } from '../../shared/http/paging.ts';
import { MemberView } from './views.ts';

const Reason = z.object({ reason: z.string().trim().max(500).optional() }).optional();

export const teamRoutes = defineRoutes({
  team: {
    method: 'GET',
    path: '/api/org/team',
    auth: 'user',
    summary: 'The members of your organization; without the admin role you see names only',
    query: Paging.extend({
      status: z.enum(['ACTIVE', 'INACTIVE']).optional(),
      role: z.enum(['ROLE_USER', 'ROLE_ORG_ADMIN', 'ROLE_ADMIN']).optional(),
      q: z.string().trim().max(200).optional(),
    }),
    returns: pageOf(MemberView).extend({ total: z.number() }),
    errors: ['no_organization'],
  },
  member: {
    method: 'GET',
    path: '/api/org/team/{userId}',
    auth: 'user',
    summary: 'One member of your organization',
    returns: MemberView,
    errors: ['not_found', 'no_organization'],
  },
  setRole: {
    method: 'PUT',
    path: '/api/org/team/{userId}/role',
    auth: 'orgAdmin',
    summary: 'Set the role of a member: ROLE_USER or ROLE_ORG_ADMIN (ROLE_ADMIN is its older name)',
    body: z.object({ role: z.string() }),
    returns: MemberView,
    errors: ['not_found', 'role_not_assignable', 'last_admin'],
  },
  deactivate: {
    method: 'POST',
    path: '/api/org/team/{userId}/deactivate',
    auth: 'orgAdmin',
    summary: 'Switch a member off: no sign-in, and every session and key is refused from the next request on',
    body: Reason,
    returns: MemberView,
    errors: ['not_found', 'last_admin'],
  },
  reactivate: {
    method: 'POST',
    path: '/api/org/team/{userId}/reactivate',
    auth: 'orgAdmin',
    summary: 'Switch a member on again; it takes a seat',
    body: Reason,
    returns: MemberView,
    errors: ['not_found', 'forbidden', 'plan_limit_reached'],
  },
  revokeSessions: {
    method: 'POST',
    path: '/api/org/team/{userId}/revoke-sessions',
    auth: 'orgAdmin',
    summary: 'End every session of a member',
    returns: z.object({ status: z.literal('ACCEPTED') }),
    status: 202,
    errors: ['not_found'],
  },
  sendReset: {
    method: 'POST',
    path: '/api/org/team/{userId}/send-reset',
    auth: 'orgAdmin',
    summary: 'Mail a member a link to set a new password',
    returns: z.object({ status: z.literal('ACCEPTED') }),
    status: 202,
    errors: ['not_found', 'password_managed_externally'],
  },
  remove: {
    method: 'DELETE',
    path: '/api/org/team/{userId}',
    auth: 'orgAdmin',
    summary: 'Take a member out of the organization; the person keeps a personal account',
    errors: ['not_found', 'last_admin'],
  },
  leave: {
    method: 'POST',
    path: '/api/org/leave',
    auth: 'user',
    summary: 'Leave your organization',
    errors: ['no_organization', 'last_admin'],
  },
});
