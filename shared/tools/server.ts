import * as z from 'zod';
import { Grant } from '../connections/grant.ts';

/** A server whose tools models may use. `openapi`: its operations are the tools; `mcp`: it lists them itself. */
export const ToolServer = z.object({
  id: z.string(),
  type: z.enum(['openapi', 'mcp']),
  name: z.string(),
  description: z.string(),
  /** Without a slash at the end. */
  url: z.string(),
  /** Where its OpenAPI document lies: below the address, or an address of its own. */
  path: z.string(),
  /** The document itself, for a server that does not publish one. */
  spec: z.string().nullable(),
  /** `oauth_2.1`: every user connects for themselves first; MCP only. */
  auth_type: z.enum(['none', 'bearer', 'oauth_2.1']),
  sealed_key: z.string().nullable(),
  /** May hold placeholders for who asks and where. */
  headers: z.record(z.string(), z.string()),
  enable: z.boolean(),
  /** When not empty: only these functions. */
  function_name_filter_list: z.array(z.string()),
  /** Nobody but those named here. */
  access_grants: z.array(Grant),
  created_at: z.number(),
  updated_at: z.number(),
  revision: z.number(),
});
export type ToolServer = z.output<typeof ToolServer>;

/** How requests name it in `tool_ids`. */
export const toolServerId = ({ type, id }: Pick<ToolServer, 'type' | 'id'>) =>
  type === 'mcp' ? `server:mcp:${id}` : `server:${id}`;
