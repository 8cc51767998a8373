import * as z from 'zod';
import { ChallengeView } from '../../../shared/accounts/challenge-view.ts';
import { Address, Code, GivenPassword, NewPassword, Token } from '../../../shared/accounts/inputs.ts';
import { SessionView, SignedIn } from '../../../shared/accounts/session-view.ts';
import { defineRoutes } from '../../../shared/http/route.ts';

export const LoginInput = z
  .object({
    email: z.string().trim().toLowerCase().min(1).max(254).optional(),
    /** The same field under the name directory users expect. */
    username: z.string().trim().toLowerCase().min(1).max(254).optional(),
    password: GivenPassword,
    /** False leaves no mark in the browser. */
    rememberDevice: z.boolean().default(true),
  })
  .refine((input) => input.email ?? input.username, { path: ['email'], error: 'Field required' });

const challenge = z.object({ challengeId: z.string().min(1).max(100) });
const Accepted = z.object({ status: z.literal('ACCEPTED') });

export const signIn = defineRoutes({
  login: {
    method: 'POST',
    path: '/api/auth/login',
    auth: 'open',
    summary: 'Exchange address and password for a token, or for a second step',
    body: LoginInput,
    returns: SignedIn,
    errors: ['invalid_credentials', 'account_disabled', 'organization_suspended', 'email_not_verified', 'rate_limited'],
  },
  resolveLoginMode: {
    method: 'GET',
    path: '/api/auth/resolve-login-mode',
    auth: 'open',
    summary: 'Whether addresses of this domain sign in here or through their identity provider',
    query: z
      .object({ email: Address.optional(), login: Address.optional(), address: Address.optional() })
      .refine((given) => given.email ?? given.login ?? given.address, { path: ['email'], error: 'Field required' }),
    returns: z.object({ mode: z.enum(['NATIVE', 'SSO']), startUrl: z.string().optional() }),
    errors: ['validation_failed', 'rate_limited'],
  },
  verifyLoginOtp: {
    method: 'POST',
    path: '/api/auth/verify-login-otp',
    auth: 'open',
    summary: 'Finish a login with its code: mailed, from an app, or a recovery code',
    body: challenge.extend({ code: Code, rememberDevice: z.boolean().default(true) }),
    returns: SessionView,
    errors: ['otp_invalid', 'otp_expired', 'account_disabled', 'organization_suspended', 'rate_limited'],
  },
  resendLoginOtp: {
    method: 'POST',
    path: '/api/auth/resend-login-otp',
    auth: 'open',
    summary: 'Mail a new login code; the old one is dead',
    body: challenge,
    returns: ChallengeView,
    status: 202,
    errors: ['otp_expired', 'conflict', 'rate_limited'],
  },
  forgotPassword: {
    method: 'POST',
    path: '/api/auth/forgot-password',
    auth: 'open',
    summary: 'Mail a reset link; the answer is the same for every address',
    body: z.object({ email: Address }),
    returns: Accepted,
    status: 202,
    errors: ['validation_failed', 'rate_limited'],
  },
  resetPassword: {
    method: 'POST',
    path: '/api/auth/reset-password',
    auth: 'open',
    summary: 'Set a new password with the mailed token; every session ends',
    body: z.object({ token: Token, password: NewPassword }),
    returns: z.object({ status: z.literal('PASSWORD_CHANGED') }),
    errors: ['token_invalid', 'validation_failed', 'rate_limited'],
  },
});
