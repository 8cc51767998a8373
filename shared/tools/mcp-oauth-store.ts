import * as z from 'zod';
import { parseJson } from '../llm/json-value.ts';
import type { Seal } from '../seal/seal.ts';
import { openTable } from '../store/table.ts';
import { systemClock, toSeconds } from '../time.ts';
import type { ToolServer } from './server.ts';

/**
 * Rows of the table `settings`:
 *
 *   MCP_CLIENT           <server>   how this installation is known to the server's authorization server
 *   MCP_TOKENS#<user>    <server>   what the user was given there
 *
 * and of the table `realtime`, which forgets by itself:
 *
 *   MCP_FLOW#<state>     FLOW       somebody on their way through it
 */
const settings = openTable('settings');
const realtime = openTable('realtime');

/** Sealed for one server at one address: a server that moves does not take what was given to the old one. */
const Kept = z.object({ url: z.string(), sealed: z.string() });
const Flow = z.object({ userId: z.string(), serverId: z.string(), sealed: z.string(), until: z.number() });

const FLOW_SECONDS = 600;
const tokenKey = (userId: string, serverId: string) => ({ pk: `MCP_TOKENS#${userId}`, sk: serverId });
const clientKey = (serverId: string) => ({ pk: 'MCP_CLIENT', sk: serverId });
const flowKey = (state: string) => ({ pk: `MCP_FLOW#${state}`, sk: 'FLOW' });

export interface OauthStore {
  readClient(server: ToolServer): Promise<unknown>;
  writeClient(server: ToolServer, client: unknown): Promise<void>;
  readTokens(userId: string, server: ToolServer): Promise<unknown>;
  writeTokens(userId: string, server: ToolServer, tokens: unknown): Promise<void>;
  removeTokens(userId: string, serverId: string): Promise<boolean>;
  /** The ids of the servers that the user has connected. */
  connected(userId: string): Promise<ReadonlySet<string>>;
  beginFlow(state: string, userId: string, flow: { serverId: string; verifier: string }): Promise<void>;
  /** Each state is good for one return, of the person who left. */
  endFlow(state: string, userId: string, serverId: string): Promise<string | undefined>;
}

export function createOauthStore(seal: Seal): OauthStore {
  const platform = ({ id }: ToolServer) => ({ tenant: 'platform', field: `mcp:${id}:client` });
  const personal = (userId: string, what: string) => ({ tenant: `user:${userId}`, field: `mcp:${what}` });
  const read = async (row: unknown, { url }: ToolServer, context: { tenant: string; field: string }) => {
    const kept = Kept.safeParse(row);
    return kept.success && kept.data.url === url ? parseJson(await seal.open(kept.data.sealed, context)) : undefined;
  };
  return {
    readClient: async (server) => read(await settings.get(clientKey(server.id)), server, platform(server)),
    async writeClient(server, client) {
      const sealed = await seal.close(JSON.stringify(client), platform(server));
      await settings.put({ ...clientKey(server.id), url: server.url, sealed });
    },
    readTokens: async (userId, server) =>
      read(await settings.get(tokenKey(userId, server.id)), server, personal(userId, `${server.id}:tokens`)),
    async writeTokens(userId, server, tokens) {
      const sealed = await seal.close(JSON.stringify(tokens), personal(userId, `${server.id}:tokens`));
      await settings.put({ ...tokenKey(userId, server.id), url: server.url, sealed });
    },
    removeTokens: async (userId, serverId) => (await settings.delete(tokenKey(userId, serverId))) !== undefined,
    async connected(userId) {
      const rows = await Array.fromAsync(settings.walk({ pk: `MCP_TOKENS#${userId}` }));
      return new Set(rows.map((row) => String(row['sk'])));
    },
    async beginFlow(state, userId, { serverId, verifier }) {
      const sealed = await seal.close(verifier, personal(userId, `${serverId}:verifier`));
      const until = toSeconds(systemClock()) + FLOW_SECONDS;
      await realtime.put({ ...flowKey(state), userId, serverId, sealed, until, ttl: until });
    },
    async endFlow(state, userId, serverId) {
      const flow = Flow.safeParse(await realtime.delete(flowKey(state)));
      if (!flow.success || flow.data.userId !== userId || flow.data.serverId !== serverId) return undefined;
      if (flow.data.until < toSeconds(systemClock())) return undefined;
      return seal.open(flow.data.sealed, personal(userId, `${serverId}:verifier`));
    },
  };
}
