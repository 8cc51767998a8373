import * as z from 'zod';
import { newId } from '../../ids.ts';
import { parseJson } from '../../llm/json-value.ts';
import type { Seal } from '../../seal/seal.ts';
import { ConditionFailed, holds } from '../../store/dynamodb.ts';
import { when, type Condition } from '../../store/expression.ts';
import { openTable } from '../../store/table.ts';
import { toSeconds, type Clock } from '../../time.ts';
import type { ToolServer } from '../server.ts';
import { OauthClient, Tokens, TokenSource } from './tokens.ts';

/**
 * Rows of the table `settings`:
 *
 *   MCP_CLIENT           <server>   how this installation has registered itself with the server's authorization server
 *   MCP_ISSUER           <server>   the authorization server that may see a client which an operator has given
 *   MCP_TOKENS#<user>    <server>   what the user was given there; `version` changes with it, `busy_until` while it is renewed
 *
 * and of the table `realtime`, which forgets by itself:
 *
 *   MCP_FLOW#<state>     FLOW       somebody on their way through it
 */
const settings = openTable('settings');
const realtime = openTable('realtime');

/** A person and a server that they use. */
export interface OauthSession {
  readonly server: ToolServer;
  readonly userId: string;
}

/** Sealed for one server at one address: a server that moves does not take what was given to the old one. */
const Kept = z.object({ url: z.string(), sealed: z.string(), version: z.string().optional() });
const FlowRow = z.object({ userId: z.string(), serverId: z.string(), sealed: z.string(), until: z.number() });

const RegisteredClient = z.object({ client: OauthClient, issuer: z.string(), redirect_uri: z.string() });
export type RegisteredClient = z.output<typeof RegisteredClient>;

const Flow = TokenSource.extend({ verifier: z.string(), redirect_uri: z.string(), names_issuer: z.boolean() });
export type Flow = z.output<typeof Flow>;

export interface KeptTokens {
  readonly tokens: Tokens;
  readonly version: string;
}

const FLOW_SECONDS = 600;
const BUSY_MS = 20_000;
const tokenKey = (userId: string, serverId: string) => ({ pk: `MCP_TOKENS#${userId}`, sk: serverId });
const clientKey = (serverId: string) => ({ pk: 'MCP_CLIENT', sk: serverId });
const issuerKey = (serverId: string) => ({ pk: 'MCP_ISSUER', sk: serverId });
const flowKey = (state: string) => ({ pk: `MCP_FLOW#${state}`, sk: 'FLOW' });
const clientContext = ({ id }: ToolServer) => ({ tenant: 'platform', field: `mcp:${id}:client` });
const personal = (userId: string, what: string) => ({ tenant: `user:${userId}`, field: `mcp:${what}` });
const ofVersion = (version: string) => when('#version = :version', { version });

export function createOauthStore(seal: Seal, now: Clock) {
  return { ...clientRows(seal), ...tokenRows(seal, now), ...flowRows(seal, now) };
}

export type OauthStore = ReturnType<typeof createOauthStore>;

const clientRows = (seal: Seal) => ({
  async readClient(server: ToolServer): Promise<RegisteredClient | undefined> {
    const kept = Kept.safeParse(await settings.get(clientKey(server.id)));
    if (!kept.success || kept.data.url !== server.url) return undefined;
    return RegisteredClient.safeParse(parseJson(await seal.open(kept.data.sealed, clientContext(server)))).data;
  },
  async writeClient(server: ToolServer, client: RegisteredClient) {
    const sealed = await seal.close(JSON.stringify(client), clientContext(server));
    await settings.put({ ...clientKey(server.id), url: server.url, sealed });
  },
  removeClient: (serverId: string) => settings.delete(clientKey(serverId)),
  /** The first authorization server to be found is the only one that ever sees this client; returns its name. */
  async bindIssuer(serverId: string, clientMark: string, issuer: string): Promise<string> {
    const isNew = when('attribute_not_exists(pk) OR #mark <> :mark', { mark: clientMark });
    try {
      await settings.put({ ...issuerKey(serverId), mark: clientMark, issuer }, isNew);
      return issuer;
    } catch (error) {
      if (error instanceof ConditionFailed) return String(error.existing?.['issuer']);
      throw error;
    }
  },
});

const tokenRows = (seal: Seal, now: Clock) => ({
  async readTokens({ server, userId }: OauthSession): Promise<KeptTokens | undefined> {
    const kept = Kept.safeParse(await settings.get(tokenKey(userId, server.id)));
    if (!kept.success || kept.data.url !== server.url) return undefined;
    const { sealed, version = '' } = kept.data;
    const read = Tokens.safeParse(parseJson(await seal.open(sealed, personal(userId, `${server.id}:tokens`))));
    return read.success ? { tokens: read.data, version } : undefined;
  },
  /** With a version: only in the place of that one. Says whether it was written. */
  async writeTokens({ server, userId }: OauthSession, tokens: Tokens, seen?: string): Promise<boolean> {
    const sealed = await seal.close(JSON.stringify(tokens), personal(userId, `${server.id}:tokens`));
    const row = { ...tokenKey(userId, server.id), url: server.url, sealed, version: newId() };
    return holds(settings.put(row, seen === undefined ? undefined : ofVersion(seen)));
  },
  /** Only one at a time may renew them: a refresh token that is shown twice looks stolen. */
  claimRenewal: ({ server, userId }: OauthSession, seen: string): Promise<boolean> =>
    holds(settings.update(tokenKey(userId, server.id), { set: { busy_until: now() + BUSY_MS } }, isIdle(seen, now()))),
  endRenewal: ({ server, userId }: OauthSession, seen: string): Promise<boolean> =>
    holds(settings.update(tokenKey(userId, server.id), { remove: ['busy_until'] }, ofVersion(seen))),
  async removeTokens(userId: string, serverId: string, seen?: string): Promise<boolean> {
    const removing = settings.delete(tokenKey(userId, serverId), seen === undefined ? undefined : ofVersion(seen));
    return (await removing.catch(unlessHeld)) !== undefined;
  },
  /** The servers that the user has connected: by id, the address at which. */
  async connected(userId: string): Promise<ReadonlyMap<string, string>> {
    const rows = await Array.fromAsync(settings.walk({ pk: `MCP_TOKENS#${userId}` }));
    return new Map(rows.map((row) => [String(row['sk']), String(row['url'])]));
  },
});

const isIdle = (version: string, at: number): Condition =>
  when('#version = :version AND (attribute_not_exists(#busy_until) OR #busy_until < :at)', { version, at });

function unlessHeld(error: unknown): undefined {
  if (error instanceof ConditionFailed) return undefined;
  throw error;
}

const flowRows = (seal: Seal, now: Clock) => ({
  async beginFlow(state: string, { server, userId }: OauthSession, flow: Flow) {
    const sealed = await seal.close(JSON.stringify(flow), personal(userId, `${server.id}:flow`));
    const until = toSeconds(now()) + FLOW_SECONDS;
    await realtime.put({ ...flowKey(state), userId, serverId: server.id, sealed, until, ttl: until });
  },
  /** Each state is good for one return, of the person who left. */
  async endFlow(state: string, { server, userId }: OauthSession): Promise<Flow | undefined> {
    const row = FlowRow.safeParse(await realtime.delete(flowKey(state)));
    if (!row.success || row.data.userId !== userId || row.data.serverId !== server.id) return undefined;
    if (row.data.until < toSeconds(now())) return undefined;
    return Flow.safeParse(parseJson(await seal.open(row.data.sealed, personal(userId, `${server.id}:flow`)))).data;
  },
});
