import * as z from 'zod';
import { LANDING } from '../../../shared/accounts/landing.ts';
import { OrganizationView, UserView } from '../../../shared/accounts/views.ts';

/** Input shapes. Addresses are kept in lower case, and only passwords keep their spaces. */
export const Address = z.string().trim().toLowerCase().max(254).pipe(z.email('must be a mail address'));
export const PersonName = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^\P{Cc}*$/u, 'must not contain control characters');
/** Length and quality are judged by the password rules, with errors of their own. */
export const NewPassword = z.string().max(4096);
export const GivenPassword = z.string().min(1).max(4096);
export const Token = z.string().min(1).max(200);
export const Code = z.string().trim().min(1).max(40);

export const SessionView = z.object({
  status: z.literal('AUTHENTICATED'),
  token: z.string(),
  /** The same token under the name OAuth clients look for. */
  access_token: z.string(),
  tokenType: z.literal('Bearer'),
  /** Epoch seconds, equal to the token's `exp`. */
  expiresAt: z.number(),
  user: UserView,
  landing: z.enum([LANDING.ROLE_USER, LANDING.ROLE_ORG_ADMIN]),
});
export type SessionView = z.output<typeof SessionView>;

export const ChallengeView = z.object({
  status: z.literal('OTP_REQUIRED'),
  challengeId: z.string(),
  channel: z.enum(['EMAIL', 'TOTP']),
  /** Masked address, or the name of the app's kind. */
  destination: z.string(),
  expiresAt: z.string(),
  resendAvailableAt: z.string().nullable(),
  attemptsLeft: z.number(),
});
export type ChallengeView = z.output<typeof ChallengeView>;

export const SignedIn = z.discriminatedUnion('status', [SessionView, ChallengeView]);

export const OrganizationSummary = OrganizationView.pick({
  id: true,
  name: true,
  code: true,
  status: true,
  authProvider: true,
  plan: true,
  requireOtp: true,
});

export const MeView = UserView.extend({
  locale: z.string().nullable(),
  totpEnabled: z.boolean(),
  organization: OrganizationSummary.nullable(),
  permissions: z.array(z.string()),
  landing: SessionView.shape.landing,
});
