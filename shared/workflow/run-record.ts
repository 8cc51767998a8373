import * as z from 'zod';
import { sha256 } from './canonical.ts';

export const RUN_STATUSES = ['queued', 'running', 'waiting', 'succeeded', 'failed', 'cancelled'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** Nothing changes a run any more. */
export const isOver = (status: RunStatus) => status === 'succeeded' || status === 'failed' || status === 'cancelled';

export const TRIGGER_TYPES = ['event', 'cron', 'webhook', 'manual', 'test', 'replay'] as const;

export const RunTrigger = z.object({
  type: z.enum(TRIGGER_TYPES),
  trigger_id: z.string().nullable(),
  event_id: z.string().nullable(),
  /** Milliseconds, for a run that a schedule started. */
  scheduled_for: z.int().nullable(),
});
export type RunTrigger = z.output<typeof RunTrigger>;

/** What a run calls `_event`. */
export const RunEvent = z.object({
  id: z.string(),
  type: z.string(),
  payload: z.unknown(),
  correlation_id: z.string(),
  source: z.string(),
  published_at: z.int(),
});
export type RunEvent = z.output<typeof RunEvent>;

export const Usage = z.object({
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  model_calls: z.int(),
  tool_calls: z.int(),
});
export type Usage = z.output<typeof Usage>;

export const NO_USAGE: Usage = { prompt_tokens: 0, completion_tokens: 0, model_calls: 0, tool_calls: 0 };

export const addUsage = (a: Usage, b: Usage): Usage => ({
  prompt_tokens: a.prompt_tokens + b.prompt_tokens,
  completion_tokens: a.completion_tokens + b.completion_tokens,
  model_calls: a.model_calls + b.model_calls,
  tool_calls: a.tool_calls + b.tool_calls,
});

export const RunError = z.object({
  code: z.string(),
  message: z.string(),
  node_id: z.string().nullable(),
  attempt: z.int(),
  retryable: z.boolean(),
});
export type RunError = z.output<typeof RunError>;

/** A run without what went in and came out. */
export const RunRow = z.object({
  tenant: z.string(),
  run_id: z.string(),
  workflow_id: z.string(),
  version_id: z.string(),
  /** Null for a run of the working graph. */
  version: z.int().nullable(),
  status: z.enum(RUN_STATUSES),
  status_reason: z.string().nullable(),
  trigger: RunTrigger,
  correlation_id: z.string(),
  user_id: z.string(),
  catalog_id: z.string().nullable(),
  space_id: z.string().nullable(),
  /** How far from the outside, for the loop guard. */
  depth: z.int(),
  root_event_id: z.string(),
  chain: z.array(z.string()),
  replay_of: z.string().nullable(),
  is_test: z.boolean(),
  /** Of what was asked for under an idempotency key. */
  start_digest: z.string().optional(),
  error: RunError.nullable(),
  usage: Usage,
  steps_done: z.int(),
  created_at: z.int(),
  /** Set once, by the first runner. */
  started_at: z.int().nullable().default(null),
  finished_at: z.int().nullable(),
  duration_ms: z.int().nullable(),
});
export type RunRow = z.output<typeof RunRow>;

/**
 * Stands beside a run as long as it is active, and says when somebody must look at it again: the end of a lease, the
 * time of a retry, the end of a wait. `token` is the lease: whoever holds it may commit, nobody else can.
 */
export const WorkRow = z.object({
  tenant: z.string(),
  run_id: z.string(),
  workflow_id: z.string(),
  token: z.string().optional(),
  due_at: z.int(),
  /** Something happened that the runner should see; the relay sends such rows to the queue. */
  wake: z.boolean().optional(),
  /** Why the run should end. */
  cancel: z.string().optional(),
  /** Claims since the run last stopped in an orderly way; a run that keeps killing its runner is given up. */
  claims: z.int().default(0),
});
export type WorkRow = z.output<typeof WorkRow>;

/** The same parts always give the same run: a repeated start finds the first one. */
export const runIdOf = (...parts: readonly string[]) => `run_${sha256(JSON.stringify(parts)).slice(0, 32)}`;
