import * as z from 'zod';
import { Code, GivenPassword, NewPassword, PersonName } from '../../../shared/accounts/inputs.ts';
import { SessionView } from '../../../shared/accounts/session-view.ts';
import { defineRoutes } from '../../../shared/http/route.ts';
import { MeView } from './shapes.ts';

const SessionEntry = z.object({
  id: z.string(),
  createdAt: z.string(),
  /** Accurate to ten minutes. */
  lastSeenAt: z.string(),
  expiresAt: z.string(),
  ip: z.string(),
  userAgent: z.string(),
  amr: z.array(z.string()),
  current: z.boolean(),
});

export const UpdateMeInput = z.object({
  name: PersonName.optional(),
  locale: z.string().trim().max(35).nullable().optional(),
  otpEnabled: z.boolean().optional(),
  /** Needed to switch two-step login on or off. */
  password: GivenPassword.optional(),
});
export type UpdateMeInput = z.output<typeof UpdateMeInput>;

export const profile = defineRoutes({
  me: {
    method: 'GET',
    path: '/api/auth/me',
    auth: 'user',
    summary: 'The current user, the organization in short, and what the role allows',
    returns: MeView,
  },
  updateMe: {
    method: 'PUT',
    path: '/api/auth/me',
    auth: 'user',
    summary: 'Change name, language or two-step login; the last ends all sessions and answers with a new one',
    body: UpdateMeInput,
    returns: MeView.extend({ session: SessionView.optional() }),
    errors: ['validation_failed', 'invalid_credentials', 'conflict', 'forbidden', 'rate_limited'],
  },
  changePassword: {
    method: 'POST',
    path: '/api/auth/change-password',
    auth: 'user',
    summary: 'Set a new password; every session ends and a fresh one is answered',
    body: z.object({ currentPassword: GivenPassword, newPassword: NewPassword }),
    returns: SessionView,
    errors: ['invalid_credentials', 'validation_failed', 'password_managed_externally', 'rate_limited'],
  },
  validate: {
    method: 'GET',
    path: '/api/auth/validate',
    auth: 'signedIn',
    summary: 'Is the presented credential valid, and until when; 401 when it is not',
    returns: z.object({
      valid: z.literal(true),
      userId: z.string(),
      role: z.enum(['ROLE_USER', 'ROLE_ORG_ADMIN', 'ROLE_PLATFORM_OWNER']),
      organizationId: z.string().nullable(),
      /** Epoch seconds; null for a key without an end. */
      expiresAt: z.number().nullable(),
      authType: z.enum(['JWT', 'API_KEY', 'COOKIE']),
    }),
  },
  logout: {
    method: 'POST',
    path: '/api/auth/logout',
    auth: 'user',
    summary: 'End this session, or with `all` every session',
    body: z.object({ all: z.boolean().default(false) }).default({ all: false }),
    errors: ['invalid_request'],
  },
  listSessions: {
    method: 'GET',
    path: '/api/auth/sessions',
    auth: 'user',
    summary: 'Where this account is signed in',
    returns: z.object({ data: z.array(SessionEntry) }),
  },
  endSession: {
    method: 'DELETE',
    path: '/api/auth/sessions/{id}',
    auth: 'user',
    summary: 'Sign one of them out',
    errors: ['not_found'],
  },
  enrollTotp: {
    method: 'POST',
    path: '/api/auth/totp/enroll',
    auth: 'user',
    summary: 'Begin to use an authenticator app; nothing changes until a code is confirmed',
    body: z.object({ password: GivenPassword }),
    returns: z.object({ secret: z.string(), otpauthUri: z.string() }),
    errors: ['invalid_credentials', 'conflict', 'forbidden', 'rate_limited'],
  },
  confirmTotp: {
    method: 'POST',
    path: '/api/auth/totp/confirm',
    auth: 'user',
    summary: 'Prove the app works; recovery codes are shown this once, and every other session ends',
    body: z.object({ code: Code }),
    returns: z.object({ recoveryCodes: z.array(z.string()), session: SessionView }),
    errors: ['otp_invalid', 'conflict', 'rate_limited'],
  },
  removeTotp: {
    method: 'DELETE',
    path: '/api/auth/totp',
    auth: 'user',
    summary: 'Stop using the app; needs the password and a code of the app or a recovery code',
    body: z.object({ password: GivenPassword, code: Code }),
    returns: z.object({ session: SessionView }),
    errors: ['invalid_credentials', 'otp_invalid', 'conflict', 'rate_limited'],
  },
});
