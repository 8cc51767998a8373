import * as z from 'zod';
import { ChallengeView } from './challenge-view.ts';
import { LANDING } from './landing.ts';
import { UserView } from './views.ts';

/** A user who is signed in. */
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
