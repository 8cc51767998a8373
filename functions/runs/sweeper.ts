import { log } from '../../shared/log.ts';
import { ConditionFailed } from '../../shared/store/dynamodb.ts';
import { when } from '../../shared/store/expression.ts';
import type { Spill } from '../../shared/store/spill.ts';
import { openTable, type Row } from '../../shared/store/table.ts';
import { dueShards, sortableTime, workKey } from '../../shared/workflow/keys.ts';
import { purgeWorkflow } from '../../shared/workflow/purge.ts';
import { WorkRow } from '../../shared/workflow/run-record.ts';
import { dueAt } from '../../shared/workflow/run-start.ts';
import { WorkflowRow } from '../../shared/workflow/workflow-row.ts';
import { enqueueRuns } from './queue.ts';

const table = openTable('workflows');
const LOOK_AGAIN_MS = 60_000;

export interface Swept {
  readonly runs: number;
  readonly purged: number;
}

/**
 * Everything whose time has come: leases that ended without a word, retries and waits that are due, runs that nobody
 * picked up, deletions that stopped half-way. One index holds them all, ordered by when they are due.
 */
export async function sweepDue(spill: Spill, now: number): Promise<Swept> {
  let swept: Swept = { runs: 0, purged: 0 };
  for (const pk of dueShards()) {
    const due: Row[] = [];
    for await (const row of table.walk({ pk, index: 'gsi2', between: ['0', `${sortableTime(now)}~`] })) due.push(row);
    const runs = due.filter((row) => row['due'] === 'run').map((row) => WorkRow.parse(row));
    const purges = due.filter((row) => row['due'] === 'purge').map((row) => WorkflowRow.parse(row));
    const woken = (await Promise.all(runs.map((run) => wake(run, now)))).filter((one) => one !== undefined);
    await enqueueRuns(woken);
    for (const { tenant, id } of purges) await purgeWorkflow(spill, { tenant, workflowId: id });
    swept = { runs: swept.runs + woken.length, purged: swept.purged + purges.length };
  }
  if (swept.runs + swept.purged > 0) log.info('swept', { count: swept.runs + swept.purged });
  return swept;
}

/** Takes the lease from whoever let it end, and lets the next one claim. Nothing when somebody was faster. */
async function wake({ tenant, run_id, due_at }: WorkRow, now: number) {
  const change = { set: { wake: true, ...dueAt(run_id, now + LOOK_AGAIN_MS) }, remove: ['token'] };
  try {
    await table.update(workKey(tenant, run_id), change, when('#due_at = :due_at', { due_at }));
    return { tenant, run_id };
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined;
    throw error;
  }
}
