import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { AppError } from '../errors.ts';
import { systemClock } from '../time.ts';
import { VERSION } from '../version.ts';
import type { Caller } from './headers.ts';
import { readMcpResult } from './mcp-result.ts';
import { accessToken, isUsable } from './oauth/access-token.ts';
import { authorizationNeeded, type OauthParts } from './oauth/authorization.ts';
import { createOauthStore, type OauthSession } from './oauth/store.ts';
import { fetchWithToken, outboundFetch, type Bearer } from './outbound-fetch.ts';
import { serverHeaders, type AccessParts } from './server-access.ts';
import { toolServerId, usesOauth, type ToolServer } from './server.ts';
import type { Tool } from './tool.ts';

const CALL_MS = 120_000;

/** An open connection to an MCP server; whoever opened it closes it. */
export interface McpSession {
  readonly tools: Tool[];
  close(): Promise<void>;
}

/** Loaded only when a request names an MCP server. */
export async function openMcp(parts: AccessParts, server: ToolServer, caller?: Caller): Promise<McpSession> {
  const headers = await serverHeaders(parts, server, caller);
  const fetching = outboundFetch(parts.outbound, new URL(server.url).origin);
  const bearer = usesOauth(server) ? await demandConnected(parts, server, caller) : undefined;
  const client = new Client({ name: 'atrium', version: VERSION });
  const transport = new StreamableHTTPClientTransport(new URL(server.url), {
    requestInit: { headers },
    fetch: bearer ? fetchWithToken(fetching, bearer) : fetching,
  });
  const timeout = parts.settings.MCP_INITIALIZE_TIMEOUT * 1000;
  const close = () => client.close().catch(() => {});
  try {
    await client.connect(transport, { timeout });
    return { tools: await listTools(client, server, timeout), close };
  } catch (cause) {
    await close();
    if (cause instanceof AppError && cause.code === 'forbidden') throw cause;
    throw new AppError('upstream_failed', `${server.name} cannot be used: ${reasonOf(cause)}`, { cause });
  }
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

function reasonOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && error.code === 401)
    return 'it answered 401; it wants a key (auth_type bearer) or its users to sign in (auth_type oauth_2.1)';
  return (error instanceof Error ? error.message : String(error)).slice(0, 500);
}

const MOST_PAGES = 20;

async function listTools(client: Client, server: ToolServer, timeout: number): Promise<Tool[]> {
  const tools: Tool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { tools: listed, nextCursor } = await client.listTools({ cursor }, { timeout });
    tools.push(...listed.map((tool) => toTool(client, server, tool)));
    cursor = nextCursor;
    if (cursor === undefined) break;
  }
  return tools;
}

type Listed = Awaited<ReturnType<Client['listTools']>>['tools'][number];

/** Names of MCP tools carry the server's, since servers know nothing of each other. */
const toTool = (client: Client, server: ToolServer, { name, description, inputSchema }: Listed): Tool => ({
  source: toolServerId(server),
  name: `${server.id}_${name}`.replaceAll(/[^\w-]/g, '_').slice(0, 64),
  description: description ?? name,
  parameters: inputSchema,
  isCited: true,
  async run(args, signal) {
    const answer = await client.callTool({ name, arguments: { ...args } }, undefined, { signal, timeout: CALL_MS });
    return readMcpResult(answer);
  },
});
