import { isGranted, type Viewer } from '../../shared/connections/grant.ts';
import { toolServerId, type ToolServer } from '../../shared/tools/server.ts';
import { toSeconds, type Millis } from '../../shared/time.ts';
import type { PluginView } from './contract/plugin.ts';

/** Tool servers that a viewer may use, as entries of the list of tools. Nobody is contacted for it. */
export const serverViews = (
  servers: Iterable<ToolServer>,
  viewer: Viewer,
  connected: ReadonlySet<string>,
): PluginView[] =>
  [...servers]
    .filter(({ enable, access_grants }) => enable && (viewer.kind === 'platform' || isGranted(access_grants, viewer)))
    .map((server) => ({
      ...toView(server, viewer),
      ...(server.auth_type === 'oauth_2.1' && { authenticated: connected.has(server.id) }),
    }));

const toView = (server: ToolServer, viewer: Viewer): PluginView => ({
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
