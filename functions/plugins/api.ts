import { createApi, type Authenticate, type Endpoint } from '../../shared/http/api.ts';
import type { Viewer } from '../../shared/connections/grant.ts';
import type { Handlers } from '../../shared/http/route.ts';
import type { RunAction } from './actions.ts';
import type { pipelineRoutes } from './contract/pipelines.ts';
import type { PluginView } from './contract/plugin.ts';
import type { ClientRegistration } from './contract/tool-servers.ts';
import type { registryContract } from './contract/registry.ts';
import type { Memories } from './memories.ts';
import type { ServerAuthorization } from './oauth.ts';
import type { Pipelines } from './pipelines.ts';
import type { Registry } from './registry.ts';
import { functionRoutes } from './contract/functions.ts';
import { ownRoutes, toolRoutes } from './routes.ts';
import type { ToolServers } from './tool-servers.ts';

interface Parts {
  readonly functions: Registry;
  readonly tools: Registry;
  /** Tool servers, listed beside the tools that were uploaded. */
  readonly serversFor: (viewer: Viewer) => Promise<PluginView[]>;
  readonly toolServers: ToolServers;
  readonly runAction: RunAction;
  readonly memories: Memories;
  readonly pipelines: () => Promise<Pipelines>;
  readonly loadUrl: (url: string) => Promise<{ readonly name: string; readonly content: string }>;
  readonly oauth: ServerAuthorization;
  readonly registerClient: (asked: ClientRegistration) => Promise<{ status: true; oauth_client_info: string }>;
}

export const pluginsApi = (parts: Parts, authenticate: Authenticate): Endpoint[] => {
  const { functions, tools, serversFor, toolServers } = parts;
  const listTools = async (viewer: Viewer) => [...(await tools.list(viewer)), ...(await serversFor(viewer))];
  return [
    ...createApi(
      functionRoutes,
      {
        ...registryHandlers(functions, (viewer) => functions.list(viewer)),
        export: ({ query }) => functions.export(query.include_valves),
        sync: ({ actor, body }) => functions.sync(actor, body.functions),
        loadUrl: ({ body }) => parts.loadUrl(body.url),
      },
      authenticate,
    ),
    ...createApi(toolRoutes, registryHandlers(tools, listTools), authenticate),
    ...createApi(
      ownRoutes,
      {
        toolServers: () => toolServers.list(),
        setToolServers: ({ body }) => toolServers.replaceAll(body.TOOL_SERVER_CONNECTIONS),
        putToolServer: ({ params, body }) => toolServers.put(params.id, body),
        deleteToolServer: ({ params }) => toolServers.delete(params.id),
        verifyToolServer: ({ body }) => toolServers.verify(body),
        authorizeServer: ({ actor, params }) => parts.oauth.authorize(actor, params.client),
        authorizedServer: ({ actor, params, query }) => parts.oauth.callback(actor, params.client, query),
        disconnectServer: ({ actor, params }) => parts.oauth.disconnect(actor, params.client),
        disconnectServerToo: ({ actor, params }) => parts.oauth.disconnect(actor, params.client),
        registerClient: ({ body }) => parts.registerClient(body),
        memories: ({ actor }) => parts.memories.list(actor),
        addMemory: ({ actor, body }) => parts.memories.add(actor, body.content),
        deleteMemory: ({ actor, params }) => parts.memories.remove(actor, params.id),
        ...pipelineHandlers(parts.pipelines),
        runAction: ({ actor, params, body }) => parts.runAction(actor, params.action_id, body),
      },
      authenticate,
    ),
  ];
};

const pipelineHandlers = (pipelines: Parts['pipelines']) =>
  ({
    pipelineServers: async () => (await pipelines()).servers(),
    pipelines: async ({ query }) => (await pipelines()).list(query.urlIdx),
    pipelineValves: async ({ params, query }) => (await pipelines()).valves(query.urlIdx, params.pipeline_id),
    pipelineValvesSpec: async ({ params, query }) => (await pipelines()).valvesSpec(query.urlIdx, params.pipeline_id),
    setPipelineValves: async ({ params, query, body }) =>
      (await pipelines()).setValves(query.urlIdx, params.pipeline_id, body),
  }) satisfies Handlers<typeof pipelineRoutes>;

type RegistryRoutes = ReturnType<typeof registryContract<`/${string}`>>;

const registryHandlers = (registry: Registry, list: (viewer: Viewer) => Promise<PluginView[]>) =>
  ({
    list: ({ actor }) => list(actor),
    listToo: ({ actor }) => list(actor),
    export: () => registry.export(false),
    create: ({ actor, body }) => registry.create(actor, body),
    get: ({ params }) => registry.get(params.id),
    update: ({ params, body }) => registry.update(params.id, body),
    delete: ({ params }) => registry.delete(params.id),
    toggle: ({ params }) => registry.toggle(params.id),
    toggleGlobal: ({ params }) => registry.toggleGlobal(params.id),
    setAccess: ({ params, body }) => registry.setAccess(params.id, body.access_grants),
    valves: ({ params }) => registry.valves(params.id),
    valvesSpec: ({ params }) => registry.valvesSpec(params.id),
    setValves: ({ params, body }) => registry.setValves(params.id, body),
    userValves: ({ actor, params }) => registry.userValves(actor, params.id),
    userValvesSpec: ({ actor, params }) => registry.userValvesSpec(actor, params.id),
    setUserValves: ({ actor, params, body }) => registry.setUserValves(actor, params.id, body),
    logs: ({ params, query }) => registry.logs(params.id, query.limit),
  }) satisfies Handlers<RegistryRoutes>;
