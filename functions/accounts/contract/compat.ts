import * as z from 'zod';
import { Address, GivenPassword, NewPassword, PersonName } from '../../../shared/accounts/inputs.ts';
import { defineRoutes } from '../../../shared/http/route.ts';

/** The session as clients of this API family know it. */
export const SessionUser = z.object({
  token: z.string(),
  token_type: z.literal('Bearer'),
  expires_at: z.number().nullable(),
  id: z.string(),
  email: z.string(),
  name: z.string(),
  role: z.enum(['user', 'admin']),
  profile_image_url: z.string(),
  permissions: z.record(z.string(), z.unknown()),
});
export type SessionUser = z.output<typeof SessionUser>;

const SignedOut = z.object({ status: z.literal(true) });
const Key = z.object({ api_key: z.string() });

/** The same sign-in under the paths existing clients call. */
export const compat = defineRoutes({
  compatSignIn: {
    method: 'POST',
    path: '/api/v1/auths/signin',
    auth: 'open',
    summary: 'Sign in, as existing chat clients do',
    body: z.object({ email: z.string().trim().toLowerCase().min(1).max(254), password: GivenPassword }),
    returns: SessionUser,
    errors: ['invalid_credentials', 'otp_required', 'account_disabled', 'email_not_verified', 'rate_limited'],
  },
  compatSignUp: {
    method: 'POST',
    path: '/api/v1/auths/signup',
    auth: 'open',
    summary: 'Register and sign in, as existing chat clients do',
    body: z.object({ name: PersonName, email: Address, password: NewPassword }),
    returns: SessionUser,
    errors: ['validation_failed', 'email_taken', 'email_not_verified', 'signup_disabled', 'rate_limited'],
  },
  compatSession: {
    method: 'GET',
    path: '/api/v1/auths',
    auth: 'user',
    summary: 'The session in use; also refreshes its cookie',
    returns: SessionUser,
  },
  compatSignOut: {
    method: 'POST',
    path: '/api/v1/auths/signout',
    auth: 'user',
    summary: 'Sign out',
    returns: SignedOut,
  },
  compatSignOutByGet: {
    method: 'GET',
    path: '/api/v1/auths/signout',
    auth: 'user',
    summary: 'Sign out, as older clients do',
    returns: SignedOut,
    errors: ['csrf_rejected'],
  },
  compatCreateKey: {
    method: 'POST',
    path: '/api/v1/auths/api_key',
    auth: 'user',
    summary: 'Replace the one key of this interface; other keys are left alone',
    returns: Key,
    errors: ['api_keys_disabled', 'api_key_escalation', 'api_key_limit'],
  },
  compatGetKey: {
    method: 'GET',
    path: '/api/v1/auths/api_key',
    auth: 'user',
    summary: 'Which key that is; masked, because only its hash is stored',
    returns: Key,
    errors: ['not_found'],
  },
  compatDeleteKey: {
    method: 'DELETE',
    path: '/api/v1/auths/api_key',
    auth: 'user',
    summary: 'Revoke that key',
    returns: z.boolean(),
  },
});
