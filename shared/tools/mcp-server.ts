import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { AppError } from '../errors.ts';
import { isObject, listAt, objectAt, stringAt } from '../llm/json-value.ts';
import { dataUrl } from '../llm/parts.ts';
import { VERSION } from '../version.ts';
import type { Caller } from './headers.ts';
import { authorizationNeeded, originOf, providerFor } from './mcp-oauth.ts';
import { createOauthStore } from './mcp-oauth-store.ts';
import { outboundFetch } from './outbound-fetch.ts';
import { serverHeaders, type AccessParts } from './server-access.ts';
import { toolServerId, type ToolServer } from './server.ts';
import { toText, type Tool, type ToolResult } from './tool.ts';

const CALL_MS = 120_000;

/** An open connection to an MCP server; whoever opened it closes it. */
export interface McpSession {
  readonly tools: Tool[];
  close(): Promise<void>;
}

/** Loaded only when a request names an MCP server. */
export async function openMcp(parts: AccessParts, server: ToolServer, caller?: Caller): Promise<McpSession> {
  const headers = await serverHeaders(parts, server, caller);
  const authProvider = server.auth_type === 'oauth_2.1' ? await demandConnected(parts, server, caller) : undefined;
  const client = new Client({ name: 'atrium', version: VERSION });
  const transport = new StreamableHTTPClientTransport(new URL(server.url), {
    requestInit: { headers },
    fetch: outboundFetch(parts.outbound, originOf(server)),
    authProvider,
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
) {
  const store = createOauthStore(seal);
  const needed = authorizationNeeded(server, settings.SVC_URL);
  const userId = caller?.actor.userId;
  if (userId === undefined || (await store.readTokens(userId, server)) === undefined) throw needed;
  const provider = providerFor({ outbound, store, baseUrl: settings.SVC_URL }, { server, userId }, { state: '' });
  // What was given may be withdrawn or run out; then the person has to go again, and cannot from here.
  return {
    ...provider,
    redirectToAuthorization() {
      throw needed;
    },
  };
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error)).slice(0, 500);
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
    return toResult(answer);
  },
});

function toResult(answer: unknown): ToolResult {
  const parts = listAt(answer, 'content');
  const structured = objectAt(answer, 'structuredContent');
  const texts = parts.map(textOf).filter(Boolean);
  return {
    text: texts.length > 0 ? texts.join('\n') : Object.keys(structured).length > 0 ? toText(structured) : '',
    isError: isObject(answer) && answer.isError === true,
    images: parts.flatMap((part) =>
      part.type === 'image' && typeof part.data === 'string' ? [dataUrl(String(part.mimeType), part.data)] : [],
    ),
  };
}

function textOf(part: Readonly<Record<string, unknown>>): string {
  if (part.type === 'text') return stringAt(part, 'text') ?? '';
  if (part.type === 'resource')
    return stringAt(part.resource, 'text') ?? `[${stringAt(part.resource, 'uri') ?? 'file'}]`;
  if (part.type === 'resource_link') return `[${stringAt(part, 'name') ?? ''}](${stringAt(part, 'uri') ?? ''})`;
  return '';
}
