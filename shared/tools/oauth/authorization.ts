import { createHash } from 'node:crypto';
import { AppError } from '../../errors.ts';
import { newSecret } from '../../ids.ts';
import type { Outbound } from '../../net/outbound.ts';
import type { Seal } from '../../seal/seal.ts';
import type { Clock } from '../../time.ts';
import type { ToolServer } from '../server.ts';
import { plainHeaders } from '../server-access.ts';
import { cannotAuthorize, createAsk, type Ask } from './ask.ts';
import { clientFor } from './client.ts';
import { discover, type Discovery } from './discover.ts';
import { isSameIssuer } from './metadata.ts';
import type { Flow, OauthSession, OauthStore } from './store.ts';
import { plainReason, Refused, requestTokens } from './token-endpoint.ts';
import { tokensFrom, type OauthClient, type TokenSource } from './tokens.ts';

export interface OauthParts {
  readonly outbound: Outbound;
  readonly store: OauthStore;
  readonly seal: Seal;
  readonly now: Clock;
  /** The public address of this installation. */
  readonly baseUrl: string;
}

const pathOf = (serverId: string) => `/oauth/clients/mcp:${serverId}`;

export const redirectUriOf = (baseUrl: string, serverId: string) => `${baseUrl}${pathOf(serverId)}/callback`;

/** `again`: what the person was given is no longer good. */
export const authorizationNeeded = (server: ToolServer, baseUrl: string, again = false) =>
  new AppError(
    'forbidden',
    `${server.name} has to be connected ${again ? 'again' : 'first'}: open ${baseUrl}${pathOf(server.id)}/authorize`,
    { facts: { authorize: `${pathOf(server.id)}/authorize` } },
  );

export const discoverFor = (ask: Ask, server: ToolServer) => discover(ask, server, plainHeaders(server.headers));

/** Where to send the browser. */
export async function startAuthorization(parts: OauthParts, session: OauthSession): Promise<URL> {
  const { server } = session;
  const ask = createAsk(parts.outbound, server);
  const found = await discoverFor(ask, server);
  const redirectUri = redirectUriOf(parts.baseUrl, server.id);
  const client = await clientFor({ ...parts, ask }, server, { found, redirectUri });
  const [state, verifier] = [newSecret(), newSecret()];
  await parts.store.beginFlow(state, session, {
    ...sourceOf(found, client),
    verifier,
    redirect_uri: redirectUri,
    names_issuer: found.metadata.authorization_response_iss_parameter_supported === true,
  });
  return authorizeUrl(found, { client, state, verifier, redirectUri });
}

const sourceOf = ({ metadata, resource }: Discovery, client: OauthClient): TokenSource => ({
  issuer: metadata.issuer,
  token_endpoint: metadata.token_endpoint,
  revocation_endpoint: metadata.revocation_endpoint,
  auth_methods: metadata.token_endpoint_auth_methods_supported ?? [],
  resource,
  client,
});

interface Leaving {
  readonly client: OauthClient;
  readonly state: string;
  readonly verifier: string;
  readonly redirectUri: string;
}

function authorizeUrl(
  { metadata, resource, scope }: Discovery,
  { client, state, verifier, redirectUri }: Leaving,
): URL {
  const url = new URL(metadata.authorization_endpoint);
  const asked = {
    response_type: 'code',
    client_id: client.id,
    redirect_uri: redirectUri,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state,
    resource,
    ...(scope !== undefined && { scope }),
    // Without consent some OpenID providers leave out the refresh token.
    ...(scope?.split(' ').includes('offline_access') && { prompt: 'consent' }),
  };
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
  return url;
}

/** How the browser came back. */
export interface Returned {
  readonly code?: string;
  readonly state?: string;
  readonly iss?: string;
  readonly error?: string;
}

export async function finishAuthorization(parts: OauthParts, session: OauthSession, returned: Returned): Promise<void> {
  const { server } = session;
  const flow = returned.state === undefined ? undefined : await parts.store.endFlow(returned.state, session);
  if (!flow) throw new AppError('invalid_request', 'This authorization was not begun here, or took too long');
  demandSender(server, flow, returned.iss);
  if (returned.error !== undefined) throw cannotAuthorize(server, plainReason(returned.error));
  if (!returned.code) throw new AppError('invalid_request', 'The answer of the authorization server is incomplete');
  const { verifier, redirect_uri, names_issuer: _, ...source } = flow;
  const form = { grant_type: 'authorization_code', code: returned.code, code_verifier: verifier, redirect_uri };
  const answer = await requestTokens(createAsk(parts.outbound, server), server, { source, form }).catch(
    async (error: unknown) => {
      if (!(error instanceof Refused)) throw error;
      if (error.reason === 'invalid_client') await parts.store.removeClient(server.id);
      throw cannotAuthorize(server, error.reason, error);
    },
  );
  await parts.store.writeTokens(session, tokensFrom(answer, source, parts.now()));
}

/** A code is shown only to the server it came from (RFC 9207). */
function demandSender(server: ToolServer, flow: Flow, issuer: string | undefined) {
  if (issuer === undefined ? flow.names_issuer : !isSameIssuer(issuer, flow.issuer))
    throw cannotAuthorize(server, 'the answer came from another authorization server');
}
