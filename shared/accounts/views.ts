import * as z from 'zod';
import { hasEnded, Limits, limitsOf, PlanId, PLANS, type PlanGrant } from '../plans/plans.ts';
import type { OrgRecord, UserRecord } from './rows.ts';

/** People and organizations as every family shows them; hashes, secrets and versions have no place here. */

export const UserView = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  emailVerified: z.boolean(),
  role: z.enum(['ROLE_USER', 'ROLE_ORG_ADMIN']),
  status: z.enum(['ACTIVE', 'INACTIVE']),
  organizationId: z.string().nullable(),
  authSource: z.enum(['NATIVE', 'SSO', 'LDAP', 'OAUTH']),
  otpEnabled: z.boolean(),
  groups: z.array(z.string()),
  departmentId: z.string().nullable(),
  lastLoginAt: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type UserView = z.output<typeof UserView>;

export const viewUser = (user: UserRecord): UserView => ({
  id: user.userId,
  name: user.name,
  email: user.email,
  emailVerified: user.emailVerified,
  role: user.role,
  status: user.status,
  organizationId: user.orgId,
  authSource: user.authSource,
  otpEnabled: user.otpEnabled || user.totpSecret !== undefined,
  groups: user.groups,
  departmentId: user.departmentId,
  lastLoginAt: user.lastLoginAt === null ? null : iso(user.lastLoginAt),
  createdAt: iso(user.createdAt),
  updatedAt: iso(user.updatedAt),
});

export const PlanView = z.object({
  id: PlanId,
  name: z.string(),
  trialEndsAt: z.string().nullable(),
  hasEnded: z.boolean(),
  limits: Limits,
});

export const viewPlan = (plan: PlanGrant, now: number): z.output<typeof PlanView> => ({
  id: plan.id,
  name: PLANS[plan.id].name,
  trialEndsAt: plan.trialEndsAt === null ? null : iso(plan.trialEndsAt),
  hasEnded: hasEnded(plan, now),
  limits: limitsOf(plan),
});

/** One limit of a plan and what is used of it. */
export const UseView = z.object({
  limit: z.string(),
  used: z.number(),
  /** Null: without end. */
  size: z.number().nullable(),
  resetsAt: z.string().nullable(),
});

export const OrganizationView = z.object({
  id: z.string(),
  name: z.string(),
  code: z.string(),
  status: z.enum(['TRIAL', 'ACTIVE', 'SUSPENDED']),
  authProvider: z.enum(['NATIVE', 'SSO']),
  plan: PlanView,
  requireOtp: z.boolean(),
  country: z.string().nullable(),
  locale: z.string().nullable(),
  activeMembers: z.number(),
  inactiveMembers: z.number(),
  activeAdmins: z.number(),
  pendingInvites: z.number(),
  createdAt: z.string(),
});
export type OrganizationView = z.output<typeof OrganizationView>;

export const viewOrganization = (org: OrgRecord, now: number): OrganizationView => ({
  id: org.orgId,
  name: org.name,
  code: org.code,
  status: org.status,
  authProvider: org.authProvider,
  plan: viewPlan(org.plan, now),
  requireOtp: org.requireOtp,
  country: org.country ?? null,
  locale: org.locale ?? null,
  activeMembers: org.activeMembers,
  inactiveMembers: org.inactiveMembers,
  activeAdmins: org.activeAdmins,
  pendingInvites: org.pendingInvites,
  createdAt: iso(org.createdAt),
});

const iso = (at: number) => new Date(at).toISOString();
