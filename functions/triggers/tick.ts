import { createEventLog } from '../../shared/events/event-log.ts';
import { newId } from '../../shared/ids.ts';
import { toQueueHandler } from '../../shared/lambda/jobs.ts';
import { createSpill } from '../../shared/store/spill.ts';
import { systemClock as now } from '../../shared/time.ts';
import { createSchedules } from './schedules.ts';
import { createTriggerStore } from './store.ts';
import { Tick } from './tick-message.ts';
import { takeTick } from './ticking.ts';

const store = createTriggerStore();
const parts = {
  log: createEventLog({ spill: createSpill(), now, newId }),
  schedules: createSchedules(),
  trigger: (tenant: string, workflowId: string, triggerId: string) => store.get(tenant, workflowId, triggerId),
  now,
};

export const handler = toQueueHandler(Tick, (tick, { attempt }) => takeTick(parts, tick, attempt));
