import type { OrgRecord, UserRecord } from '../../shared/accounts/rows.ts';
import { newId, newSecret } from '../../shared/ids.ts';
import type { Settings } from '../../shared/settings/variables.ts';
import type { Millis } from '../../shared/time.ts';

/** A new account of someone who belongs to nobody yet. */
export const newPerson = (
  { name, email, passwordHash }: { name: string; email: string; passwordHash: string },
  now: Millis,
): UserRecord => ({
  userId: newId(),
  orgId: null,
  role: 'ROLE_USER',
  name,
  email,
  status: 'ACTIVE',
  groups: [],
  tokenVersion: 1,
  emailVerified: false,
  authSource: 'NATIVE',
  passwordHash,
  otpEnabled: false,
  departmentId: null,
  breakGlass: false,
  keyCount: 0,
  deactivatedBy: null,
  createdAt: now,
  updatedAt: now,
  lastLoginAt: null,
});

interface CompanyFacts {
  readonly orgId: string;
  readonly companyName: string;
  readonly code: string;
  readonly country?: string;
  readonly locale?: string;
}

/** A new company: on trial, with its founder as the only member. */
export const newCompany = (
  { orgId, companyName, code, country, locale }: CompanyFacts,
  { TRIAL_DAYS }: Pick<Settings, 'TRIAL_DAYS'>,
  now: Millis,
): OrgRecord => ({
  orgId,
  name: companyName,
  code,
  status: 'TRIAL',
  plan: { id: 'trial', trialEndsAt: now + TRIAL_DAYS * 86_400_000 },
  authProvider: 'NATIVE',
  requireOtp: false,
  activeMembers: 1,
  activeAdmins: 1,
  inactiveMembers: 0,
  pendingInvites: 0,
  seatsTaken: 1,
  country,
  locale,
  createdAt: now,
  version: 1,
});

/** From the company's name; when that is taken, with something at random behind it. */
export function suggestedCode(name: string, attempt: number): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 30);
  const base = plain.replace(/-+$/, '') || 'company';
  return attempt === 0
    ? base
    : `${base}-${newSecret(6)
        .toLowerCase()
        .replaceAll(/[^a-z0-9]/g, '0')}`;
}
