import * as z from 'zod';
import { RunError, Usage } from './run-record.ts';
import { StoredJson } from './stored-json.ts';

export const STEP_STATUSES = ['running', 'pending', 'waiting', 'succeeded', 'failed', 'skipped', 'cancelled'] as const;
export type StepStatus = (typeof STEP_STATUSES)[number];

export const isSettled = (status: StepStatus) => status !== 'running' && status !== 'pending' && status !== 'waiting';

/** What a person is asked. */
export const HumanTask = z.object({
  title: z.string(),
  message: z.string(),
  form_schema: z.record(z.string(), z.unknown()).nullable(),
  actions: z.array(z.object({ id: z.string(), label: z.string() })),
  assignees: z.array(z.string()),
  expires_at: z.int(),
});
export type HumanTask = z.output<typeof HumanTask>;

export const HumanAnswer = z.object({
  action: z.string(),
  /** JSON text. */
  values: z.string(),
  by: z.object({ user_id: z.string().nullable(), name: z.string() }),
  at: z.int(),
});
export type HumanAnswer = z.output<typeof HumanAnswer>;

export const Attempt = z.object({
  n: z.int(),
  started_at: z.int(),
  finished_at: z.int(),
  error: RunError.nullable(),
});

/** One node of one run. `step_id` is the node's id, or `map.3.node` inside the fourth item of a map. */
export const StepRow = z.object({
  run_id: z.string(),
  step_id: z.string(),
  node_id: z.string(),
  kind: z.string(),
  name: z.string(),
  status: z.enum(STEP_STATUSES),
  attempt: z.int(),
  attempts: z.array(Attempt),
  output: StoredJson.nullable(),
  error: RunError.nullable(),
  usage: Usage,
  emitted_event_ids: z.array(z.string()),
  /** The ways out that were taken. */
  taken: z.array(z.string()),
  /** When a failed attempt is tried again. */
  retry_at: z.int().nullable(),
  task: HumanTask.nullable(),
  answer: HumanAnswer.optional(),
  started_at: z.int(),
  finished_at: z.int().nullable(),
});
export type StepRow = z.output<typeof StepRow>;
