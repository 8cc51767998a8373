import * as z from 'zod';

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
      code: z.string().optional(),
      state: z.string().optional(),
      error: z.string().max(500).optional(),
    }),
    errors: ['not_found'],
  },
  disconnectServer: {
    method: 'DELETE',
    path: '/oauth/clients/{client}/session',
    auth: 'user',
    summary: 'Forget what was given there',
    returns: z.boolean(),
    errors: ['not_found'],
  },
} as const;
