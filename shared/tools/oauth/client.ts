import * as z from 'zod';
import type { ToolServer } from '../server.ts';
import { openClient } from '../server-client.ts';
import type { Seal } from '../../seal/seal.ts';
import { cannotAuthorize, type Ask } from './ask.ts';
import type { Discovery } from './discover.ts';
import { isSameIssuer } from './metadata.ts';
import type { OauthStore, RegisteredClient } from './store.ts';
import type { OauthClient } from './tokens.ts';

interface ClientParts {
  readonly ask: Ask;
  readonly store: OauthStore;
  readonly seal: Seal;
}

/** The client an operator has given, or else one that this installation registers by itself. */
export async function clientFor(
  { ask, store, seal }: ClientParts,
  server: ToolServer,
  { found, redirectUri }: { readonly found: Discovery; readonly redirectUri: string },
): Promise<OauthClient> {
  const { issuer } = found.metadata;
  const given = server.oauth?.client;
  if (given) {
    const owner = given.issuer ?? (await store.bindIssuer(server.id, given.sealed, issuer));
    // A secret is not shown to whomever the tool server names next.
    if (!isSameIssuer(owner, issuer))
      throw cannotAuthorize(server, `it now names ${issuer}, but its client is one of ${owner}`);
    return openClient(seal, server);
  }
  const known = await store.readClient(server);
  if (known && isSameIssuer(known.issuer, issuer) && known.redirect_uri === redirectUri) return known.client;
  const registered = await registerClient(ask, server, { found, redirectUri });
  await store.writeClient(server, registered);
  return registered.client;
}

const Registration = z.object({
  client_id: z.string().min(1),
  client_secret: z.string().min(1).optional(),
  token_endpoint_auth_method: z.string().optional(),
});

/** Dynamic registration (RFC 7591). */
export async function registerClient(
  ask: Ask,
  server: Pick<ToolServer, 'name'>,
  { found, redirectUri, name }: { readonly found: Discovery; readonly redirectUri: string; readonly name?: string },
): Promise<RegisteredClient> {
  const { registration_endpoint: url, issuer } = found.metadata;
  if (url === undefined)
    throw cannotAuthorize(server, `${issuer} registers nobody by itself; an operator has to give a client id`);
  const body = JSON.stringify({
    client_name: name ?? 'Atrium',
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    ...(found.scope !== undefined && { scope: found.scope }),
  });
  const answer = await ask(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const read = answer.status < 300 ? Registration.safeParse(answer.body) : undefined;
  if (!read?.success) throw cannotAuthorize(server, `${issuer} answered ${answer.status} to our registration`);
  const { client_id: id, client_secret: secret, token_endpoint_auth_method: method } = read.data;
  return { client: { id, secret, method }, issuer, redirect_uri: redirectUri };
}
