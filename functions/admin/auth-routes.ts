import * as z from 'zod';
import { ChallengeView } from '../../shared/accounts/challenge-view.ts';
import { Address, Code, GivenPassword, NewPassword, PersonName, Token } from '../../shared/accounts/inputs.ts';
import { defineRoutes } from '../../shared/http/route.ts';
import { OperatorSession, OperatorView } from './views.ts';

const challenge = z.object({ challengeId: z.string().min(1).max(100) });

/** The way in for the first operator, and for all of them later. Users' tokens and passwords mean nothing here. */
export const authRoutes = defineRoutes({
  status: {
    method: 'GET',
    path: '/api/admin/auth/status',
    auth: 'open',
    summary: 'Whether the first platform operator still has to be created',
    returns: z.object({ setupRequired: z.boolean() }),
  },
  setup: {
    method: 'POST',
    path: '/api/admin/auth/setup',
    auth: 'open',
    summary: 'Create the first platform operator with the set-up key (body or X-Admin-Setup-Key); works once',
    body: z.object({
      setupKey: z.string().max(500).optional(),
      name: PersonName,
      email: Address,
      password: NewPassword,
    }),
    returns: z.object({ admin: OperatorView }),
    status: 201,
    errors: ['setup_key_invalid', 'already_initialized', 'rate_limited'],
  },
  login: {
    method: 'POST',
    path: '/api/admin/auth/login',
    auth: 'open',
    summary: 'Exchange address and password for a token of 8 hours, or for a second step',
    body: z.object({ email: Address, password: GivenPassword, rememberDevice: z.boolean().default(true) }),
    returns: z.discriminatedUnion('status', [OperatorSession, ChallengeView]),
    errors: ['invalid_credentials', 'account_disabled', 'rate_limited'],
  },
  verifyLoginOtp: {
    method: 'POST',
    path: '/api/admin/auth/verify-login-otp',
    auth: 'open',
    summary: 'Finish a login with the mailed code',
    body: challenge.extend({ code: Code, rememberDevice: z.boolean().default(true) }),
    returns: OperatorSession,
    errors: ['otp_invalid', 'otp_expired', 'account_disabled', 'rate_limited'],
  },
  resendLoginOtp: {
    method: 'POST',
    path: '/api/admin/auth/resend-login-otp',
    auth: 'open',
    summary: 'Mail a new login code; the old one is dead',
    body: challenge,
    returns: ChallengeView,
    status: 202,
    errors: ['otp_expired', 'rate_limited'],
  },
  forgotPassword: {
    method: 'POST',
    path: '/api/admin/auth/forgot-password',
    auth: 'open',
    summary: 'Mail a reset link; the answer is the same for every address',
    body: z.object({ email: Address }),
    returns: z.object({ status: z.literal('ACCEPTED') }),
    status: 202,
    errors: ['rate_limited'],
  },
  resetPassword: {
    method: 'POST',
    path: '/api/admin/auth/reset-password',
    auth: 'open',
    summary: 'Set a password with the mailed token, the first one or a new one; every session ends',
    body: z.object({ token: Token, password: NewPassword }),
    returns: z.object({ status: z.literal('PASSWORD_CHANGED') }),
    errors: ['token_invalid', 'rate_limited'],
  },
  me: {
    method: 'GET',
    path: '/api/admin/auth/me',
    auth: 'platform',
    summary: 'The operator behind the token',
    returns: OperatorView.extend({ landing: z.literal('/platform') }),
  },
  updateMe: {
    method: 'PUT',
    path: '/api/admin/auth/me',
    auth: 'platform',
    summary: 'Change your name, or switch your login codes on or off (needs the password)',
    body: z.object({
      name: PersonName.optional(),
      otpEnabled: z.boolean().optional(),
      password: GivenPassword.optional(),
    }),
    returns: OperatorView,
    errors: ['invalid_credentials', 'rate_limited'],
  },
  validate: {
    method: 'GET',
    path: '/api/admin/auth/validate',
    auth: 'platform',
    summary: 'Whether the token is valid',
    returns: z.object({
      valid: z.literal(true),
      userId: z.string(),
      role: z.literal('ROLE_PLATFORM_OWNER'),
      organizationId: z.null(),
      expiresAt: z.number().nullable(),
      authType: z.literal('JWT'),
    }),
  },
  logout: {
    method: 'POST',
    path: '/api/admin/auth/logout',
    auth: 'platform',
    summary: 'End this session, or all of them',
    body: z.object({ all: z.boolean().default(false) }).optional(),
  },
  changePassword: {
    method: 'POST',
    path: '/api/admin/auth/change-password',
    auth: 'platform',
    summary: 'Set a new password; every session ends and a fresh one is returned',
    body: z.object({ currentPassword: GivenPassword, newPassword: NewPassword }),
    returns: OperatorSession,
    errors: ['invalid_credentials', 'rate_limited'],
  },
});
