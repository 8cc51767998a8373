import * as z from 'zod';
import { Address, NewPassword, PersonName, Token } from '../../../shared/accounts/inputs.ts';
import { OrganizationView, UserView } from '../../../shared/accounts/views.ts';
import { SignedIn } from '../../../shared/accounts/session-view.ts';
import { defineRoutes } from '../../../shared/http/route.ts';

const Person = z.object({ name: PersonName, email: Address, password: NewPassword });

const companyFields = {
  companyName: PersonName,
  companyCode: z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/, 'must be letters, digits and dashes, at most 40')
    .optional(),
  country: z.string().trim().length(2).toUpperCase().optional(),
  locale: z.string().trim().max(35).optional(),
};

export const CompanyInput = Person.extend(companyFields);
export type CompanyInput = z.output<typeof CompanyInput>;

export const RegisterInput = Person.extend({
  type: z.enum(['INDIVIDUAL', 'COMPANY']).optional(),
  ...companyFields,
  companyName: companyFields.companyName.optional(),
});
export type RegisterInput = z.output<typeof RegisterInput>;

const Pending = z.object({ status: z.literal('VERIFICATION_REQUIRED') });
const CompanyRegistered = z.object({
  organization: OrganizationView,
  user: UserView,
  directory: z.object({ status: z.enum(['DISABLED', 'PENDING']) }),
});
const Registered = z.object({ user: UserView });
const Accepted = z.object({ status: z.literal('ACCEPTED') });

export const registration = defineRoutes({
  register: {
    method: 'POST',
    path: '/api/auth/register',
    auth: 'open',
    summary: 'Register a person, or a company when company data is sent',
    body: RegisterInput,
    returns: z.union([CompanyRegistered, Registered, Pending]),
    status: 201,
    errors: ['validation_failed', 'email_taken', 'company_code_taken', 'signup_disabled', 'rate_limited'],
  },
  registerCompany: {
    method: 'POST',
    path: '/api/auth/register-company',
    auth: 'open',
    summary: 'Register a company: organization, first administrator and trial plan in one step',
    body: CompanyInput,
    returns: z.union([CompanyRegistered, Pending]),
    status: 201,
    errors: ['validation_failed', 'email_taken', 'company_code_taken', 'signup_disabled', 'rate_limited'],
  },
  verifyEmail: {
    method: 'POST',
    path: '/api/auth/verify-email',
    auth: 'open',
    summary: 'Confirm an address with the mailed token',
    body: z.object({ token: Token }),
    returns: z.object({ verified: z.literal(true) }),
    errors: ['token_invalid'],
  },
  resendVerification: {
    method: 'POST',
    path: '/api/auth/resend-verification',
    auth: 'open',
    summary: 'Mail the confirmation link again; the answer is the same for every address',
    body: z.object({ email: Address }),
    returns: Accepted,
    status: 202,
    errors: ['rate_limited'],
  },
  viewInvite: {
    method: 'GET',
    path: '/api/auth/invite/{token}',
    auth: 'open',
    summary: 'What an invitation is about',
    returns: z.object({
      organizationName: z.string(),
      email: z.string(),
      name: z.string().nullable(),
      role: z.enum(['ROLE_USER', 'ROLE_ORG_ADMIN']),
      mode: z.enum(['NATIVE', 'SSO']),
      /** True for a new account; false when the person signs in with the one they have. */
      needsPassword: z.boolean(),
      expiresAt: z.string(),
    }),
    errors: ['invite_invalid'],
  },
  acceptInvite: {
    method: 'POST',
    path: '/api/auth/invite/accept',
    auth: 'optional',
    summary: 'Join the organization, with a new account or the signed-in one of the same address',
    body: z.object({ token: Token, name: PersonName.optional(), password: NewPassword.optional() }),
    returns: z.union([SignedIn, z.object({ mode: z.literal('SSO'), startUrl: z.string() })]),
    errors: [
      'invite_invalid',
      'unauthenticated',
      'account_in_other_org',
      'organization_suspended',
      'validation_failed',
    ],
  },
});
