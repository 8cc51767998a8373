import { holds } from '../store/dynamodb.ts';
import { when } from '../store/expression.ts';
import type { Spill } from '../store/spill.ts';
import { openTable, type Row } from '../store/table.ts';
import { batchWrite } from '../store/batch-write.ts';
import { cancelRun } from './cancel-run.ts';
import { activeRuns, dueShard, sortableTime, workflowKey, workflowPartition } from './keys.ts';
import { StoredJson } from './stored-json.ts';

const table = openTable('workflows');

export interface Purged {
  readonly tenant: string;
  readonly workflowId: string;
}

/** How long before the sweeper takes over a deletion that nobody has finished. */
const TAKE_OVER_MS = 60_000;

/** From here on the workflow is gone for everyone; the rows follow. False when there was none. */
export async function markDeleted({ tenant, workflowId }: Purged, now: number): Promise<boolean> {
  const due = { gsi2pk: dueShard(workflowId), gsi2sk: `${sortableTime(now + TAKE_OVER_MS)}#${workflowId}` };
  const change = { set: { deleting: true, due: 'purge', ...due }, remove: ['gsi1pk', 'gsi1sk'] };
  return holds(table.update(workflowKey(tenant, workflowId), change, when('attribute_exists(pk)')));
}

/** Snapshots, graphs, reviews and triggers first, the workflow itself last: whoever dies half-way can be followed by another. */
export async function purgeWorkflow(spill: Spill, { tenant, workflowId }: Purged): Promise<void> {
  for await (const row of table.walk({ pk: activeRuns(tenant, workflowId), index: 'gsi1' }))
    await cancelRun({ tenant, runId: String(row['run_id']), reason: 'workflow_deleted' });
  const pk = workflowPartition(tenant, workflowId);
  let batch: Row[] = [];
  for await (const row of table.walk({ pk })) {
    if (row['sk'] === 'META') continue;
    batch.push(row);
    if (batch.length < BATCH) continue;
    await removeRows(spill, pk, batch);
    batch = [];
  }
  await removeRows(spill, pk, batch);
  await table.delete(workflowKey(tenant, workflowId));
}

const BATCH = 100;

async function removeRows(spill: Spill, pk: string, rows: readonly Row[]) {
  if (rows.length === 0) return;
  for (const row of rows) {
    const stored = StoredJson.safeParse(row['graph']);
    if (stored.success) await spill.drop(stored.data);
  }
  await batchWrite(
    table,
    rows.map((row) => ({ remove: { pk, sk: String(row['sk']) } })),
  );
}
