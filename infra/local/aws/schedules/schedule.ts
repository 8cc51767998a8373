import * as z from 'zod';
import { parseExpression, type Recurrence } from './expression.ts';

const instant = z.number().transform((seconds) => seconds * 1000);
const TARGET = /^arn:aws[\w-]*:(sqs|lambda):[\w-]*:\d*:(function:)?[\w-]+$/;

/** What may be asked of a schedule; the wire's spelling is kept. */
export const ScheduleInput = z.object({
  ScheduleExpression: z.string().max(256),
  ScheduleExpressionTimezone: z.string().max(50).default('UTC'),
  StartDate: instant.optional(),
  EndDate: instant.optional(),
  Description: z.string().max(512).optional(),
  State: z.enum(['ENABLED', 'DISABLED']).default('ENABLED'),
  ActionAfterCompletion: z.enum(['NONE', 'DELETE']).default('NONE'),
  GroupName: z.string().default('default'),
  /** The same token makes a repeated creation harmless. */
  ClientToken: z.string().optional(),
  FlexibleTimeWindow: z.object({ Mode: z.literal('OFF', 'Flexible time windows are not hosted locally') }),
  Target: z.object({
    Arn: z.string().regex(TARGET, 'Only queues and functions can be targets of a local schedule'),
    RoleArn: z.string(),
    Input: z.string().optional(),
    DeadLetterConfig: z.object({ Arn: z.string().optional() }).optional(),
    RetryPolicy: z.record(z.string(), z.number()).optional(),
  }),
});
export type ScheduleInput = z.infer<typeof ScheduleInput>;

/** The stored form: dates are milliseconds already. */
export const StoredSchedule = ScheduleInput.extend({
  StartDate: z.number().optional(),
  EndDate: z.number().optional(),
});

export interface Schedule {
  readonly group: string;
  readonly name: string;
  readonly definition: ScheduleInput;
  /** Part of the platform's description, not made by a call. */
  readonly declared: boolean;
  readonly createdAt: number;
  readonly modifiedAt: number;
  /** When it is due; undefined when it never is again. */
  readonly nextAt: number | undefined;
  /** The time the last run was scheduled for. */
  readonly lastAt: number | undefined;
}

const recurrenceOf = (definition: ScheduleInput, createdAt: number): Recurrence =>
  parseExpression(definition.ScheduleExpression, {
    timezone: definition.ScheduleExpressionTimezone,
    start: definition.StartDate ?? createdAt,
  });

type Timing = Pick<Schedule, 'definition' | 'createdAt' | 'lastAt'>;

/** The next run after a moment; throws an Error when the expression cannot be read. A single run that has not happened yet stays due however late it is. */
export function nextRun({ definition, createdAt, lastAt }: Timing, after: number): number | undefined {
  const recurrence = recurrenceOf(definition, createdAt);
  if (definition.State === 'DISABLED') return undefined;
  if (recurrence.isOnce) return recurrence.next(lastAt ?? 0);
  // A run at the very start is allowed, hence the millisecond.
  const next = recurrence.next(Math.max(after, (definition.StartDate ?? 0) - 1));
  return next !== undefined && next <= (definition.EndDate ?? Infinity) ? next : undefined;
}

interface Run {
  readonly arn: string;
  readonly scheduledAt: number;
  readonly executionId: string;
  readonly account: string;
  readonly region: string;
}

/** What the target receives: its input with the placeholders filled in, or Scheduler's default event. */
export function payloadOf({ definition }: Pick<Schedule, 'definition'>, run: Run): string {
  const time = new Date(run.scheduledAt).toISOString().replace(/\.\d+Z$/, 'Z');
  if (definition.Target.Input === undefined) return JSON.stringify(defaultEvent(run, time));
  return definition.Target.Input.replaceAll('<aws.scheduler.scheduled-time>', time)
    .replaceAll('<aws.scheduler.execution-id>', run.executionId)
    .replaceAll('<aws.scheduler.schedule-arn>', run.arn)
    .replaceAll('<aws.scheduler.attempt-number>', '1');
}

const defaultEvent = ({ arn, executionId, account, region }: Run, time: string) => ({
  version: '0',
  id: executionId,
  'detail-type': 'Scheduled Event',
  source: 'aws.scheduler',
  account,
  time,
  region,
  resources: [arn],
  detail: '{}',
});
