import * as z from 'zod';
import type { OperatorRecord } from '../../shared/accounts/rows.ts';

/** An operator as operators see one another. `INVITED`: has not set a password yet. */
export const OperatorView = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.literal('ROLE_PLATFORM_OWNER'),
  status: z.enum(['ACTIVE', 'INACTIVE', 'INVITED']),
  otpEnabled: z.boolean(),
  lastLoginAt: z.string().nullable(),
  createdAt: z.string(),
});
export type OperatorView = z.output<typeof OperatorView>;

export const viewOperator = (operator: OperatorRecord): OperatorView => ({
  id: operator.adminId,
  name: operator.name,
  email: operator.email,
  role: 'ROLE_PLATFORM_OWNER',
  status: operator.status === 'ACTIVE' && operator.passwordHash === null ? 'INVITED' : operator.status,
  otpEnabled: operator.otpEnabled,
  lastLoginAt: operator.lastLoginAt === null ? null : new Date(operator.lastLoginAt).toISOString(),
  createdAt: new Date(operator.createdAt).toISOString(),
});

export const OperatorSession = z.object({
  status: z.literal('AUTHENTICATED'),
  token: z.string(),
  /** The same token under the name OAuth clients look for. */
  access_token: z.string(),
  tokenType: z.literal('Bearer'),
  /** Epoch seconds, equal to the token's `exp`. */
  expiresAt: z.number(),
  user: OperatorView,
  landing: z.literal('/platform'),
});
export type OperatorSession = z.output<typeof OperatorSession>;
