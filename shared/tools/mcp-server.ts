import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Caller } from './headers.ts';
import { cannotUse, prepareMcp, type McpConnection } from './mcp-connection.ts';
import { readMcpResult } from './mcp-result.ts';
import type { AccessParts } from './server-access.ts';
import { toolServerId, type ToolServer } from './server.ts';
import type { Tool } from './tool.ts';

const CALL_MS = 120_000;
const LIST_KEPT_MS = 60_000;
const MOST_LISTS = 500;
const MOST_PAGES = 20;

/** The tools of an MCP server; whoever asked for them closes the connection behind them. */
export interface McpSession {
  readonly tools: Tool[];
  close(): Promise<void>;
}

type Listed = Awaited<ReturnType<Client['listTools']>>['tools'][number];

/** What each user was shown lately. Most replies call nothing, and then nobody has to be contacted for them. */
const lists = new Map<string, { readonly at: number; readonly listed: readonly Listed[] }>();

/** Loaded only when a request names an MCP server. Without a caller, as when an operator tries it out, nothing is remembered. */
export async function openMcp(parts: AccessParts, server: ToolServer, caller?: Caller): Promise<McpSession> {
  const connection = await prepareMcp(parts, server, caller);
  const timeout = parts.settings.MCP_INITIALIZE_TIMEOUT * 1000;
  const key = caller && `${server.id} ${server.revision} ${server.created_at} ${caller.actor.userId}`;
  const known = key === undefined ? undefined : lists.get(key);
  try {
    const isFresh = known !== undefined && Date.now() - known.at < LIST_KEPT_MS;
    const listed = isFresh ? known.listed : await listTools(await connection.open(), timeout);
    if (key !== undefined && !isFresh) remember(key, listed);
    return { tools: listed.map((tool) => toTool(connection, server, tool)), close: () => connection.close() };
  } catch (cause) {
    await connection.close();
    throw cannotUse(server, cause);
  }
}

function remember(key: string, listed: readonly Listed[]) {
  if (lists.size >= MOST_LISTS) lists.clear();
  lists.set(key, { at: Date.now(), listed });
}

async function listTools(client: Client, timeout: number): Promise<Listed[]> {
  const found: Listed[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { tools, nextCursor } = await client.listTools({ cursor }, { timeout });
    found.push(...tools);
    cursor = nextCursor;
    if (cursor === undefined) break;
  }
  return found;
}

/** Names of MCP tools carry the server's, since servers know nothing of each other. */
const toTool = (connection: McpConnection, server: ToolServer, { name, description, inputSchema }: Listed): Tool => ({
  source: toolServerId(server),
  name: `${server.id}_${name}`.replaceAll(/[^\w-]/g, '_').slice(0, 64),
  description: description ?? name,
  parameters: inputSchema,
  isCited: true,
  async run(args, signal) {
    const client = await connection.open().catch((cause: unknown) => {
      throw cannotUse(server, cause);
    });
    const answer = await client.callTool({ name, arguments: { ...args } }, undefined, { signal, timeout: CALL_MS });
    return readMcpResult(answer);
  },
});
