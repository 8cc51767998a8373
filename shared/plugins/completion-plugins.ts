import type { Filter, Plugins, Scope } from '../completion/plugins.ts';
import type { Speak } from '../completion/speech.ts';
import type { Connections } from '../connections/connections.ts';
import { readPlatform } from '../models/directory.ts';
import { featuresOf, stringsOf } from './asked.ts';
import type { HeavyParts, ToolParts } from './heavy.ts';
import { pipelineServers } from './pipeline-servers.ts';
import { demandAll, demandFileHandler, selectFilters } from './selection.ts';
import { readPlugins } from './store.ts';

export interface PluginParts extends ToolParts {
  readonly connections: Pick<Connections, 'headers' | 'list' | 'usable'>;
}

/**
 * What uploaded plugins, tool servers and remote pipelines put between callers and models. Only the rows are read here;
 * everything that runs something is loaded with the first request that needs it.
 */
export function createPlugins(parts: PluginParts): Plugins {
  const heavy = () => import('./heavy.ts');
  return {
    filters: [
      async (scope) => {
        const asked = new Set(stringsOf(scope.asked.filter_ids));
        const ofModel = new Set(stringsOf(scope.target.meta?.filterIds));
        const rows = selectFilters((await readPlugins()).values(), { asked, ofModel });
        const remote = await remoteOf(parts, scope, asked);
        demandAll(asked, [...remote, ...rows]);
        demandFileHandler(scope.asked.files, rows);
        const own: Filter[] = rows.length > 0 ? (await heavy()).filtersOf(parts, rows, scope) : [];
        return [...remote, ...own];
      },
    ],
    wraps: [
      async (_speak, scope) => {
        const { via } = scope.target;
        return via.kind === 'built-in' && via.name !== 'demo'
          ? (await heavy()).pipeOf(parts, via.name, scope)
          : undefined;
      },
      async (speak, scope) => (wantsTools(scope) ? (await heavy()).toolsAround(parts, speak, scope) : undefined),
    ],
    offers: new Set(['filter_ids', 'tool_ids', 'features', 'files']),
  };
}

async function remoteOf({ outbound, connections }: PluginParts, scope: Scope, asked: ReadonlySet<string>) {
  const servers = pipelineServers(connections.usable((await readPlatform()).connections));
  if (servers.length === 0) return [];
  const { remoteFilters } = await import('./remote-filters.ts');
  return remoteFilters({ outbound, connections }, servers, { scope, asked });
}

/** Without a scope, as for the gateway's own small tasks: a pipe that speaks to nobody. */
export const createPipeSpeaker =
  (parts: HeavyParts) =>
  (name: string): Speak =>
  async (ask, signal) =>
    (await (await import('./heavy.ts')).pipeOf(parts, name, undefined))(ask, signal);

/** Tools that the caller brings along, be it none, take the place of ours. */
function wantsTools({ asked }: Scope): boolean {
  if (asked.tools !== undefined && asked.tools !== null) return false;
  return stringsOf(asked.tool_ids).length > 0 || featuresOf(asked.features).length > 0;
}
