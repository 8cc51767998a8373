import { isGranted } from '../connections/grant.ts';
import { AppError } from '../errors.ts';
import type { UserActor } from '../identity/actor.ts';
import type { PluginRow } from '../plugins/plugin.ts';
import type { ToolServer } from './server.ts';

/** Where tools of a request come from. `only`: the functions that were named after a `|`. */
export type ToolSource =
  | { readonly kind: 'plugin'; readonly plugin: PluginRow; readonly only: readonly string[] }
  | { readonly kind: 'server'; readonly server: ToolServer; readonly only: readonly string[] };

export interface Shelf {
  readonly plugins: ReadonlyMap<string, PluginRow>;
  readonly servers: ReadonlyMap<string, ToolServer>;
}

/**
 * What `tool_ids` name, as far as the caller may use it. One that is unknown and one that is not for this caller are
 * refused alike, before anybody is contacted.
 */
export function requestedSources(ids: readonly string[], { plugins, servers }: Shelf, actor: UserActor): ToolSource[] {
  return [...new Set(ids)].map((given) => {
    const [id = '', names = ''] = given.split('|', 2);
    const only = names.split(',').filter(Boolean);
    const server = serverNamed(id, servers);
    if (server && isGranted(server.access_grants, actor)) return { kind: 'server', server, only };
    const plugin = plugins.get(id);
    if (plugin?.kind === 'tool' && plugin.is_active && isGranted(plugin.access_grants, actor))
      return { kind: 'plugin', plugin, only };
    throw new AppError('not_found', `There is no tool "${id}"`, { facts: { param: 'tool_ids' } });
  });
}

/** `server:<id>` and `server:openapi:<id>` name OpenAPI servers, `server:mcp:<id>` MCP servers. */
function serverNamed(id: string, servers: Shelf['servers']): ToolServer | undefined {
  const [, type = 'openapi', name = ''] = /^server:(?:(mcp|openapi):)?(.+)$/.exec(id) ?? [];
  const server = servers.get(name);
  return server?.enable && server.type === type ? server : undefined;
}
