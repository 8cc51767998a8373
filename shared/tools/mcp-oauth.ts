import { auth, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import {
  OAuthClientInformationFullSchema,
  OAuthTokensSchema,
  type OAuthClientMetadata,
} from '@modelcontextprotocol/sdk/shared/auth.js';
import { AppError } from '../errors.ts';
import { newSecret } from '../ids.ts';
import type { Outbound } from '../net/outbound.ts';
import type { OauthStore } from './mcp-oauth-store.ts';
import { outboundFetch } from './outbound-fetch.ts';
import type { ToolServer } from './server.ts';

export interface OauthParts {
  readonly outbound: Outbound;
  readonly store: OauthStore;
  /** The public address of this installation. */
  readonly baseUrl: string;
}

export interface Session {
  readonly server: ToolServer;
  readonly userId: string;
}

/** The way of one person through a server's authorization, or with what they got there. */
interface Journey {
  readonly state: string;
  verifier?: string;
  goTo?: URL;
}

const pathOf = ({ id }: ToolServer) => `/oauth/clients/mcp:${id}`;

export const authorizationNeeded = (server: ToolServer, baseUrl: string) =>
  new AppError('forbidden', `${server.name} has to be connected first: open ${baseUrl}${pathOf(server)}/authorize`, {
    facts: { authorize: `${pathOf(server)}/authorize` },
  });

/** Where to send the browser; undefined when the person is already connected. */
export async function startAuthorization(parts: OauthParts, session: Session): Promise<URL | undefined> {
  const journey: Journey = { state: newSecret() };
  const { server, userId } = session;
  const result = await run(parts, session, journey);
  if (result === 'AUTHORIZED' || !journey.goTo || journey.verifier === undefined) return undefined;
  await parts.store.beginFlow(journey.state, userId, { serverId: server.id, verifier: journey.verifier });
  return journey.goTo;
}

export async function finishAuthorization(
  parts: OauthParts,
  session: Session,
  { code, state }: { readonly code: string; readonly state: string },
): Promise<void> {
  const verifier = await parts.store.endFlow(state, session.userId, session.server.id);
  if (verifier === undefined)
    throw new AppError('invalid_request', 'This authorization was not begun here, or took too long');
  await run(parts, session, { state, verifier }, code);
}

async function run(parts: OauthParts, session: Session, journey: Journey, authorizationCode?: string) {
  const { server } = session;
  const provider = providerFor(parts, session, journey);
  const fetchFn = outboundFetch(parts.outbound, originOf(server));
  return auth(provider, { serverUrl: server.url, authorizationCode, fetchFn }).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message.slice(0, 300) : 'no reason given';
    throw new AppError('upstream_failed', `${server.name} does not let us in: ${reason}`, { cause });
  });
}

/** The authorization server is named by the MCP server, not by an operator, so only the latter's own address is trusted. */
export const originOf = ({ url }: ToolServer) => new URL(url).origin;

export function providerFor(
  { store, baseUrl }: OauthParts,
  { server, userId }: Session,
  journey: Journey,
): OAuthClientProvider {
  const redirectUrl = `${baseUrl}${pathOf(server)}/callback`;
  return {
    redirectUrl,
    clientMetadata: metadataOf(redirectUrl),
    state: () => journey.state,
    clientInformation: async () => OAuthClientInformationFullSchema.safeParse(await store.readClient(server)).data,
    saveClientInformation: (client) => store.writeClient(server, client),
    tokens: async () => OAuthTokensSchema.safeParse(await store.readTokens(userId, server)).data,
    saveTokens: (tokens) => store.writeTokens(userId, server, tokens),
    redirectToAuthorization: (url) => void (journey.goTo = url),
    saveCodeVerifier: (verifier) => void (journey.verifier = verifier),
    codeVerifier: () => journey.verifier ?? '',
  };
}

const metadataOf = (redirectUrl: string): OAuthClientMetadata => ({
  client_name: 'Atrium',
  redirect_uris: [redirectUrl],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
});
