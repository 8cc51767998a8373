import { setTimeout as sleep } from 'node:timers/promises';
import { createEventLog } from '../../shared/events/event-log.ts';
import { newId } from '../../shared/ids.ts';
import { toQueueHandler } from '../../shared/lambda/jobs.ts';
import { createOutbox } from '../../shared/mail/outbox.ts';
import { createOutbound } from '../../shared/net/outbound.ts';
import { createSeal } from '../../shared/seal/seal.ts';
import { loadSettings } from '../../shared/settings/load.ts';
import { createSpill } from '../../shared/store/spill.ts';
import { systemClock as now } from '../../shared/time.ts';
import { createWorkflowReader } from '../../shared/workflow/workflow-reader.ts';
import { createCompleteChat } from './complete-chat.ts';
import { createNotify } from './notify.ts';
import { enqueueRun, RunPointer } from './queue.ts';
import { runOnce, type RunnerParts } from './runner.ts';
import { createFindVersion } from './version-cache.ts';

const settings = await loadSettings();
const spill = createSpill();
const outbound = createOutbound({ allowedHosts: settings.OUTBOUND_ALLOWED_HOSTS });

const parts: RunnerParts = {
  ports: {
    spill,
    events: createEventLog({ spill, now, newId }),
    outbound,
    completeChat: createCompleteChat(outbound, createSeal()),
    notify: createNotify({ outbox: createOutbox(settings), svcUrl: settings.SVC_URL }),
    now,
    newId,
    sleep: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => undefined),
  },
  findVersion: createFindVersion(createWorkflowReader(spill)),
  leaseMs: settings.WORKFLOW_LEASE_SECONDS * 1000,
  enqueue: ({ tenant, runId }, delayMs) => enqueueRun({ tenant, run_id: runId }, delayMs),
};

export const handler = toQueueHandler(RunPointer, ({ tenant, run_id }) => runOnce(parts, { tenant, runId: run_id }));
