import { invalidField } from '../../shared/errors.ts';
import { isObject, parseJson } from '../../shared/llm/json-value.ts';
import type { OauthClient } from '../../shared/tools/oauth/tokens.ts';
import { usesOauth, type ServerOauth, type ToolServer } from '../../shared/tools/server.ts';
import type { Clock } from '../../shared/time.ts';
import type { ServerInput } from './contract/tool-servers.ts';

/** What a registration has answered, opened. */
export interface Registered {
  readonly url: string;
  /** The id of the server it was made for; null when the client was given by an operator. */
  readonly server_id: string | null;
  readonly client: OauthClient;
  readonly issuer: string;
}

export interface ServerSeals {
  readonly seal: (id: string, key: string) => Promise<string>;
  readonly sealClient: (id: string, client: OauthClient) => Promise<string>;
  /** Undefined when this installation has not made it. */
  readonly openRegistered: (info: string) => Promise<Registered | undefined>;
  readonly now: Clock;
}

type Before = ToolServer | undefined;

/** A tool server as it is kept, from what an operator wrote and what was there before. */
export async function buildServer(seals: ServerSeals, input: ServerInput, before: Before): Promise<ToolServer> {
  return {
    ...fieldsOf(input),
    sealed_key: await keyFor(seals, input, before),
    oauth: usesOauth(input) ? await oauthFor(seals, input, before) : null,
    created_at: before?.created_at ?? seals.now(),
    updated_at: seals.now(),
    revision: (before?.revision ?? 0) + 1,
  };
}

function fieldsOf({ url, path, type, auth_type, headers, spec_type, spec, config, info }: ServerInput) {
  if (spec_type === 'json' && !isObject(parseJson(spec))) throw invalidField(['body', 'spec'], 'Is not a JSON object');
  if (usesOauth({ auth_type }) && type !== 'mcp')
    throw invalidField(['body', 'auth_type'], 'Only MCP servers can be authorized by OAuth');
  return {
    id: info.id,
    type,
    name: info.name || info.id,
    description: info.description,
    url: url.replace(/\/+$/, ''),
    path,
    spec: spec_type === 'json' ? spec : null,
    auth_type,
    headers: headers ?? {},
    enable: config.enable,
    function_name_filter_list: [config.function_name_filter_list].flat().flatMap(splitNames),
    access_grants: config.access_grants,
  };
}

const splitNames = (names: string) =>
  names
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);

/** A secret moves to another address only when it is given again: it could be sent to anyone otherwise. */
const isSamePlace = (before: Before, { url }: ServerInput): before is ToolServer =>
  before !== undefined && new URL(before.url).origin === new URL(url).origin;

async function keyFor({ seal }: ServerSeals, input: ServerInput, before: Before) {
  if (input.key) return seal(input.info.id, input.key);
  return isSamePlace(before, input) ? before.sealed_key : null;
}

async function oauthFor(seals: ServerSeals, input: ServerInput, before: Before): Promise<ServerOauth> {
  const { oauth_server_url, oauth_scope } = input.info;
  const server_url = oauth_server_url || null;
  const kept = isSamePlace(before, input) && before.oauth?.server_url === server_url ? before.oauth.client : null;
  return { client: await clientOf(seals, input, kept), server_url, scope: oauth_scope || null };
}

async function clientOf(seals: ServerSeals, input: ServerInput, kept: ServerOauth['client']) {
  const { id, oauth_client_id, oauth_client_secret, oauth_client_info } = input.info;
  if (oauth_client_info) return registeredClient(seals, input);
  if (input.auth_type === 'oauth_2.1') return kept;
  const clientId = oauth_client_id || kept?.id;
  if (!clientId) throw invalidField(['body', 'info', 'oauth_client_id'], 'Is needed by oauth_2.1_static');
  if (!oauth_client_secret && kept?.id === clientId) return kept;
  const client = { id: clientId, ...(oauth_client_secret && { secret: oauth_client_secret }) };
  const sealed = await seals.sealClient(id, client);
  return { id: clientId, sealed, has_secret: oauth_client_secret !== '', issuer: null };
}

async function registeredClient({ openRegistered, sealClient }: ServerSeals, { url, info }: ServerInput) {
  const registered = await openRegistered(info.oauth_client_info);
  const refused = (why: string) => invalidField(['body', 'info', 'oauth_client_info'], why);
  if (!registered) throw refused('Was not made here');
  if (new URL(registered.url).origin !== new URL(url).origin) throw refused('Was made for another address');
  if (registered.server_id !== null && registered.server_id !== info.id) throw refused('Was made for another id');
  const { client, issuer } = registered;
  return { id: client.id, sealed: await sealClient(info.id, client), has_secret: client.secret !== undefined, issuer };
}
