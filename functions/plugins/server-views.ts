import { isGranted, type Viewer } from '../../shared/connections/grant.ts';
import { toolServerId, usesOauth, type ToolServer } from '../../shared/tools/server.ts';
import { toSeconds, type Millis } from '../../shared/time.ts';
import type { PluginView } from './contract/plugin.ts';
import type { ServerView } from './contract/tool-servers.ts';

/** Tool servers that a viewer may use, as entries of the list of tools. Nobody is contacted for it. */
export const serverViews = (
  servers: Iterable<ToolServer>,
  viewer: Viewer,
  connected: ReadonlyMap<string, string>,
): PluginView[] =>
  [...servers]
    .filter(({ enable, access_grants }) => enable && (viewer.kind === 'platform' || isGranted(access_grants, viewer)))
    .map((server) => ({
      ...toToolView(server, viewer),
      ...(usesOauth(server) && { authenticated: connected.get(server.id) === server.url }),
    }));

const toToolView = (server: ToolServer, viewer: Viewer): PluginView => ({
  id: toolServerId(server),
  user_id: '',
  name: server.name,
  type: 'tool',
  meta: { description: server.description },
  is_active: server.enable,
  is_global: false,
  access_grants: viewer.kind === 'platform' ? server.access_grants : [],
  specs: [],
  has_user_valves: false,
  revision: server.revision,
  created_at: toSeconds(server.created_at as Millis),
  updated_at: toSeconds(server.updated_at as Millis),
});

/** A tool server for operators, without its secrets. */
export const toServerView = (server: ToolServer): ServerView => ({
  url: server.url,
  path: server.path,
  type: server.type,
  auth_type: server.auth_type,
  key: '',
  has_key: server.sealed_key !== null,
  headers: server.headers,
  spec_type: server.spec === null ? 'url' : 'json',
  spec: server.spec ?? '',
  config: {
    enable: server.enable,
    access_grants: server.access_grants,
    function_name_filter_list: server.function_name_filter_list,
  },
  info: {
    id: server.id,
    name: server.name,
    description: server.description,
    ...(server.oauth && {
      oauth_client_id: server.oauth.client?.id,
      has_oauth_client_secret: server.oauth.client?.has_secret ?? false,
      oauth_scope: server.oauth.scope ?? undefined,
      oauth_server_url: server.oauth.server_url ?? undefined,
    }),
  },
});
