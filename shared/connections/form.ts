import * as z from 'zod';
import { Grant } from './grant.ts';

export const Address = z
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

/** What an operator may say about a connection. */
export const connectionFields = {
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

const Form = z.object(connectionFields).partial();
export const NewConnection = Form.required({ kind: true, url: true });
export type NewConnection = z.output<typeof NewConnection>;
/** A runtime does not become a compatible API: its models would change their meaning. */
export const ConnectionPatch = Form.omit({ kind: true });
export type ConnectionPatch = z.output<typeof ConnectionPatch>;
