import * as z from 'zod';

const disconnect = {
  method: 'DELETE',
  auth: 'user',
  returns: z.boolean(),
  errors: ['not_found'],
} as const;

/** The browser of a user on its way through the authorization of an MCP server; `client` is `mcp:<server id>`. */
export const oauthRoutes = {
  authorizeServer: {
    method: 'GET',
    path: '/oauth/clients/{client}/authorize',
    auth: 'user',
    summary: 'Go to the authorization of an MCP server',
    errors: ['not_found', 'upstream_failed'],
  },
  authorizedServer: {
    method: 'GET',
    path: '/oauth/clients/{client}/callback',
    auth: 'user',
    summary: 'Come back from it',
    query: z.object({
      code: z.string().max(8192).optional(),
      state: z.string().max(512).optional(),
      iss: z.string().max(2048).optional(),
      error: z.string().max(500).optional(),
    }),
    errors: ['not_found'],
  },
  disconnectServer: {
    ...disconnect,
    path: '/oauth/clients/{client}/session',
    summary: 'Forget what was given there',
  },
  disconnectServerToo: {
    ...disconnect,
    path: '/api/v1/auths/oauth/sessions/{client}',
    summary: 'The same under its other name',
  },
} as const;
