import { AppError } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { ConditionFailed } from '../../shared/store/dynamodb.ts';
import { absent, when } from '../../shared/store/expression.ts';
import type { Spill } from '../../shared/store/spill.ts';
import { openTable } from '../../shared/store/table.ts';
import { putting, transact, updating, type Operation } from '../../shared/store/transaction.ts';
import { canonicalJson, sha256 } from '../../shared/workflow/canonical.ts';
import type { Graph } from '../../shared/workflow/graph.ts';
import {
  draftGraphKey,
  graphKey,
  reviewKey,
  sortableTime,
  stagedList,
  versionKey,
  workflowKey,
  workflowList,
} from '../../shared/workflow/keys.ts';
import { packJson, type StoredJson } from '../../shared/workflow/stored-json.ts';
import type { Draft } from '../../shared/workflow/workflow-reader.ts';
import { versionIdOf, WorkflowRow, type VersionRow } from '../../shared/workflow/workflow-row.ts';
import type { Commit, Doer, NewSnapshot } from './changes.ts';
import type { Committed, WorkflowWriter } from './changing.ts';

const table = openTable('workflows');

type Where = Pick<WorkflowRow, 'tenant' | 'id'>;

export const createWorkflowWriter = (spill: Spill): WorkflowWriter => ({
  async create(workflow, graph) {
    const stored = await packDraft(spill, workflow, graph);
    await transact([
      putting('workflow', table, { ...workflowKey(workflow.tenant, workflow.id), ...indexed(workflow) }, absent),
      putting('graph', table, draftRow(workflow, stored), absent),
    ]);
  },
  commit: (draft, commit, doer) => write(spill, draft, { commit, doer }),
});

interface Intent {
  readonly commit: Commit;
  readonly doer: Doer;
}

async function write(spill: Spill, draft: Draft, { commit, doer }: Intent): Promise<Committed> {
  const before = draft.workflow;
  const after = applied(before, commit, doer);
  const version = commit.snapshot && (await versionRow(spill, before, { snapshot: commit.snapshot, doer }));
  const stored = commit.graph && (await packDraft(spill, after, commit.graph));
  try {
    await transact([
      replacing(before, after, commit),
      ...(stored ? [putting('graph', table, draftRow(after, stored))] : []),
      ...(version
        ? [putting('version', table, { ...versionKey(before.tenant, before.id, version.version), ...version }, absent)]
        : []),
      ...reviewRow(before, commit),
    ]);
  } catch (error) {
    if (stored) await spill.drop(stored);
    return outrun(error);
  }
  if (stored) await spill.drop(draft.stored);
  return { outcome: 'done', workflow: after, version };
}

/** Somebody else wrote first: what stands there now, when the database tells. */
function outrun(error: unknown): Committed {
  if (error instanceof AppError && error.code === 'conflict') return { outcome: 'outrun', newer: undefined };
  if (!(error instanceof ConditionFailed)) throw error;
  const newer = WorkflowRow.safeParse(error.what === 'workflow' ? error.existing : undefined);
  return { outcome: 'outrun', newer: newer.success ? newer.data : undefined };
}

const applied = (before: WorkflowRow, { patch, snapshot, keepsRevision }: Commit, { who, now }: Doer): WorkflowRow => ({
  ...before,
  ...patch,
  ...(snapshot && { version_counter: before.version_counter + 1 }),
  ...(!keepsRevision && { revision: before.revision + 1, updated_at: now, updated_by: who }),
});

const UNCHANGED = '#revision = :revision AND #version_counter = :version_counter AND attribute_not_exists(#deleting)';

function replacing(before: WorkflowRow, after: WorkflowRow, { keepsRevision }: Commit): Operation {
  const condition = when(UNCHANGED, { revision: before.revision, version_counter: before.version_counter });
  const key = workflowKey(before.tenant, before.id);
  if (!keepsRevision) return putting('workflow', table, { ...key, ...indexed(after) }, condition);
  return updating('workflow', table, key, { set: { version_counter: after.version_counter }, if: condition });
}

/** With what the lists are made of: the newest change first, and staged ones apart. */
const indexed = (workflow: WorkflowRow) => ({
  ...workflow,
  name_lower: workflow.name.toLowerCase(),
  gsi1pk: workflowList(workflow.tenant),
  gsi1sk: `${sortableTime(workflow.updated_at)}#${workflow.id}`,
  ...(workflow.status === 'staged' && {
    gsi2pk: stagedList(workflow.tenant),
    gsi2sk: `${sortableTime(workflow.updated_at)}#${workflow.id}`,
  }),
});

const draftRow = (workflow: WorkflowRow, graph: StoredJson) => ({
  ...draftGraphKey(workflow.tenant, workflow.id),
  graph,
  graph_hash: workflow.graph_hash,
});

const objectKey = ({ tenant, id }: Where, name: string) => `workflows/${tenant}/${id}/${name}.json`;

/** Every draft that is too large for its row has an object of its own, so that dropping it hurts no snapshot. */
const packDraft = (spill: Spill, where: Where, graph: Graph) =>
  packJson(spill, objectKey(where, `draft-${newId()}`), graph);

interface Snapshotting {
  readonly snapshot: NewSnapshot;
  readonly doer: Doer;
}

async function versionRow(spill: Spill, before: WorkflowRow, { snapshot, doer }: Snapshotting): Promise<VersionRow> {
  const version = before.version_counter + 1;
  return {
    version_id: versionIdOf(version),
    version,
    type: snapshot.type,
    timestamp: doer.now,
    author: doer.who,
    notes: snapshot.notes,
    graph_hash: before.graph_hash,
    graph_ref: await keepGraph(spill, before, snapshot.graph),
    ...(snapshot.before_rollback_to && { before_rollback_to: snapshot.before_rollback_to }),
  };
}

/** Snapshots of the same graph share one row, named by its content; writing it again changes nothing. */
async function keepGraph(spill: Spill, where: Where, graph: Graph): Promise<string> {
  const ref = sha256(canonicalJson(graph));
  const name = `${where.tenant}/${where.id}/${ref}`;
  if (kept.has(name)) return ref;
  const stored = await packJson(spill, objectKey(where, ref), graph);
  await table.put({ ...graphKey(where.tenant, where.id, ref), graph: stored });
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.add(name);
  return ref;
}

/** Graph rows that this process has seen stored: they stay as long as their workflow does. */
const kept = new Set<string>();
const MOST_KEPT = 10_000;

function reviewRow({ tenant, id }: Where, { decided }: Commit): Operation[] {
  if (!decided) return [];
  const at = { at: decided.decided_at ?? decided.requested_at, id: decided.review_id };
  return [putting('review', table, { ...reviewKey(tenant, id, at), ...decided })];
}
