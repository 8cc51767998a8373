import * as z from 'zod';
import { ChallengeView } from '../../../shared/accounts/challenge-view.ts';
import { LANDING } from '../../../shared/accounts/landing.ts';
import { OrganizationView, UserView } from '../../../shared/accounts/views.ts';

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
