import * as z from 'zod';
import { PlanGrant } from '../plans/plans.ts';

/** The rows of `accounts` and `admin_accounts` that decide who is asking. Families that manage them store more fields beside these. */

export const UserRow = z.object({
  userId: z.string(),
  orgId: z.string().nullable(),
  role: z.enum(['ROLE_USER', 'ROLE_ORG_ADMIN']),
  name: z.string(),
  email: z.string(),
  status: z.enum(['ACTIVE', 'INACTIVE']),
  groups: z.array(z.string()).default([]),
  /** Raised by everything that must end all sessions: password, role, deactivation. */
  tokenVersion: z.number(),
});
export type UserRow = z.output<typeof UserRow>;

export const OrgRow = z.object({
  orgId: z.string(),
  status: z.enum(['TRIAL', 'ACTIVE', 'SUSPENDED']),
  plan: PlanGrant,
});
export type OrgRow = z.output<typeof OrgRow>;

export const OperatorRow = z.object({
  adminId: z.string(),
  name: z.string(),
  email: z.string(),
  status: z.enum(['ACTIVE', 'INACTIVE']),
  tokenVersion: z.number(),
});

export const ApiKeyRow = z.object({
  keyId: z.string(),
  userId: z.string(),
  allowedRoutes: z.array(z.string()).nullable(),
  /** Epoch milliseconds, or null for a key that does not end. */
  expiresAt: z.number().nullable(),
  /** Absent until the first use. */
  lastUsedAt: z.number().optional(),
});
export type ApiKeyRow = z.output<typeof ApiKeyRow>;

export const userKey = (userId: string) => ({ pk: `USER#${userId}`, sk: 'META' });
export const orgKey = (orgId: string) => ({ pk: `ORG#${orgId}`, sk: 'META' });
export const operatorKey = (adminId: string) => ({ pk: `ADMIN#${adminId}`, sk: 'META' });
export const apiKeyKey = (hash: string) => ({ pk: `AK#${hash}`, sk: 'META' });
export const deniedKey = (jti: string) => ({ pk: `DENY#${jti}`, sk: 'D' });
