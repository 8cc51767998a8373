import * as z from 'zod';
import { OrganizationView, UserView, UseView } from '../../shared/accounts/views.ts';
import { AuditView } from '../../shared/audit/entry.ts';
import { pageOf, Paging } from '../../shared/http/paging.ts';
import { defineRoutes } from '../../shared/http/route.ts';
import { Limits, PlanId } from '../../shared/plans/plans.ts';

const Prefix = z.string().trim().toLowerCase().max(254).optional();
const Accepted = z.object({ status: z.literal('ACCEPTED') });

export const PlanInput = z.object({
  id: PlanId.exclude(['personal']),
  /** Only a trial ends; without it a trial gets the usual length. */
  trialEndsAt: z.iso.datetime({ offset: true }).nullable().optional(),
  /** What was agreed differently from the plan; null is without end. */
  limits: Limits.partial().optional(),
});
export type PlanInput = z.output<typeof PlanInput>;

export const OrganizationInput = z.object({
  status: z.enum(['TRIAL', 'ACTIVE', 'SUSPENDED']).optional(),
  plan: PlanInput.optional(),
  authProvider: z.enum(['NATIVE', 'SSO']).optional(),
});
export type OrganizationInput = z.output<typeof OrganizationInput>;

/** Every organization and every person of the platform. */
export const platformRoutes = defineRoutes({
  organizations: {
    method: 'GET',
    path: '/api/admin/organizations',
    auth: 'platform',
    summary: 'All organizations, by name; q is the beginning of one',
    query: Paging.extend({
      q: Prefix,
      status: z.enum(['TRIAL', 'ACTIVE', 'SUSPENDED']).optional(),
      plan: PlanId.optional(),
    }),
    returns: pageOf(OrganizationView),
  },
  organization: {
    method: 'GET',
    path: '/api/admin/organizations/{orgId}',
    auth: 'platform',
    summary: 'One organization and what it uses of its plan',
    returns: OrganizationView.extend({ usage: z.array(UseView) }),
    errors: ['not_found'],
  },
  updateOrganization: {
    method: 'PUT',
    path: '/api/admin/organizations/{orgId}',
    auth: 'platform',
    summary: 'Suspend or reopen an organization, change its plan or how it signs in',
    body: OrganizationInput,
    returns: OrganizationView,
    errors: ['not_found', 'sso_not_configured'],
  },
  users: {
    method: 'GET',
    path: '/api/admin/users',
    auth: 'platform',
    summary: 'All users, by address; q is the beginning of one',
    query: Paging.extend({
      q: Prefix,
      status: z.enum(['ACTIVE', 'INACTIVE']).optional(),
      organizationId: z.string().max(100).optional(),
    }),
    returns: pageOf(UserView),
  },
  user: {
    method: 'GET',
    path: '/api/admin/users/{userId}',
    auth: 'platform',
    summary: 'One user',
    returns: UserView,
    errors: ['not_found'],
  },
  deactivateUser: {
    method: 'POST',
    path: '/api/admin/users/{userId}/deactivate',
    auth: 'platform',
    summary: 'Switch a user off; only an operator can undo it',
    body: z.object({ reason: z.string().trim().max(500).optional() }).optional(),
    returns: UserView,
    errors: ['not_found', 'last_admin'],
  },
  reactivateUser: {
    method: 'POST',
    path: '/api/admin/users/{userId}/reactivate',
    auth: 'platform',
    summary: 'Switch a user on again; in an organization it takes a seat',
    returns: UserView,
    errors: ['not_found', 'plan_limit_reached'],
  },
  revokeUserSessions: {
    method: 'POST',
    path: '/api/admin/users/{userId}/revoke-sessions',
    auth: 'platform',
    summary: 'End every session of a user',
    returns: Accepted,
    status: 202,
    errors: ['not_found'],
  },
  unlockUser: {
    method: 'POST',
    path: '/api/admin/users/{userId}/unlock',
    auth: 'platform',
    summary: 'Forget failed logins, so that the user can try again at once',
    returns: Accepted,
    status: 202,
    errors: ['not_found'],
  },
  sendUserReset: {
    method: 'POST',
    path: '/api/admin/users/{userId}/send-reset',
    auth: 'platform',
    summary: 'Mail a user a link to set a new password',
    returns: Accepted,
    status: 202,
    errors: ['not_found', 'password_managed_externally'],
  },
  plans: {
    method: 'GET',
    path: '/api/admin/plans',
    auth: 'platform',
    summary: 'The plans there are',
    returns: z.object({ data: z.array(z.object({ id: PlanId, name: z.string(), limits: Limits })) }),
  },
  audit: {
    method: 'GET',
    path: '/api/admin/audit',
    auth: 'platform',
    summary: 'Security-relevant acts, newest first: of the platform, or of one organization',
    query: Paging.extend({
      organizationId: z.string().max(100).optional(),
      actor: z.string().max(100).optional(),
      action: z.string().max(100).optional(),
      from: z.iso.datetime({ offset: true }).optional(),
      to: z.iso.datetime({ offset: true }).optional(),
    }),
    returns: pageOf(AuditView),
  },
});
