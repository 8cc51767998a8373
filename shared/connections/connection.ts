import * as z from 'zod';
import { Grant, isGranted, type Viewer } from './grant.ts';

/** A place where models live. `runtime` is a local model runtime, `compat` anything that speaks a compatible API. */
export const Connection = z.object({
  id: z.string(),
  kind: z.enum(['runtime', 'compat']),
  name: z.string(),
  /** Without a slash at the end. */
  url: z.string(),
  enabled: z.boolean(),
  /** Listed ids become `<prefix_id>.<id>`, so equal names of different places can be told apart. */
  prefix_id: z.string(),
  /** When not empty: exactly these models, and a compatible API is not even asked for its list. */
  model_ids: z.array(z.string()),
  tags: z.array(z.string()),
  headers: z.record(z.string(), z.string()),
  auth_type: z.enum(['bearer', 'x-api-key', 'none']),
  /** The format in which a compatible API takes its requests. */
  api_type: z.enum(['chat', 'messages']),
  /** Whose models these are unless a model says otherwise. */
  access: z.enum(['everyone', 'restricted']),
  access_grants: z.array(Grant),
  sealed_key: z.string().nullable(),
  /** From the environment, or saved by an operator. */
  source: z.enum(['environment', 'saved']),
  position: z.number(),
  created_at: z.number(),
  updated_at: z.number(),
  revision: z.number(),
});
export type Connection = z.output<typeof Connection>;

export const isOpenTo = (connection: Connection, viewer: Viewer) =>
  viewer.kind === 'platform' || connection.access === 'everyone' || isGranted(connection.access_grants, viewer);

/** The id by which callers know one of its models. */
export const listedId = ({ prefix_id }: Connection, upstreamId: string) =>
  prefix_id === '' ? upstreamId : `${prefix_id}.${upstreamId}`;

/** The model's own name behind a listed id, or undefined when the id cannot be one of this connection's. */
export function upstreamIdOf({ prefix_id }: Connection, id: string): string | undefined {
  if (prefix_id === '') return id;
  return id.startsWith(`${prefix_id}.`) ? id.slice(prefix_id.length + 1) : undefined;
}

export const byPosition = (a: Connection, b: Connection) =>
  a.position - b.position || a.created_at - b.created_at || (a.id < b.id ? -1 : 1);
