import * as z from 'zod';
import { Connection } from '../../../shared/connections/connection.ts';
import { Grant } from '../../../shared/connections/grant.ts';

const operator = { auth: 'platform' } as const;

const Address = z
  .url({ protocol: /^https?$/ })
  .max(2000)
  .refine((url) => !URL.canParse(url) || new URL(url).username === '', 'Give the key as `key`, not inside the address')
  .transform((url) => url.replace(/\/+$/, ''));

/** These belong to the request itself. */
const RESERVED = ['host', 'content-length', 'content-type', 'transfer-encoding', 'connection', 'upgrade'];

const Headers = z.record(
  z
    .string()
    .regex(/^[\w!#$%&'*+.^`|~-]{1,100}$/, 'This is not a header name')
    .refine((name) => !RESERVED.includes(name.toLowerCase()), 'This header belongs to the request itself'),
  z
    .string()
    .max(4000)
    .regex(/^[^\r\n\0]*$/, 'A header is one line'),
);

const fields = {
  kind: z.enum(['runtime', 'compat']),
  name: z.string().trim().min(1).max(200),
  url: Address,
  key: z.string().min(1).max(8000).nullable(),
  enabled: z.boolean(),
  prefix_id: z.string().regex(/^[\w-]{0,60}$/, 'Letters, digits, dashes and underscores'),
  model_ids: z.array(z.string().min(1).max(256)).max(2000),
  tags: z.array(z.string().trim().min(1).max(100)).max(50),
  headers: Headers,
  auth_type: z.enum(['bearer', 'x-api-key', 'none']),
  api_type: z.enum(['chat', 'messages']),
  access: z.enum(['everyone', 'restricted']),
  access_grants: z.array(Grant).max(1000),
  position: z.number().min(0).max(1_000_000),
};

const Form = z.object(fields).partial();
export const NewConnection = Form.required({ kind: true, url: true });
export type NewConnection = z.output<typeof NewConnection>;
/** A runtime does not become a compatible API: its models would change their meaning. */
export const ConnectionPatch = Form.omit({ kind: true });
export type ConnectionPatch = z.output<typeof ConnectionPatch>;

const ConnectionView = Connection.omit({ sealed_key: true }).extend({ has_key: z.boolean() });
const Verified = z.object({ status: z.literal(true), models: z.array(z.string()), version: z.string().nullable() });

export const connectionRoutes = {
  listConnections: {
    ...operator,
    method: 'GET',
    path: '/api/v1/connections',
    summary: 'Where models come from, in order; keys are never shown',
    returns: z.array(ConnectionView),
  },
  createConnection: {
    ...operator,
    method: 'POST',
    path: '/api/v1/connections',
    summary: 'Add a model runtime or a compatible API; its key is sealed',
    body: NewConnection,
    returns: ConnectionView,
    errors: ['validation_failed'],
  },
  verifyConnection: {
    ...operator,
    method: 'POST',
    path: '/api/v1/connections/verify',
    summary: 'Ask an address for its models before saving it',
    body: NewConnection,
    returns: Verified,
    errors: ['upstream_failed', 'upstream_timeout', 'validation_failed'],
  },
  getConnection: {
    ...operator,
    method: 'GET',
    path: '/api/v1/connections/{connectionId}',
    summary: 'One connection',
    returns: ConnectionView,
    errors: ['not_found'],
  },
  changeConnection: {
    ...operator,
    method: 'PATCH',
    path: '/api/v1/connections/{connectionId}',
    summary: 'Change what is given; a null key removes it. A connection of the environment is saved with the change',
    body: ConnectionPatch,
    returns: ConnectionView,
    errors: ['not_found', 'stale_version', 'validation_failed'],
  },
  deleteConnection: {
    ...operator,
    method: 'DELETE',
    path: '/api/v1/connections/{connectionId}',
    summary: 'Delete what was saved; a connection of the environment is then as the environment says',
    returns: z.literal(true),
    errors: ['not_found'],
  },
  verifySaved: {
    ...operator,
    method: 'POST',
    path: '/api/v1/connections/{connectionId}/verify',
    summary: 'Ask a connection for its models',
    returns: Verified,
    errors: ['not_found', 'upstream_failed', 'upstream_timeout'],
  },
} as const;
