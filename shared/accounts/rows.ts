import * as z from 'zod';
import { OperatorRow, OrgRow, UserRow } from '../identity/rows.ts';

/**
 * What registration, organizations and operators keep in `accounts` (and operators in `admin_accounts`). Keys and the
 * rows that every request reads stand in `identity/rows.ts`; these are the same rows with everything else in them.
 * All times are epoch milliseconds; `ttl` is epoch seconds, and readers compare the stored expiry themselves.
 */

const at = z.number();

export const UserRecord = UserRow.extend({
  emailVerified: z.boolean().default(false),
  authSource: z.enum(['NATIVE', 'SSO', 'LDAP', 'OAUTH']).default('NATIVE'),
  /** Null where another directory keeps the password. */
  passwordHash: z.string().nullable().default(null),
  otpEnabled: z.boolean().default(false),
  /** Sealed; present only once a code of it has been confirmed. */
  totpSecret: z.string().optional(),
  totpPending: z.string().optional(),
  totpLastStep: z.number().optional(),
  /** Hash of the one reset token that is live. */
  resetHash: z.string().optional(),
  locale: z.string().optional(),
  departmentId: z.string().nullable().default(null),
  /** Keeps native login on an SSO tenant, so that a broken provider does not lock the company out. */
  breakGlass: z.boolean().default(false),
  keyCount: z.number().default(0),
  /** What an operator has switched off, an organization cannot switch on again. */
  deactivatedBy: z.enum(['ORGANIZATION', 'PLATFORM']).nullable().default(null),
  createdAt: at.default(0),
  updatedAt: at.default(0),
  lastLoginAt: at.nullable().default(null),
});
export type UserRecord = z.output<typeof UserRecord>;

export const OrgRecord = OrgRow.extend({
  name: z.string(),
  code: z.string().default(''),
  authProvider: z.enum(['NATIVE', 'SSO']).default('NATIVE'),
  requireOtp: z.boolean().default(false),
  activeMembers: z.number().default(0),
  activeAdmins: z.number().default(0),
  pendingInvites: z.number().default(0),
  /** Active members and pending invitations together, since a condition cannot add; a new company has 1, an acceptance changes nothing. */
  seatsTaken: z.number().default(0),
  inactiveMembers: z.number().default(0),
  country: z.string().optional(),
  locale: z.string().optional(),
  createdAt: at.default(0),
  version: z.number().default(1),
});
export type OrgRecord = z.output<typeof OrgRecord>;

export const MemberRow = z.object({
  userId: z.string(),
  email: z.string(),
  name: z.string(),
  role: UserRow.shape.role,
  status: UserRow.shape.status,
  groups: z.array(z.string()).default([]),
  departmentId: z.string().nullable().default(null),
  joinedAt: at,
});
export type MemberRow = z.output<typeof MemberRow>;

export const InviteRow = z.object({
  inviteId: z.string(),
  /** SHA-256 of the mailed token: how the two rows of an invitation find each other. */
  tokenHash: z.string(),
  orgId: z.string(),
  email: z.string(),
  name: z.string().optional(),
  role: UserRow.shape.role,
  groupIds: z.array(z.string()).default([]),
  departmentId: z.string().nullable().default(null),
  invitedBy: z.string(),
  createdAt: at,
  expiresAt: at,
});
export type InviteRow = z.output<typeof InviteRow>;

/** A mail domain that an organization claims; it counts once it is verified. */
export const DomainRow = z.looseObject({
  domain: z.string(),
  orgId: z.string(),
  status: z.enum(['PENDING', 'VERIFIED']),
});

export const OperatorRecord = OperatorRow.extend({
  passwordHash: z.string().nullable().default(null),
  otpEnabled: z.boolean().default(true),
  resetHash: z.string().optional(),
  createdAt: at.default(0),
  updatedAt: at.default(0),
  lastLoginAt: at.nullable().default(null),
});
export type OperatorRecord = z.output<typeof OperatorRecord>;

export const emailKey = (address: string) => ({ pk: `EMAIL#${address.toLowerCase()}`, sk: 'U' });
export const orgCodeKey = (code: string) => ({ pk: `ORGCODE#${code}`, sk: 'O' });
export const memberKey = (orgId: string, userId: string) => ({ pk: `ORG#${orgId}`, sk: `MEMBER#${userId}` });
export const inviteKey = (tokenHash: string) => ({ pk: `INV#${tokenHash}`, sk: 'META' });
export const orgInviteKey = (orgId: string, inviteId: string) => ({ pk: `ORG#${orgId}`, sk: `INV#${inviteId}` });
export const domainKey = (domain: string) => ({ pk: `DOM#${domain.toLowerCase()}`, sk: 'META' });
export const sessionKey = (userId: string, sid: string) => ({ pk: `USER#${userId}`, sk: `SESS#${sid}` });
export const ownApiKeyKey = (userId: string, keyId: string) => ({ pk: `USER#${userId}`, sk: `AK#${keyId}` });
export const recoveryKey = (userId: string, codeHash: string) => ({ pk: `USER#${userId}`, sk: `REC#${codeHash}` });
export const operatorEmailKey = (address: string) => ({ pk: `ADMINEMAIL#${address.toLowerCase()}`, sk: 'A' });
export const operatorBootKey = { pk: 'ADMIN#BOOT', sk: 'B' };

/** Operators are few, but a list still is a query. */
export const operatorIndex = (email: string) => ({ gsi1pk: 'ADMINS', gsi1sk: email.toLowerCase() });

/** Operators list and search people by address, companies by name; the index is written with the row. */
export const userIndex = (email: string) => ({ gsi1pk: 'USERS', gsi1sk: email.toLowerCase() });
export const orgIndex = (name: string, orgId: string) => ({ gsi1pk: 'ORGS', gsi1sk: `${name.toLowerCase()}#${orgId}` });
