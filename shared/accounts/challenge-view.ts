import * as z from 'zod';
import type { Challenge } from '../identity/login-codes.ts';

/** A login that waits for its second step, as users and operators see it. */
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

export const viewChallenge = (address: string, challenge: Challenge): ChallengeView => ({
  status: 'OTP_REQUIRED',
  challengeId: challenge.challengeId,
  channel: challenge.channel,
  destination: challenge.channel === 'EMAIL' ? masked(address) : 'authenticator app',
  expiresAt: new Date(challenge.expiresAt).toISOString(),
  resendAvailableAt: challenge.channel === 'EMAIL' ? new Date(challenge.resendAt).toISOString() : null,
  attemptsLeft: challenge.attemptsLeft,
});

const masked = (address: string) => address.replace(/^(.).*(@.*)$/, '$1***$2');
