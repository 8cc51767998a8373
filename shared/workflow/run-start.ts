import { MAX_RUNS_PER_ROOT } from '../events/loop.ts';
import { absent, when } from '../store/expression.ts';
import type { Spill } from '../store/spill.ts';
import { openTable } from '../store/table.ts';
import { putting, updating, type Operation } from '../store/transaction.ts';
import {
  activeKey,
  activeRuns,
  dueShard,
  rootKey,
  runInputKey,
  runKey,
  runsOfTenant,
  runsOfWorkflow,
  sortableTime,
  workKey,
} from './keys.ts';
import { NO_USAGE, type RunEvent, type RunRow } from './run-record.ts';
import { packJson } from './stored-json.ts';

const table = openTable('workflows');

export type NewRun = Pick<
  RunRow,
  | 'tenant'
  | 'run_id'
  | 'workflow_id'
  | 'version_id'
  | 'version'
  | 'trigger'
  | 'correlation_id'
  | 'user_id'
  | 'catalog_id'
  | 'space_id'
  | 'depth'
  | 'root_event_id'
  | 'chain'
> & {
  /** What the run calls `_event`; null when no event started it. */
  readonly event: RunEvent | null;
  readonly input: unknown;
  readonly concurrency?: 'parallel' | 'one_per_correlation';
  readonly is_test?: boolean;
  readonly replay_of?: string;
  readonly start_digest?: string;
};

/** Why a start was refused: the label of the row whose condition failed. */
export const START_LABELS = {
  /** The run exists already: the start is a repetition. */
  run: 'run',
  /** Another run with this correlation id is active; the row that stands there has its `runs`. */
  active: 'active',
  /** One event from outside has already caused as many runs as it may. */
  root: 'root',
} as const;

/** Long enough for any run; the true end of its life is set when it ends. */
const LONGEST_DAYS = 400;
const PICK_UP_MS = 60_000;

/**
 * The rows that start a run, for the caller's own transaction: all of them or none. Put rows that tell a repetition
 * (a delivery) before these; the first condition that fails names the reason.
 */
export async function runStart(spill: Spill, start: NewRun, now: number): Promise<Operation[]> {
  const { tenant, run_id } = start;
  const ttl = Math.floor(now / 1000) + LONGEST_DAYS * 86_400;
  const state = { _event: start.event, _trigger: start.trigger, input: start.input ?? null };
  const stored = await packJson(spill, `runs/${tenant}/${run_id}/input.json`, state);
  return [
    putting(
      START_LABELS.run,
      table,
      { ...runKey(tenant, run_id), ...rowOf(start, now), ...listed(start, now), ttl },
      absent,
    ),
    putting('input', table, { ...runInputKey(tenant, run_id), state: stored, ttl }, absent),
    putting('work', table, { ...workKey(tenant, run_id), ...workOf(start, now) }, absent),
    joining(start, ttl),
    ...(start.depth > 0 ? [counting(start, ttl)] : []),
  ];
}

const rowOf = (start: NewRun, now: number): Omit<RunRow, 'started_at'> => ({
  tenant: start.tenant,
  run_id: start.run_id,
  workflow_id: start.workflow_id,
  version_id: start.version_id,
  version: start.version,
  status: 'queued',
  status_reason: null,
  trigger: start.trigger,
  correlation_id: start.correlation_id,
  user_id: start.user_id,
  catalog_id: start.catalog_id,
  space_id: start.space_id,
  depth: start.depth,
  root_event_id: start.root_event_id,
  chain: start.chain,
  replay_of: start.replay_of ?? null,
  is_test: start.is_test ?? false,
  ...(start.start_digest && { start_digest: start.start_digest }),
  error: null,
  usage: NO_USAGE,
  steps_done: 0,
  created_at: now,
  finished_at: null,
  duration_ms: null,
});

/** How runs are listed: by workflow and by tenant, in the order of their creation. */
export function listed(
  { tenant, workflow_id, run_id }: Pick<RunRow, 'tenant' | 'workflow_id' | 'run_id'>,
  created: number,
) {
  const position = `${sortableTime(created)}#${run_id}`;
  return {
    gsi1pk: runsOfWorkflow(tenant, workflow_id),
    gsi1sk: position,
    gsi2pk: runsOfTenant(tenant),
    gsi2sk: position,
  };
}

const workOf = ({ tenant, run_id, workflow_id }: NewRun, now: number) => ({
  tenant,
  run_id,
  workflow_id,
  wake: true,
  claims: 0,
  gsi1pk: activeRuns(tenant, workflow_id),
  gsi1sk: run_id,
  ...dueAt(run_id, now + PICK_UP_MS),
});

/** When somebody must look at a run again, and the index that the sweeper finds it by. */
export const dueAt = (runId: string, at: number) => ({
  due_at: at,
  due: 'run',
  gsi2pk: dueShard(runId),
  gsi2sk: `${sortableTime(at)}#${runId}`,
});

/** The set of active runs of one correlation id. DynamoDB drops an empty set, so absence means that none is active. */
function joining(start: NewRun, ttl: number): Operation {
  const { tenant, workflow_id, correlation_id, run_id, concurrency } = start;
  return updating(START_LABELS.active, table, activeKey(tenant, workflow_id, correlation_id), {
    include: { runs: new Set([run_id]) },
    set: { ttl },
    ...(concurrency === 'one_per_correlation' && { if: when('attribute_not_exists(#runs)') }),
  });
}

/** Depth alone would allow a fan-out that doubles with every hop; this counts all runs behind one outside event. */
const counting = ({ tenant, root_event_id }: NewRun, ttl: number): Operation =>
  updating(START_LABELS.root, table, rootKey(tenant, root_event_id), {
    add: { runs: 1 },
    set: { ttl },
    if: when('attribute_not_exists(#runs) OR #runs < :most', { most: MAX_RUNS_PER_ROOT }),
  });
