import { defineRoutes } from '../../shared/http/route.ts';
import { actionRoutes } from './contract/actions.ts';
import { functionRoutes } from './contract/functions.ts';
import { memoryRoutes } from './contract/memories.ts';
import { oauthRoutes } from './contract/oauth.ts';
import { pipelineRoutes } from './contract/pipelines.ts';
import { registryContract } from './contract/registry.ts';
import { clientRoutes, toolServerRoutes } from './contract/tool-servers.ts';

export const toolRoutes = registryContract('/api/v1/tools', 'tool');
export const ownRoutes = defineRoutes({
  ...toolServerRoutes,
  ...clientRoutes,
  ...actionRoutes,
  ...memoryRoutes,
  ...pipelineRoutes,
  ...oauthRoutes,
});

const named = <R extends object>(prefix: string, routes: R) =>
  Object.fromEntries(Object.entries(routes).map(([name, route]) => [`${prefix}_${name}`, route])) as Readonly<
    Record<string, R[keyof R]>
  >;

/** Plugins that operators upload, tool servers they connect, running actions, and what models remember. */
export const routes = defineRoutes({
  ...named('function', functionRoutes),
  ...named('tool', toolRoutes),
  ...ownRoutes,
});
