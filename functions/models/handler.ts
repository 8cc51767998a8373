import { createConnections } from '../../shared/connections/connections.ts';
import { createAuthenticate } from '../../shared/identity/authenticate.ts';
import { newId } from '../../shared/ids.ts';
import { httpHandler } from '../../shared/lambda/family.ts';
import { createModels } from '../../shared/models/models.ts';
import { createOutbound } from '../../shared/net/outbound.ts';
import { createSeal } from '../../shared/seal/seal.ts';
import { loadSettings } from '../../shared/settings/load.ts';
import { systemClock as now } from '../../shared/time.ts';
import { modelsApi } from './api.ts';
import { createAsk } from './ask.ts';
import { createConnectionService } from './connections.ts';
import { createListing } from './listing.ts';
import { createDescriptions } from './service.ts';
import { createConnectionsStore, createModelsStore } from './store.ts';

const settings = await loadSettings();
const outbound = createOutbound({ allowedHosts: settings.OUTBOUND_ALLOWED_HOSTS });
const connections = createConnections({ settings, outbound, seal: createSeal() });
const models = createModels({ settings, connections });
const ask = createAsk({ outbound, timeoutMs: settings.HTTP_CLIENT_TIMEOUT_OPENAI_MODEL_LIST * 1000 });
const store = createModelsStore();

export const endpoints = modelsApi(
  {
    listing: createListing({
      models,
      store,
      show: async (connection, model) => ask.show(connection, await connections.headers(connection), model),
    }),
    descriptions: createDescriptions({ models, store, now }),
    connections: createConnectionService({
      store: createConnectionsStore(),
      connections,
      ask: (connection, headers) => ask.verify(connection, headers),
      now,
      newId,
    }),
  },
  createAuthenticate(settings, now),
);

export const handler = httpHandler(endpoints, settings);
