import * as z from 'zod';
import { RUN_STATUSES, RunEvent, RunRow, RunTrigger, TRIGGER_TYPES } from '../../shared/workflow/run-record.ts';
import { HumanTask, StepRow } from '../../shared/workflow/step-record.ts';

/** What callers see and send. Times are milliseconds. */

export const RunSummary = RunRow.omit({ tenant: true, start_digest: true });
export type RunSummary = z.output<typeof RunSummary>;

export const Run = RunSummary.extend({
  /** What the run began with. */
  state: z.object({ _event: RunEvent.nullable(), _trigger: RunTrigger, input: z.unknown() }),
  output: z.unknown(),
});

const Answer = z.object({
  action: z.string(),
  values: z.unknown(),
  by: z.object({ user_id: z.string().nullable(), name: z.string() }),
  at: z.int(),
});

export const Step = StepRow.omit({ output: true, answer: true }).extend({
  /** Left out when it is large; one step alone shows it whole. */
  output: z.unknown(),
  output_omitted: z.boolean(),
  answer: Answer.nullable(),
});

/** What was said to and by an agent, in the chat-completions format. */
export const StepDetail = Step.extend({ messages: z.array(z.looseObject({ role: z.string() })) });

const Text = (most: number) => z.string().min(1).max(most);

export const StartRequest = z
  .object({
    input: z.unknown().optional(),
    /** Starts the run as if this event had arrived. */
    event: z
      .object({
        event_type: z.string().regex(/^[a-z][a-z0-9_]{0,99}$/, 'must be snake_case'),
        payload: z.unknown().optional(),
        source: Text(200).default('api'),
        correlation_id: Text(256).optional(),
      })
      .optional(),
    correlation_id: Text(256).optional(),
    /** `live`, `draft`, or a version's id or number. */
    version: z
      .union([z.string().min(1).max(40), z.int()])
      .transform(String)
      .default('live'),
    test: z.boolean().default(false),
    catalog_id: Text(80).optional(),
    space_id: Text(80).optional(),
  })
  .prefault({});
export type StartRequest = z.output<typeof StartRequest>;

export const ReplayRequest = z
  .object({
    /** Everything that does not come after this step is taken over. */
    from_step: z.string().min(1).max(40).optional(),
    /** The version of the first run unless given. */
    version: z
      .union([z.string().min(1).max(40), z.int()])
      .transform(String)
      .optional(),
    input: z.unknown().optional(),
  })
  .prefault({});
export type ReplayRequest = z.output<typeof ReplayRequest>;

export const RunFilter = z.object({
  status: z.enum(RUN_STATUSES).optional(),
  correlation_id: z.string().max(256).optional(),
  trigger_type: z.enum(TRIGGER_TYPES).optional(),
  event_id: z.string().max(128).optional(),
  since: z.coerce.number().int().min(0).optional(),
  until: z.coerce.number().int().min(0).optional(),
});
export type RunFilter = z.output<typeof RunFilter>;

export const BulkRequest = z
  .object({
    action: z.enum(['replay', 'cancel']),
    run_ids: z.array(z.string().min(1).max(80)).min(1).max(100).optional(),
    filter: RunFilter.extend({ workflow_id: z.string().max(80) }).optional(),
  })
  .refine(({ run_ids, filter }) => (run_ids === undefined) !== (filter === undefined), 'give run_ids or filter')
  .refine(
    ({ filter }) => !filter || Object.values(filter).filter((one) => one !== undefined).length > 1,
    'a filter must say more than the workflow',
  );
export type BulkRequest = z.output<typeof BulkRequest>;

export const BulkResult = z.object({
  bulk_id: z.string(),
  data: z.array(z.object({ run_id: z.string(), outcome: z.string(), new_run_id: z.string().nullable() })),
});

export const RespondRequest = z.object({
  action: z.string().min(1).max(40),
  values: z.record(z.string(), z.unknown()).default({}),
});
export type RespondRequest = z.output<typeof RespondRequest>;

export const Task = z.object({
  workflow_id: z.string(),
  run_id: z.string(),
  step_id: z.string(),
  created_at: z.int(),
  ...HumanTask.shape,
});

export const PublicTask = HumanTask.omit({ assignees: true });

export const Stats = z.object({
  window_ms: z.int(),
  /** False when there were more runs than could be counted. */
  complete: z.boolean(),
  counts: z.record(z.string(), z.int()),
  duration_ms: z.object({ p50: z.int().nullable(), p95: z.int().nullable() }),
  usage: RunRow.shape.usage,
});
