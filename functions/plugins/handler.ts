import type { Viewer } from '../../shared/connections/grant.ts';
import { createAuthenticate } from '../../shared/identity/authenticate.ts';
import { newId } from '../../shared/ids.ts';
import { httpHandler, streamHandler as toStreamHandler } from '../../shared/lambda/family.ts';
import { createOutbound } from '../../shared/net/outbound.ts';
import { readLog } from '../../shared/plugins/logs.ts';
import { createSealedValves } from '../../shared/plugins/sealed-valves.ts';
import { readSource } from '../../shared/plugins/source-store.ts';
import { changePlugins, insertPlugin, removePlugin, replacePlugin } from '../../shared/plugins/changes.ts';
import { loadPlugins, readPlugin, readPlugins } from '../../shared/plugins/store.ts';
import { createSeal } from '../../shared/seal/seal.ts';
import { loadSettings } from '../../shared/settings/load.ts';
import { systemClock as now } from '../../shared/time.ts';
import { createOauthStore } from '../../shared/tools/oauth/store.ts';
import { sealKey } from '../../shared/tools/server-access.ts';
import { sealClient } from '../../shared/tools/server-client.ts';
import { changeToolServers, readToolServer, readToolServers } from '../../shared/tools/server-store.ts';
import { usesOauth, type ToolServer } from '../../shared/tools/server.ts';
import { addMemory, listMemories, removeMemory } from '../../shared/tools/memories.ts';
import { pluginsApi } from './api.ts';
import { createMemories } from './memories.ts';
import { createServerAuthorization } from './oauth.ts';
import { createRegistry, type RegistryParts } from './registry.ts';
import { serverViews } from './server-views.ts';
import { createToolServers } from './tool-servers.ts';

const settings = await loadSettings();
const outbound = createOutbound({ allowedHosts: settings.OUTBOUND_ALLOWED_HOSTS });
const seal = createSeal();
const access = { settings, outbound, seal };

const registryParts: RegistryParts = {
  all: readPlugins,
  load: loadPlugins,
  read: readPlugin,
  sourceOf: readSource,
  insert: insertPlugin,
  replace: replacePlugin,
  remove: removePlugin,
  commit: changePlugins,
  readLog,
  async inspect(source, valves) {
    const { inspectPlugin } = await import('../../shared/plugins/inspect.ts');
    return inspectPlugin(source, { memoryMb: settings.PLUGIN_MEMORY_MB, outbound, valves });
  },
  valves: createSealedValves(seal),
  now,
  newId,
};

const oauthParts = { outbound, seal, now, store: createOauthStore(seal, now), baseUrl: settings.SVC_URL };
/** Loaded with the first server that has its users authorized. */
const serverOauth = async () => (await import('./server-oauth.ts')).createServerOauth(oauthParts);

const toolServers = createToolServers({
  all: readToolServers,
  read: readToolServer,
  change: changeToolServers,
  seal: (id, key) => sealKey(seal, id, key),
  sealClient: (id, client) => sealClient(seal, id, client),
  openRegistered: async (info) => (await serverOauth()).openRegistered(info),
  discover: async (server) => (await serverOauth()).discover(server),
  readDocument: async (server) => (await import('../../shared/tools/openapi-server.ts')).verifyDocument(access, server),
  listMcp,
  now,
});

/** The MCP library is loaded with the first server that needs it. */
async function listMcp(server: ToolServer) {
  const { openMcp } = await import('../../shared/tools/mcp-server.ts');
  const session = await openMcp(access, server);
  await session.close();
  return session.tools;
}

async function serversFor(viewer: Viewer) {
  const servers = [...(await readToolServers()).values()];
  const isAsked = viewer.kind === 'user' && servers.some(usesOauth);
  const connected = isAsked ? await oauthParts.store.connected(viewer.userId) : new Map<string, string>();
  return serverViews(servers, viewer, connected);
}

export const endpoints = pluginsApi(
  {
    functions: createRegistry(['filter', 'pipe', 'action'], registryParts),
    tools: createRegistry(['tool'], registryParts),
    serversFor,
    oauth: createServerAuthorization({
      read: readToolServer,
      start: async (session) => (await serverOauth()).start(session),
      finish: async (session, returned) => (await serverOauth()).finish(session, returned),
      forget: async (userId, serverId) =>
        (await serverOauth()).forget(userId, serverId, await readToolServer(serverId)),
    }),
    registerClient: async (asked) => (await serverOauth()).register(asked),
    toolServers,
    pipelines: async () => (await import('./remote-pipelines.ts')).remotePipelines(access),
    loadUrl: async (url) => (await import('./load-url.ts')).loadUrl(outbound, url),
    memories: createMemories({ settings, list: listMemories, add: addMemory, remove: removeMemory }),
    // Loaded with the first action: the sandbox, the chat store and the socket.
    runAction: async (...asked) => (await import('./running-actions.ts')).createActions(access)(...asked),
  },
  createAuthenticate(settings, now),
);

export const handler = httpHandler(endpoints, settings);
export const streamHandler = toStreamHandler(endpoints, settings);
