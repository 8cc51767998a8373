import { LIMIT } from '../../shared/completion/admission.ts';
import { createSpeaker } from '../../shared/completion/speaker.ts';
import { createTally } from '../../shared/completion/tally.ts';
import { createTargets } from '../../shared/completion/targets.ts';
import { createConnections } from '../../shared/connections/connections.ts';
import { createAuthenticate } from '../../shared/identity/authenticate.ts';
import { newId } from '../../shared/ids.ts';
import { streamHandler as toStreamHandler } from '../../shared/lambda/family.ts';
import { createModels } from '../../shared/models/models.ts';
import { createOutbound } from '../../shared/net/outbound.ts';
import { createQuota } from '../../shared/plans/quota.ts';
import { createPipeSpeaker, createPlugins } from '../../shared/plugins/completion-plugins.ts';
import { createSeal } from '../../shared/seal/seal.ts';
import { loadSettings } from '../../shared/settings/load.ts';
import { systemClock as now } from '../../shared/time.ts';
import { runtimeApi } from './api.ts';
import { createRuntimes } from './runtimes.ts';

const settings = await loadSettings();
const outbound = createOutbound({ allowedHosts: settings.OUTBOUND_ALLOWED_HOSTS });
const seal = createSeal();
const connections = createConnections({ settings, outbound, seal });
const models = createModels({ settings, connections });
const targets = createTargets(models, connections);
const pluginParts = { settings, outbound, seal, connections };
const way = { outbound, timeoutMs: settings.HTTP_CLIENT_TIMEOUT * 1000 };
const quota = createQuota(now);
const speaker = createSpeaker(way, { otherwise: createPipeSpeaker(pluginParts) });

export const endpoints = runtimeApi(
  {
    settings,
    connections,
    outbound,
    now,
    newId,
    way,
    targets,
    quota,
    runtimes: createRuntimes({ models, targets }),
    headers: (connection) => connections.headers(connection),
    speaker,
    plugins: createPlugins({ ...pluginParts, targets, speaker }),
    tally: createTally(quota, LIMIT, now),
  },
  createAuthenticate(settings, now),
);

export const streamHandler = toStreamHandler(endpoints, settings);
