import * as z from 'zod';
import { Address, connectionFields } from '../../../shared/connections/form.ts';

/** The runtime connections as one list with its settings, by place. The same rows stand under `/api/v1/connections`. */

const operator = { auth: 'platform', transport: 'stream' } as const;

/** Stands for a key that is saved; sent back it keeps that key. */
export const KEY_MASK = '********';

const { tags, prefix_id, model_ids, headers, auth_type } = connectionFields;
const LOCAL = z.literal('local', 'The models of a runtime are local ones');

const Config = z
  .object({
    enable: z.boolean(),
    key: z.string().max(8000).nullable(),
    tags,
    prefix_id,
    model_ids,
    headers,
    auth_type,
    connection_type: LOCAL,
  })
  .partial();
export type Config = z.output<typeof Config>;

const ConfigForm = z.object({
  ENABLE_UPSTREAM_API: z.boolean().optional(),
  UPSTREAM_BASE_URLS: z.array(Address).max(1000),
  UPSTREAM_API_CONFIGS: z.record(z.string(), Config).default({}),
});
export type ConfigForm = z.output<typeof ConfigForm>;

const ConfigView = z.object({
  ENABLE_UPSTREAM_API: z.boolean(),
  UPSTREAM_BASE_URLS: z.array(z.string()),
  UPSTREAM_API_CONFIGS: z.record(
    z.string(),
    z.object({
      enable: z.boolean(),
      key: z.enum(['', KEY_MASK]),
      tags: z.array(z.string()),
      prefix_id: z.string(),
      model_ids: z.array(z.string()),
      headers: z.record(z.string(), z.string()),
      auth_type,
      connection_type: LOCAL,
    }),
  ),
});
export type ConfigView = z.output<typeof ConfigView>;

const Candidate = z.object({ url: Address, key: z.string().max(8000).nullish() });
export type Candidate = z.output<typeof Candidate>;

export const configRoutes = {
  getConfig: {
    ...operator,
    method: 'GET',
    path: '/upstream/config',
    summary: 'The runtimes in their order, with their settings; keys are masked',
    returns: ConfigView,
  },
  updateConfig: {
    ...operator,
    method: 'POST',
    path: '/upstream/config/update',
    summary: 'Put this list of runtimes in place of the present one; what is not said about one that stays, stays',
    body: ConfigForm,
    returns: ConfigView,
    errors: [
      'invalid_request',
      'conflict',
      'stale_version',
      'payload_too_large',
      'unsupported_media_type',
      'validation_failed',
    ],
  },
  verifyRuntime: {
    ...operator,
    method: 'POST',
    path: '/upstream/verify',
    summary: 'Ask a runtime for its version before saving it',
    body: Candidate,
    returns: z.object({ version: z.string() }),
    errors: ['upstream_failed', 'upstream_timeout', 'unsupported_media_type', 'validation_failed'],
  },
} as const;
