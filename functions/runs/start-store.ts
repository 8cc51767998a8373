import { AppError, conflict } from '../../shared/errors.ts';
import { batchWrite } from '../../shared/store/batch-write.ts';
import { ConditionFailed } from '../../shared/store/dynamodb.ts';
import { absent } from '../../shared/store/expression.ts';
import type { Spill } from '../../shared/store/spill.ts';
import { openTable } from '../../shared/store/table.ts';
import { putting, transact } from '../../shared/store/transaction.ts';
import type { Graph } from '../../shared/workflow/graph.ts';
import { runPartition, stepKey } from '../../shared/workflow/keys.ts';
import { RunRow } from '../../shared/workflow/run-record.ts';
import { runStart, START_LABELS, type NewRun } from '../../shared/workflow/run-start.ts';
import type { StepRow } from '../../shared/workflow/step-record.ts';
import { packJson } from '../../shared/workflow/stored-json.ts';
import { readRun } from './read-store.ts';

const table = openTable('workflows');
const KEEP_DAYS = 400;

export interface StartAlong {
  /** For runs of a working graph, which may change while they go. */
  readonly graph?: Graph;
  /** Steps of an earlier run that need not be done again. */
  readonly steps?: readonly StepRow[];
}

/** Starts a run by hand. The same id again is the same run, if it was asked for with the same words. */
export async function startRun(
  spill: Spill,
  start: NewRun,
  { now, along }: { now: number; along: StartAlong },
): Promise<RunRow> {
  const { tenant, run_id } = start;
  const ttl = Math.floor(now / 1000) + KEEP_DAYS * 86_400;
  await batchWrite(
    table,
    (along.steps ?? []).map((step) => ({ put: { ...stepKey(tenant, run_id, step.step_id), ...step, run_id, ttl } })),
  );
  const graph = along.graph && (await packJson(spill, `runs/${tenant}/${run_id}/graph.json`, along.graph));
  const pk = runPartition(tenant, run_id);
  try {
    await transact([
      ...(await runStart(spill, start, now)),
      ...(graph ? [putting('graph', table, { pk, sk: 'GRAPH', graph, ttl }, absent)] : []),
    ]);
  } catch (error) {
    return repeated(error, start);
  }
  const run = await readRun(tenant, run_id);
  if (!run) throw new Error(`Run ${run_id} was started and is not there`);
  return run;
}

function repeated(error: unknown, start: NewRun): RunRow {
  if (!(error instanceof ConditionFailed)) throw error;
  if (error.what === START_LABELS.active) throw conflict('A run with this correlation id is active');
  if (error.what !== START_LABELS.run) throw error;
  const first = RunRow.parse(error.existing);
  if (first.start_digest === start.start_digest) return first;
  throw new AppError('idempotency_conflict', 'This idempotency key was used for another request', {
    facts: { run_id: first.run_id },
  });
}
