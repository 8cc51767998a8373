import { createEventLog } from '../../shared/events/event-log.ts';
import { sendToDispatcher } from '../../shared/events/message.ts';
import { createEventReader } from '../../shared/events/reader.ts';
import { createAuthenticate } from '../../shared/identity/authenticate.ts';
import { createPepper } from '../../shared/identity/pepper.ts';
import { newId, newSecret } from '../../shared/ids.ts';
import { httpHandler } from '../../shared/lambda/family.ts';
import { createSeal } from '../../shared/seal/seal.ts';
import { loadSettings } from '../../shared/settings/load.ts';
import { createSpill } from '../../shared/store/spill.ts';
import { createThrottle } from '../../shared/throttle/throttle.ts';
import { systemClock as now } from '../../shared/time.ts';
import { demandUsable } from '../../shared/workflow/context-reader.ts';
import { createWorkflowReader } from '../../shared/workflow/workflow-reader.ts';
import type { WorkflowRow } from '../../shared/workflow/workflow-row.ts';
import { triggersApi } from './api.ts';
import { createTriggerChanges } from './changes.ts';
import { createHookRequests } from './requests-store.ts';
import { createSchedules } from './schedules.ts';
import { createSecrets } from './secrets.ts';
import { createTriggers } from './service.ts';
import { createTriggerStore } from './store.ts';

const settings = await loadSettings();
const spill = createSpill();
const store = createTriggerStore();
const workflows = createWorkflowReader(spill);
const throttle = createThrottle(settings, now);
const secrets = createSecrets({ seal: createSeal(), pepper: createPepper(settings, 'webhook') });

const parts = {
  store,
  secrets,
  schedules: createSchedules(),
  workflow: (tenant: string, id: string) => workflows.workflow(tenant, id),
  async liveGraph({ tenant, id, live_version }: WorkflowRow) {
    return live_version ? (await workflows.version(tenant, id, live_version.version))?.graph : undefined;
  },
  demandUsable,
  now,
  newId,
  newHookId: () => newSecret(24),
};

export const endpoints = triggersApi(
  {
    triggers: createTriggers(parts),
    changes: createTriggerChanges(parts),
    store,
    log: createEventLog({ spill, now, newId }),
    secrets,
    requests: createHookRequests(),
    behindHook: (hookId) => store.behindHook(hookId),
    async demandRoom(tenant) {
      await throttle.take({ kind: 'publish', limit: 3000, windowMs: 60_000 }, tenant);
    },
    reader: createEventReader(spill),
    send: sendToDispatcher,
    svcUrl: settings.SVC_URL,
    now,
    newId,
  },
  createAuthenticate(settings, now),
);

export const handler = httpHandler(endpoints, settings);
