import { LIMIT } from '../../shared/completion/admission.ts';
import { createSpeaker } from '../../shared/completion/speaker.ts';
import { createTally } from '../../shared/completion/tally.ts';
import { createTargets } from '../../shared/completion/targets.ts';
import { createTaskRows } from '../../shared/completion/task-rows.ts';
import { createConnections } from '../../shared/connections/connections.ts';
import { createAuthenticate } from '../../shared/identity/authenticate.ts';
import { newId } from '../../shared/ids.ts';
import { httpHandler, streamHandler as toStreamHandler } from '../../shared/lambda/family.ts';
import { createModels } from '../../shared/models/models.ts';
import { createOutbound } from '../../shared/net/outbound.ts';
import { createPipeSpeaker, createPlugins } from '../../shared/plugins/completion-plugins.ts';
import { createQuota } from '../../shared/plans/quota.ts';
import { createSeal } from '../../shared/seal/seal.ts';
import { loadSettings } from '../../shared/settings/load.ts';
import { systemClock as now } from '../../shared/time.ts';
import { completionsApi } from './api.ts';
import { createRunning } from './running.ts';
import { readPlace } from './store.ts';

const settings = await loadSettings();
const timeoutMs = settings.HTTP_CLIENT_TIMEOUT * 1000;
const outbound = createOutbound({ allowedHosts: settings.OUTBOUND_ALLOWED_HOSTS });
const seal = createSeal();
const connections = createConnections({ settings, outbound, seal });
const pluginParts = { settings, outbound, seal, connections };
const way = { outbound, timeoutMs };
const quota = createQuota(now);
const targets = createTargets(createModels({ settings, connections }), connections);
const speaker = createSpeaker(way, { otherwise: createPipeSpeaker(pluginParts) });
const common = {
  settings,
  now,
  targets,
  speaker,
  tasks: createTaskRows(now, timeoutMs),
  running: createRunning(),
};

export const endpoints = completionsApi(
  {
    ...common,
    newId,
    way,
    readPlace,
    readHistory: async (ref, messageId) => (await import('./history-store.ts')).readHistory(ref, messageId),
    plugins: createPlugins({ ...pluginParts, targets, speaker }),
    quota,
    tally: createTally(quota, LIMIT, now),
    // Loaded with the first reply that belongs to a chat.
    answerStored: async (stored) => (await import('./stored-answers.ts')).createStoredAnswers(common)(stored),
  },
  createAuthenticate(settings, now),
);

export const handler = httpHandler(endpoints, settings);
export const streamHandler = toStreamHandler(endpoints, settings);
