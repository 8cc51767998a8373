import { batchGet } from '../store/batch.ts';
import type { Spill } from '../store/spill.ts';
import { openTable } from '../store/table.ts';
import { Graph } from './graph.ts';
import { draftGraphKey, graphKey, versionKey, workflowKey } from './keys.ts';
import { StoredJson, unpackJson } from './stored-json.ts';
import { VersionRow, WorkflowRow } from './workflow-row.ts';

const table = openTable('workflows');

export interface Draft {
  readonly workflow: WorkflowRow;
  readonly graph: Graph;
  readonly stored: StoredJson;
}

export interface Version extends VersionRow {
  readonly graph: Graph;
}

/** What the editor, the dispatcher and the runner all read. */
export interface WorkflowReader {
  workflow(tenant: string, workflowId: string): Promise<WorkflowRow | undefined>;
  draft(tenant: string, workflowId: string): Promise<Draft | undefined>;
  version(tenant: string, workflowId: string, version: number): Promise<Version | undefined>;
}

export const createWorkflowReader = (spill: Spill): WorkflowReader => ({
  async workflow(tenant, workflowId) {
    const row = await table.get(workflowKey(tenant, workflowId));
    return visible(row && WorkflowRow.parse(row));
  },
  draft: (tenant, workflowId) => readDraft(spill, { tenant, workflowId }),
  version: (tenant, workflowId, version) => readVersion(spill, { tenant, workflowId, version }),
});

const visible = (row: WorkflowRow | undefined) => (row?.deleting ? undefined : row);

interface Where {
  readonly tenant: string;
  readonly workflowId: string;
}

const MAX_READS = 5;

/** The two rows are read side by side, so a save in between can tear them; the hashes tell, and it is read again. */
async function readDraft(spill: Spill, { tenant, workflowId }: Where): Promise<Draft | undefined> {
  const keys = [workflowKey(tenant, workflowId), draftGraphKey(tenant, workflowId)];
  for (let read = 1; read <= MAX_READS; read += 1) {
    const [row, graphRow] = await batchGet(keys.map((key) => ({ table, key })));
    const workflow = visible(row && WorkflowRow.parse(row));
    if (!workflow) return undefined;
    const stored = StoredJson.safeParse(graphRow?.['graph']);
    if (!stored.success || graphRow?.['graph_hash'] !== workflow.graph_hash) continue;
    const graph = await unpackJson(spill, stored.data).catch((error: unknown) => {
      // A newer save may have dropped the object that this older row points to.
      if (read === MAX_READS) throw error;
      return undefined;
    });
    if (graph !== undefined) return { workflow, graph: Graph.parse(graph), stored: stored.data };
  }
  throw new Error(`The graph of workflow ${workflowId} is missing or torn`);
}

async function readVersion(spill: Spill, { tenant, workflowId, version }: Where & { version: number }) {
  const row = await table.get(versionKey(tenant, workflowId, version));
  if (!row) return undefined;
  const found = VersionRow.parse(row);
  return { ...found, graph: await readSnapshotGraph(spill, { tenant, workflowId }, found.graph_ref) };
}

export async function readSnapshotGraph(spill: Spill, { tenant, workflowId }: Where, ref: string): Promise<Graph> {
  const row = await table.get(graphKey(tenant, workflowId, ref));
  return Graph.parse(await unpackJson(spill, StoredJson.parse(row?.['graph'])));
}
