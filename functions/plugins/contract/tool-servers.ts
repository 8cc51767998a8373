import * as z from 'zod';
import { Grant } from '../../../shared/connections/grant.ts';
import { strangeIn } from '../../../shared/tools/headers.ts';
import { AUTH_TYPES } from '../../../shared/tools/server.ts';

/** These belong to the connection, not to the request. */
const OWN_HEADERS = /^(host|connection|keep-alive|content-length|transfer-encoding|te|trailer|upgrade|expect)$/i;
const HeaderName = z
  .string()
  .regex(/^[\w!#$%&'*+.^`|~-]{1,128}$/)
  .refine((name) => !OWN_HEADERS.test(name), 'This header is not for operators to set');
const HeaderValue = z
  .string()
  .max(4096)
  .regex(/^[\t\x20-\x7e]*$/, 'A header is one line of plain text')
  .superRefine((value, context) => {
    const strange = strangeIn(value);
    if (strange !== undefined) context.addIssue({ code: 'custom', message: `There is no placeholder {{${strange}}}` });
  });

const Config = z.object({
  enable: z.boolean().default(true),
  access_grants: z.array(Grant).max(1000).default([]),
  function_name_filter_list: z.union([z.array(z.string()), z.string()]).default([]),
});

/** Ways of other systems that this one does not have, and why. */
const REFUSED = new Map([
  [
    'session',
    "Users' own credentials are never sent to tool servers; use oauth_2.1, or have the user's identity forwarded",
  ],
  [
    'system_oauth',
    'Needs users who sign in through an identity provider (OAUTH_CLIENT_ID, OPENID_PROVIDER_URL), which this version does not offer',
  ],
]);
const AuthType = z.string().transform((value, context) => {
  const found = AUTH_TYPES.find((type) => type === value);
  if (found) return found;
  context.addIssue({ code: 'custom', message: REFUSED.get(value) ?? `Is none of ${AUTH_TYPES.join(', ')}` });
  return z.NEVER;
});

const HttpUrl = z.url({ protocol: /^https?$/ }).max(2048);
const Scope = z
  .string()
  .max(2000)
  .regex(/^[\x21\x23-\x5b\x5d-\x7e ]*$/, 'Scopes are words with spaces between them');

const Info = z.object({
  id: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/, 'Letters, digits, _ and - only'),
  name: z.string().max(256).default(''),
  description: z.string().max(4000).default(''),
  /** Of `oauth_2.1_static`: the client that the operator has registered there. An empty secret keeps the one that is there. */
  oauth_client_id: z.string().max(2048).default(''),
  oauth_client_secret: z.string().max(8192).default(''),
  oauth_scope: Scope.default(''),
  oauth_server_url: z.union([HttpUrl, z.literal('')]).default(''),
  /** What the registration of a client has answered. */
  oauth_client_info: z.string().max(32_768).default(''),
});

/** A tool server as operators write it. An empty key keeps the one that is there. */
export const ServerInput = z.object({
  url: HttpUrl,
  path: z.string().max(2048).default('openapi.json'),
  type: z.enum(['openapi', 'mcp']).default('openapi'),
  auth_type: AuthType.default('none'),
  key: z.string().max(8192).nullish(),
  headers: z.record(HeaderName, HeaderValue).nullish(),
  spec_type: z.enum(['url', 'json']).default('url'),
  spec: z.string().max(250_000).default(''),
  config: Config.prefault({}),
  info: Info,
});
export type ServerInput = z.output<typeof ServerInput>;

const ServerView = z.object({
  url: z.string(),
  path: z.string(),
  type: z.enum(['openapi', 'mcp']),
  auth_type: z.enum(AUTH_TYPES),
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
  info: z.object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    oauth_client_id: z.string().optional(),
    has_oauth_client_secret: z.boolean().optional(),
    oauth_scope: z.string().optional(),
    oauth_server_url: z.string().optional(),
  }),
});
export type ServerView = z.output<typeof ServerView>;

const List = z.object({ TOOL_SERVER_CONNECTIONS: z.array(ServerView) });
const CHANGE_ERRORS = ['validation_failed', 'payload_too_large', 'stale_version'] as const;

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
    summary: 'Exactly these tool servers from now on, or, when one of them is refused, those of before',
    body: z.object({ TOOL_SERVER_CONNECTIONS: z.array(ServerInput) }),
    returns: List,
    errors: CHANGE_ERRORS,
  },
  putToolServer: {
    method: 'PUT',
    path: '/api/v1/configs/tool_servers/{id}',
    auth: 'platform',
    summary: 'Add or change one tool server',
    body: ServerInput,
    returns: ServerView,
    errors: CHANGE_ERRORS,
  },
  deleteToolServer: {
    method: 'DELETE',
    path: '/api/v1/configs/tool_servers/{id}',
    auth: 'platform',
    summary: 'Remove one tool server',
    returns: z.boolean(),
    errors: ['not_found', 'stale_version'],
  },
  verifyToolServer: {
    method: 'POST',
    path: '/api/v1/configs/tool_servers/verify',
    auth: 'platform',
    summary: 'Try a tool server out: its OpenAPI document, the tools an MCP server lists, or who authorizes its users',
    body: ServerInput,
    returns: z.looseObject({}),
    errors: ['validation_failed', 'upstream_failed'],
  },
} as const;

/** A client for an MCP server, before the server is saved. */
export const ClientRegistration = z.object({
  url: HttpUrl,
  /** The id of the server; with a secret, the id of the client that the operator has registered. */
  client_id: z.string().min(1).max(2048),
  client_name: z.string().max(256).nullish(),
  client_secret: z.string().max(8192).nullish(),
  oauth_server_url: HttpUrl.nullish(),
  oauth_scope: Scope.nullish(),
});
export type ClientRegistration = z.output<typeof ClientRegistration>;

export const clientRoutes = {
  registerClient: {
    method: 'POST',
    path: '/api/v1/configs/oauth/clients/register',
    auth: 'platform',
    summary:
      'Register a client for an MCP server with OAuth; the answer goes into `info.oauth_client_info` of the server',
    query: z.object({ type: z.literal('mcp').default('mcp') }),
    body: ClientRegistration,
    returns: z.object({ status: z.literal(true), oauth_client_info: z.string() }),
    errors: ['validation_failed', 'upstream_failed'],
  },
} as const;
