import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { AppError } from '../errors.ts';
import { systemClock } from '../time.ts';
import { VERSION } from '../version.ts';
import type { Caller } from './headers.ts';
import { accessToken, isUsable } from './oauth/access-token.ts';
import { authorizationNeeded, type OauthParts } from './oauth/authorization.ts';
import { createOauthStore, type OauthSession } from './oauth/store.ts';
import { fetchWithToken, outboundFetch, type Bearer } from './outbound-fetch.ts';
import { serverHeaders, type AccessParts } from './server-access.ts';
import { usesOauth, type ToolServer } from './server.ts';

/** A way to an MCP server that is gone the first time somebody needs it. */
export interface McpConnection {
  /** The same client for everybody who asks; opened by the first. */
  open(): Promise<Client>;
  close(): Promise<void>;
}

const GOODBYE_MS = 2000;

/** Only what can be checked without the server is checked here. */
export async function prepareMcp(parts: AccessParts, server: ToolServer, caller?: Caller): Promise<McpConnection> {
  const headers = await serverHeaders(parts, server, caller);
  const fetching = outboundFetch(parts.outbound, new URL(server.url).origin);
  const bearer = usesOauth(server) ? await demandConnected(parts, server, caller) : undefined;
  const transport = new StreamableHTTPClientTransport(new URL(server.url), {
    requestInit: { headers },
    fetch: bearer ? fetchWithToken(fetching, bearer) : fetching,
  });
  const client = new Client({ name: 'atrium', version: VERSION });
  const timeout = parts.settings.MCP_INITIALIZE_TIMEOUT * 1000;
  let opening: Promise<Client> | undefined;
  return {
    open: () => (opening ??= client.connect(transport, { timeout }).then(() => client)),
    async close() {
      if (!opening) return;
      const isOpen = await opening.then(
        () => true,
        () => false,
      );
      // Servers keep a session until they are told that it is over.
      const goodbye = isOpen ? transport.terminateSession().catch(() => {}) : undefined;
      await Promise.race([goodbye, sleep(GOODBYE_MS, undefined, { ref: false })]);
      await client.close().catch(() => {});
    },
  };
}

/** Nobody is contacted before the user has been through the server's own authorization. */
async function demandConnected(
  { outbound, seal, settings }: AccessParts,
  server: ToolServer,
  caller: Caller | undefined,
): Promise<Bearer> {
  const baseUrl = settings.SVC_URL;
  if (!caller) throw authorizationNeeded(server, baseUrl);
  const session: OauthSession = { server, userId: caller.actor.userId };
  const parts: OauthParts = { outbound, seal, baseUrl, store: createOauthStore(seal, systemClock), now: systemClock };
  let held = await accessToken(parts, session);
  const renewed = async (rejected?: string) => (held = await accessToken(parts, session, rejected)).access_token;
  return {
    current: async () => (isUsable(held, systemClock()) ? held.access_token : renewed()),
    renewed,
    refused: () => authorizationNeeded(server, baseUrl, true),
  };
}

export function cannotUse(server: ToolServer, cause: unknown): AppError {
  if (cause instanceof AppError && cause.code === 'forbidden') return cause;
  return new AppError('upstream_failed', `${server.name} cannot be used: ${reasonOf(cause)}`, { cause });
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && error.code === 401)
    return 'it answered 401; it wants a key (auth_type bearer) or its users to sign in (auth_type oauth_2.1)';
  return (error instanceof Error ? error.message : String(error)).slice(0, 500);
}
