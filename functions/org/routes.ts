import * as z from 'zod';
import { AuditView } from '../../shared/audit/entry.ts';
import { PlanView, UseView } from '../../shared/accounts/views.ts';
import { pageOf, Paging } from '../../shared/http/paging.ts';
import { defineRoutes } from '../../shared/http/route.ts';
import { inviteRoutes } from './invite-routes.ts';
import { teamRoutes } from './team-routes.ts';
import { unitRoutes } from './unit-routes.ts';
import { OrganizationView } from './views.ts';

const AuthSettings = z.object({
  authProvider: z.enum(['NATIVE', 'SSO']),
  requireOtp: z.boolean(),
  /** Whether this installation has an identity provider to switch to. */
  ssoAvailable: z.boolean(),
});

export const routes = defineRoutes({
  organization: {
    method: 'GET',
    path: '/api/org/me',
    auth: 'user',
    summary: 'Your organization; without the admin role you see its short form',
    returns: OrganizationView,
    errors: ['no_organization'],
  },
  updateOrganization: {
    method: 'PUT',
    path: '/api/org/me',
    auth: 'orgAdmin',
    summary: 'Change the name, country or language of your organization',
    body: z.object({
      name: z.string().trim().min(1).max(200).optional(),
      country: z.string().trim().max(100).nullable().optional(),
      locale: z.string().trim().max(35).nullable().optional(),
    }),
    returns: OrganizationView,
  },
  usage: {
    method: 'GET',
    path: '/api/org/usage',
    auth: 'user',
    summary: 'What is used of the plan: the organization’s, or your personal one',
    returns: z.object({ plan: PlanView, limits: z.array(UseView) }),
  },
  authSettings: {
    method: 'GET',
    path: '/api/org/auth-settings',
    auth: 'orgAdmin',
    summary: 'How members sign in',
    returns: AuthSettings,
  },
  updateAuthSettings: {
    method: 'PUT',
    path: '/api/org/auth-settings',
    auth: 'orgAdmin',
    summary: 'Demand a login code from everyone, or switch between native login and the identity provider',
    body: AuthSettings.pick({ authProvider: true, requireOtp: true }).partial(),
    returns: AuthSettings,
    errors: ['sso_not_configured'],
  },
  audit: {
    method: 'GET',
    path: '/api/org/audit',
    auth: 'orgAdmin',
    summary: 'Security-relevant acts in your organization, newest first',
    query: Paging.extend({
      from: z.iso.datetime({ offset: true }).optional(),
      to: z.iso.datetime({ offset: true }).optional(),
      action: z.string().max(100).optional(),
      actor: z.string().max(100).optional(),
    }),
    returns: pageOf(AuditView),
  },
  ...teamRoutes,
  ...inviteRoutes,
  ...unitRoutes,
});
