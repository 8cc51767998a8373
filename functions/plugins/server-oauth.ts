import * as z from 'zod';
import { AppError, invalidField } from '../../shared/errors.ts';
import { parseJson } from '../../shared/llm/json-value.ts';
import { log } from '../../shared/log.ts';
import { createAsk } from '../../shared/tools/oauth/ask.ts';
import {
  discoverFor,
  finishAuthorization,
  redirectUriOf,
  startAuthorization,
  type OauthParts,
  type Returned,
} from '../../shared/tools/oauth/authorization.ts';
import { registerClient } from '../../shared/tools/oauth/client.ts';
import { discover } from '../../shared/tools/oauth/discover.ts';
import type { OauthSession } from '../../shared/tools/oauth/store.ts';
import { revokeToken } from '../../shared/tools/oauth/token-endpoint.ts';
import { OauthClient } from '../../shared/tools/oauth/tokens.ts';
import type { ToolServer } from '../../shared/tools/server.ts';
import type { ClientRegistration } from './contract/tool-servers.ts';
import type { Registered } from './server-build.ts';

const CONTEXT = { tenant: 'platform', field: 'tool-server:registered-client' };
const Registration = z.object({
  url: z.string(),
  server_id: z.string().nullable(),
  client: OauthClient,
  issuer: z.string(),
});

/** The authorization of MCP servers, for users and for the operators who arrange it. */
export const createServerOauth = (parts: OauthParts) => ({
  ...operatorsPart(parts),
  start: (session: OauthSession) => startAuthorization(parts, session),
  finish: (session: OauthSession, returned: Returned) => finishAuthorization(parts, session, returned),

  /** The authorization server is told, where it wants to be; what it answers changes nothing here. */
  async forget(userId: string, serverId: string, server: ToolServer | undefined): Promise<boolean> {
    if (server) await revoke(parts, { server, userId });
    return parts.store.removeTokens(userId, serverId);
  },
});

const operatorsPart = ({ outbound, seal, baseUrl }: OauthParts) => ({
  /** Who authorizes users, and whether this installation can be known there. */
  async discover(server: ToolServer) {
    const { metadata, resource, scope } = await discoverFor(createAsk(outbound, server), server);
    if (!server.oauth?.client && metadata.registration_endpoint === undefined)
      throw new AppError(
        'upstream_failed',
        `${metadata.issuer} registers nobody by itself: register a client there with the redirect address ` +
          `${redirectUriOf(baseUrl, server.id)} and give its id (auth_type oauth_2.1_static)`,
      );
    return { oauth_server_metadata: metadata, resource, ...(scope && { scope }), login_required: true };
  },

  async register({ url, client_id, client_secret, client_name, oauth_server_url, oauth_scope }: ClientRegistration) {
    const oauth = { client: null, server_url: oauth_server_url ?? null, scope: oauth_scope ?? null };
    const server = { name: client_name ?? client_id, url: url.replace(/\/+$/, ''), oauth };
    const ask = createAsk(outbound, server);
    const found = await discover(ask, server, {}).catch(as400);
    if (!client_secret && !/^[a-zA-Z0-9_-]{1,64}$/.test(client_id))
      throw invalidField(['body', 'client_id'], 'Is not the id of a server: letters, digits, _ and - only');
    const redirectUri = redirectUriOf(baseUrl, client_id);
    const { client } = client_secret
      ? { client: { id: client_id, secret: client_secret } }
      : await registerClient(ask, server, { found, redirectUri, name: client_name ?? undefined }).catch(as400);
    const registered: Registered = {
      url: server.url,
      server_id: client_secret ? null : client_id,
      client,
      issuer: found.metadata.issuer,
    };
    return { status: true as const, oauth_client_info: await seal.close(JSON.stringify(registered), CONTEXT) };
  },

  /** Whatever cannot be opened was not made here, or not for this. */
  openRegistered: (info: string): Promise<Registered | undefined> =>
    seal.open(info, CONTEXT).then(
      (text) => Registration.safeParse(parseJson(text)).data,
      () => undefined,
    ),
});

async function revoke({ outbound, store }: OauthParts, session: OauthSession) {
  const kept = await store.readTokens(session);
  if (!kept) return;
  const { refresh_token, access_token } = kept.tokens;
  const ask = createAsk(outbound, session.server);
  await revokeToken(ask, kept.tokens, refresh_token ?? access_token)?.catch((error: unknown) =>
    log.warn('a token could not be revoked', { id: session.server.id, error }),
  );
}

const as400 = (error: unknown): never => {
  throw error instanceof AppError ? new AppError('upstream_failed', error.message, { status: 400 }) : error;
};
