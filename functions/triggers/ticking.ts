import type { EventLog } from '../../shared/events/event-log.ts';
import { derivedEventId } from '../../shared/events/prepare.ts';
import { parseExact } from '../../shared/exact-json.ts';
import type { CronTrigger, Trigger } from '../../shared/triggers/trigger.ts';
import { isScheduled } from './cron.ts';
import type { Schedules } from './schedules.ts';
import type { Tick } from './tick-message.ts';

export interface TickParts {
  readonly log: EventLog;
  readonly schedules: Schedules;
  readonly trigger: (tenant: string, workflowId: string, triggerId: string) => Promise<Trigger | undefined>;
  readonly now: () => number;
}

/** A schedule is saved before its trigger: one without a trigger may be a moment old, or left over. */
const SETTLING_MS = 10 * 60_000;
const PATIENCE = 3;

/** A time has come: its event is published. The event's id is made of trigger and time, so twice is once. */
export async function takeTick(parts: TickParts, tick: Tick, attempt: number): Promise<void> {
  const { log, schedules, now } = parts;
  const trigger = await parts.trigger(tick.tenant, tick.workflow_id, tick.trigger_id);
  if (trigger?.type !== 'cron') {
    if (attempt < PATIENCE && now() - tick.saved_at < SETTLING_MS) throw new Error('The trigger is not there yet');
    return schedules.remove(tick.trigger_id);
  }
  if (tick.revision !== trigger.revision) {
    await schedules.save(trigger, now());
    if (!isScheduled(trigger, tick.scheduled_at)) return;
  }
  if (trigger.enabled) await log.appendOnce(eventOf(trigger, tick));
}

function eventOf(trigger: CronTrigger, { scheduled_at }: Tick) {
  const { tenant, id, workflow_id, event_type, created_by, concurrency } = trigger;
  const source = `cron:${id}`;
  return {
    tenant,
    event_type,
    source,
    user_id: created_by,
    payload: { scheduled_at: new Date(scheduled_at).toISOString(), input: parseExact(trigger.input) },
    event_id: derivedEventId('cron', id, String(scheduled_at)),
    // With one id for all its times, an earlier run that is still active is in the way of the next one.
    ...(concurrency === 'one_per_correlation' && { correlation_id: source }),
    trigger: { workflow_id, trigger_id: id, scheduled_for: scheduled_at },
  };
}
