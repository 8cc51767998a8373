import * as z from 'zod';
import { defineRoutes } from '../../../shared/http/route.ts';

const KeyName = z.string().trim().min(1).max(100);
/** `[METHOD ]/path`, covering the path and everything below it; null or absent allows every route. */
const AllowedRoutes = z.array(z.string().trim().min(1).max(300)).min(1).max(50).nullable();

export const KeyInput = z.object({
  name: KeyName,
  allowedRoutes: AllowedRoutes.default(null),
  expiresInDays: z.number().int().min(1).max(3650).optional(),
});
export type KeyInput = z.output<typeof KeyInput>;

export const KeyChange = z.object({ name: KeyName.optional(), allowedRoutes: AllowedRoutes.optional() });
export type KeyChange = z.output<typeof KeyChange>;

export const KeyView = z.object({
  id: z.string(),
  name: z.string(),
  /** The first eight characters and the last four: enough to tell keys apart. */
  start: z.string(),
  last4: z.string(),
  allowedRoutes: z.array(z.string()).nullable(),
  expiresAt: z.string().nullable(),
  /** Accurate to ten minutes. */
  lastUsedAt: z.string().nullable(),
  createdAt: z.string(),
});
export type KeyView = z.output<typeof KeyView>;

const KeyWithSecret = KeyView.extend({ key: z.string() });
const REFUSALS = ['validation_failed', 'api_keys_disabled', 'api_key_escalation'] as const;

export const keys = defineRoutes({
  listKeys: {
    method: 'GET',
    path: '/api/auth/api-keys',
    auth: 'user',
    summary: 'Own API keys, without their secrets',
    returns: z.object({ data: z.array(KeyView) }),
  },
  createKey: {
    method: 'POST',
    path: '/api/auth/api-keys',
    auth: 'user',
    summary: 'Create an API key; its secret is shown this once',
    body: KeyInput,
    returns: KeyWithSecret,
    status: 201,
    errors: [...REFUSALS, 'api_key_limit'],
  },
  updateKey: {
    method: 'PUT',
    path: '/api/auth/api-keys/{id}',
    auth: 'user',
    summary: 'Rename an API key or change its routes',
    body: KeyChange,
    returns: KeyView,
    errors: [...REFUSALS, 'not_found'],
  },
  revokeKey: {
    method: 'DELETE',
    path: '/api/auth/api-keys/{id}',
    auth: 'user',
    summary: 'Revoke an API key at once',
    errors: ['not_found'],
  },
  rotateKey: {
    method: 'POST',
    path: '/api/auth/api-keys/{id}/rotate',
    auth: 'user',
    summary: 'Replace the secret of an API key; the old one stops at once',
    returns: KeyWithSecret,
    status: 201,
    errors: [...REFUSALS, 'not_found', 'conflict'],
  },
});
