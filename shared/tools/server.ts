import * as z from 'zod';
import { Grant } from '../connections/grant.ts';

/** How a request to the server shows that it may. Both kinds of OAuth: every user connects for themselves first; MCP only. */
export const AUTH_TYPES = ['none', 'bearer', 'oauth_2.1', 'oauth_2.1_static'] as const;

/** What an operator has said about the authorization of an MCP server. */
const ServerOauth = z.object({
  /** A client that is known there, sealed with its secret. Null: this installation registers itself when it is needed. */
  client: z
    .object({
      id: z.string(),
      sealed: z.string(),
      has_secret: z.boolean(),
      /** The authorization server that knows it; null until that is known. */
      issuer: z.string().nullable(),
    })
    .nullable(),
  /** The authorization server, where the tool server does not name it. */
  server_url: z.string().nullable(),
  scope: z.string().nullable(),
});
export type ServerOauth = z.output<typeof ServerOauth>;

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
  auth_type: z.enum(AUTH_TYPES),
  sealed_key: z.string().nullable(),
  oauth: ServerOauth.nullable(),
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

export const usesOauth = ({ auth_type }: Pick<ToolServer, 'auth_type'>) =>
  auth_type === 'oauth_2.1' || auth_type === 'oauth_2.1_static';
