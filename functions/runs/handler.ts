import { setTimeout as sleep } from 'node:timers/promises';
import { hashToken } from '../../shared/accounts/link-token.ts';
import { createAuthenticate } from '../../shared/identity/authenticate.ts';
import { newId, newSecret } from '../../shared/ids.ts';
import { httpHandler, streamHandler as toStreamHandler } from '../../shared/lambda/family.ts';
import { loadSettings } from '../../shared/settings/load.ts';
import { createSpill } from '../../shared/store/spill.ts';
import { systemClock as now } from '../../shared/time.ts';
import { cancelRun } from '../../shared/workflow/cancel-run.ts';
import { demandUsable } from '../../shared/workflow/context-reader.ts';
import { unpackJson } from '../../shared/workflow/stored-json.ts';
import { createWorkflowReader } from '../../shared/workflow/workflow-reader.ts';
import { keepAnswer } from './answer-store.ts';
import { runsApi } from './api.ts';
import type { Bulk } from './bulk.ts';
import { createReads } from './read-store.ts';
import type { ReplayParts, Replays } from './replays.ts';
import { createRuns, type RunsParts } from './service.ts';
import { startRun } from './start-store.ts';
import { loadRun, unpackGraph } from './store.ts';
import { putTaskLink, readTaskLink, taskLink } from './task-links.ts';
import { createLinks, createTasks, type TaskParts } from './tasks.ts';

const settings = await loadSettings();
const spill = createSpill();
const reads = createReads(spill);

const starting: RunsParts = {
  reader: createWorkflowReader(spill),
  readRun: (...where) => reads.run(...where),
  startRun: (start, along) => startRun(spill, start, { now: now(), along }),
  cancelRun,
  // Only Drafts and Manual snapshots need it; most starts and every follower do without the expression language.
  validate: async (graph) => (await import('../../shared/workflow/validator.ts')).validate(graph),
  demandUsable,
  now,
  newId,
};
const runs = createRuns(starting);

const replaying: ReplayParts = {
  ...starting,
  runs,
  async readOriginal({ tenant, run_id }) {
    const loaded = await loadRun(tenant, run_id);
    if (!loaded) return undefined;
    const graph = loaded.graph && (await unpackGraph(spill, loaded.graph));
    return { state: await unpackJson(spill, loaded.state), graph, steps: loaded.steps };
  },
};
// Rarely needed, so not part of a cold start.
const replays: Replays = {
  replay: async (...given) => (await import('./replays.ts')).createReplays(replaying).replay(...given),
};
const bulk: Bulk = async (...given) =>
  (await import('./bulk.ts')).createBulk({ runs, replays, reads, newId })(...given);

const answering: TaskParts = {
  readStep: (...where) => reads.step(...where),
  keepAnswer,
  putLink: putTaskLink,
  readLink: readTaskLink,
  hash: hashToken,
  newToken: newSecret,
  linkTo: (token) => taskLink(settings.SVC_URL, token),
  now,
};

export const endpoints = runsApi(
  {
    runs,
    replays,
    tasks: createTasks(answering),
    links: createLinks(answering),
    bulk,
    reads,
    spill,
    follow: (tenant, runId) => ({
      read: () => loadRun(tenant, runId),
      now,
      pause: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => undefined),
    }),
    now,
  },
  createAuthenticate(settings, now),
);

export const handler = httpHandler(endpoints, settings);
export const streamHandler = toStreamHandler(endpoints, settings);
