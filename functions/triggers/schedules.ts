import { AwsError } from '../../shared/aws/client.ts';
import { scheduler } from '../../shared/aws/services.ts';
import { requiredFromEnvironment } from '../../shared/settings/environment.ts';
import { queueVariable, SCHEDULE_GROUP, SCHEDULE_ROLE } from '../../shared/settings/names.ts';
import type { CronTrigger } from '../../shared/triggers/trigger.ts';
import { toScheduleExpressions } from './cron.ts';
import type { TickInput } from './tick-message.ts';

/** The schedules behind a trigger, in EventBridge Scheduler. */
export interface Schedules {
  /** Makes them what the trigger says, whatever they were. */
  save(trigger: CronTrigger, now: number): Promise<void>;
  remove(triggerId: string): Promise<void>;
}

const MOST = 2;
const nameOf = (triggerId: string, at: number) => `${triggerId}-${at + 1}`;

export const createSchedules = (): Schedules => ({
  async save(trigger, now) {
    const expressions = toScheduleExpressions(trigger.cron);
    await Promise.all(
      Array.from({ length: MOST }, (_, at) => {
        const expression = expressions[at];
        return expression === undefined
          ? removeSchedule(nameOf(trigger.id, at))
          : putSchedule(nameOf(trigger.id, at), definitionOf(trigger, expression, now));
      }),
    );
  },
  async remove(triggerId) {
    await Promise.all(Array.from({ length: MOST }, (_, at) => removeSchedule(nameOf(triggerId, at))));
  },
});

function definitionOf(trigger: CronTrigger, ScheduleExpression: string, now: number) {
  const { tenant, workflow_id, id, revision, timezone, enabled } = trigger;
  const input: TickInput = {
    tenant,
    workflow_id,
    trigger_id: id,
    revision,
    saved_at: now,
    scheduled_at: '<aws.scheduler.scheduled-time>',
  };
  const RoleArn = requiredFromEnvironment(SCHEDULE_ROLE);
  return {
    GroupName: requiredFromEnvironment(SCHEDULE_GROUP),
    ScheduleExpression,
    ScheduleExpressionTimezone: timezone,
    State: enabled ? 'ENABLED' : 'DISABLED',
    FlexibleTimeWindow: { Mode: 'OFF' },
    Target: { Arn: queueArn(RoleArn), RoleArn, Input: JSON.stringify(input) },
  };
}

/** The queue's address has its name, the role's has partition and account. */
function queueArn(roleArn: string) {
  const [, partition, , , account] = roleArn.split(':');
  const name = requiredFromEnvironment(queueVariable('schedule')).split('/').at(-1);
  return `arn:${partition}:sqs:${requiredFromEnvironment('AWS_REGION')}:${account}:${name}`;
}

async function putSchedule(name: string, definition: object) {
  try {
    await scheduler('PUT', `/schedules/${name}`, definition);
  } catch (error) {
    if (!isMissing(error)) throw error;
    await scheduler('POST', `/schedules/${name}`, definition);
  }
}

async function removeSchedule(name: string) {
  const group = encodeURIComponent(requiredFromEnvironment(SCHEDULE_GROUP));
  await scheduler('DELETE', `/schedules/${name}?groupName=${group}`).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
}

const isMissing = (error: unknown) => error instanceof AwsError && error.code === 'ResourceNotFoundException';
