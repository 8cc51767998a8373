import * as z from 'zod';
import { Grant } from '../../../shared/connections/grant.ts';
import { strangeIn } from '../../../shared/tools/headers.ts';

const HeaderName = z.string().regex(/^[\w!#$%&'*+.^`|~-]{1,128}$/);
const HeaderValue = z
  .string()
  .max(4096)
  .regex(/^[^\r\n\0]*$/, 'A header is one line')
  .superRefine((value, context) => {
    const strange = strangeIn(value);
    if (strange !== undefined) context.addIssue({ code: 'custom', message: `There is no placeholder {{${strange}}}` });
  });

const Config = z.object({
  enable: z.boolean().default(true),
  access_grants: z.array(Grant).max(1000).default([]),
  function_name_filter_list: z.union([z.array(z.string()), z.string()]).default([]),
});

/** A tool server as operators write it. An empty key keeps the one that is there. */
export const ServerInput = z.object({
  url: z.url({ protocol: /^https?$/ }).max(2048),
  path: z.string().max(2048).default('openapi.json'),
  type: z.enum(['openapi', 'mcp']).default('openapi'),
  auth_type: z.enum(['bearer', 'none', 'oauth_2.1']).default('none'),
  key: z.string().max(8192).default(''),
  headers: z.record(HeaderName, HeaderValue).nullish(),
  spec_type: z.enum(['url', 'json']).default('url'),
  spec: z.string().max(250_000).default(''),
  config: Config.prefault({}),
  info: z.object({
    id: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/, 'Letters, digits, _ and - only'),
    name: z.string().max(256).default(''),
    description: z.string().max(4000).default(''),
  }),
});
export type ServerInput = z.output<typeof ServerInput>;

const ServerView = z.object({
  url: z.string(),
  path: z.string(),
  type: z.enum(['openapi', 'mcp']),
  auth_type: z.enum(['bearer', 'none', 'oauth_2.1']),
  /** Always empty: a key that was saved is never shown again. */
  key: z.literal(''),
  has_key: z.boolean(),
  headers: z.record(z.string(), z.string()),
  spec_type: z.enum(['url', 'json']),
  spec: z.string(),
  config: z.object({
    enable: z.boolean(),
    access_grants: z.array(Grant),
    function_name_filter_list: z.array(z.string()),
  }),
  info: z.object({ id: z.string(), name: z.string(), description: z.string() }),
});
export type ServerView = z.output<typeof ServerView>;

const List = z.object({ TOOL_SERVER_CONNECTIONS: z.array(ServerView) });

export const toolServerRoutes = {
  toolServers: {
    method: 'GET',
    path: '/api/v1/configs/tool_servers',
    auth: 'platform',
    summary: 'Every tool server, without keys',
    returns: List,
  },
  setToolServers: {
    method: 'POST',
    path: '/api/v1/configs/tool_servers',
    auth: 'platform',
    summary: 'Exactly these tool servers from now on',
    body: z.object({ TOOL_SERVER_CONNECTIONS: z.array(ServerInput).max(500) }),
    returns: List,
    errors: ['validation_failed', 'stale_version'],
  },
  putToolServer: {
    method: 'PUT',
    path: '/api/v1/configs/tool_servers/{id}',
    auth: 'platform',
    summary: 'Add or change one tool server',
    body: ServerInput,
    returns: ServerView,
    errors: ['validation_failed', 'stale_version'],
  },
  deleteToolServer: {
    method: 'DELETE',
    path: '/api/v1/configs/tool_servers/{id}',
    auth: 'platform',
    summary: 'Remove one tool server',
    returns: z.boolean(),
    errors: ['not_found'],
  },
  verifyToolServer: {
    method: 'POST',
    path: '/api/v1/configs/tool_servers/verify',
    auth: 'platform',
    summary: 'Try a tool server out: its OpenAPI document, or the tools an MCP server lists',
    body: ServerInput,
    returns: z.looseObject({}),
    errors: ['validation_failed', 'upstream_failed'],
  },
} as const;
