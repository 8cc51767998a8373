import { createAuthenticate } from '../../shared/identity/authenticate.ts';
import { newId } from '../../shared/ids.ts';
import { httpHandler, streamHandler as toStreamHandler } from '../../shared/lambda/family.ts';
import { createOutbound } from '../../shared/net/outbound.ts';
import { inspectPlugin } from '../../shared/plugins/inspect.ts';
import { readLog } from '../../shared/plugins/logs.ts';
import { createRunner } from '../../shared/plugins/runner.ts';
import {
  insertPlugin,
  readPlugin,
  readPlugins,
  readSource,
  removePlugin,
  replacePlugin,
} from '../../shared/plugins/store.ts';
import { voiceAt } from '../../shared/plugins/voice.ts';
import { createSeal } from '../../shared/seal/seal.ts';
import { loadSettings } from '../../shared/settings/load.ts';
import { systemClock as now } from '../../shared/time.ts';
import { sealKey } from '../../shared/tools/server-access.ts';
import { readToolServer, readToolServers, removeToolServer, writeToolServer } from '../../shared/tools/server-store.ts';
import type { ToolServer } from '../../shared/tools/server.ts';
import { addMemory, listMemories, removeMemory } from '../../shared/tools/memories.ts';
import { createRunAction } from './actions.ts';
import { pluginsApi } from './api.ts';
import { createMemories } from './memories.ts';
import { createRegistry, type RegistryParts } from './registry.ts';
import { serverViews } from './server-views.ts';
import { readHeader } from './store.ts';
import { createToolServers } from './tool-servers.ts';

const settings = await loadSettings();
const outbound = createOutbound({ allowedHosts: settings.OUTBOUND_ALLOWED_HOSTS });
const seal = createSeal();
const runner = createRunner({ settings, outbound, seal });
const access = { settings, outbound, seal };

const registryParts: RegistryParts = {
  all: readPlugins,
  read: readPlugin,
  sourceOf: readSource,
  insert: insertPlugin,
  replace: replacePlugin,
  remove: removePlugin,
  readLog,
  inspect: (source, valves) => inspectPlugin(source, { memoryMb: settings.PLUGIN_MEMORY_MB, outbound, valves }),
  valves: runner.valves,
  now,
  newId,
};

const toolServers = createToolServers({
  all: readToolServers,
  read: readToolServer,
  write: writeToolServer,
  remove: removeToolServer,
  seal: (id, key) => sealKey(seal, id, key),
  readDocument: async (server) => (await import('../../shared/tools/openapi-server.ts')).readDocument(access, server),
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

export const endpoints = pluginsApi(
  {
    functions: createRegistry(['filter', 'pipe', 'action'], registryParts),
    tools: createRegistry(['tool'], registryParts),
    serversFor: async (viewer) => serverViews((await readToolServers()).values(), viewer),
    toolServers,
    memories: createMemories({ settings, list: listMemories, add: addMemory, remove: removeMemory }),
    runAction: createRunAction({
      all: readPlugins,
      runner,
      voiceAt: ({ userId }, place) => voiceAt(userId, place, settings.WEBSOCKET_EVENT_CALLER_TIMEOUT),
      ownsChat: async ({ userId }, chatId) => (await readHeader({ owner: userId, chatId })) !== undefined,
    }),
  },
  createAuthenticate(settings, now),
);

export const handler = httpHandler(endpoints, settings);
export const streamHandler = toStreamHandler(endpoints, settings);
