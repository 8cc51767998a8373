import { notFound } from '../../shared/errors.ts';
import { tenantOf, type UserActor } from '../../shared/identity/actor.ts';
import { diffGraphs } from '../../shared/workflow/diff.ts';
import type { Graph } from '../../shared/workflow/graph.ts';
import type { Draft, WorkflowReader } from '../../shared/workflow/workflow-reader.ts';
import { versionNumberOf, type WorkflowRow } from '../../shared/workflow/workflow-row.ts';
import * as changes from './changes.ts';
import type { Changing } from './changing.ts';
import type { DiffSide, RollbackRequest } from './records.ts';
import { demandVersion } from './service.ts';

/** Snapshots: kept, shown, compared and brought back. */
export function createVersions({ changing, reader }: { readonly changing: Changing; readonly reader: WorkflowReader }) {
  const { change, load } = changing;
  return {
    snapshot: (actor: UserActor, id: string, notes: string) =>
      change(actor, id, (draft) => changes.takeSnapshot(draft, notes)),
    async rollback(actor: UserActor, id: string, { version_id, notes }: RollbackRequest) {
      const { workflow } = await load(actor, id);
      const target = await demandVersion(reader, workflow, demandNumber(version_id, workflow));
      const done = await change(actor, id, (draft, doer) => changes.rollback(draft, target, { doer, notes }));
      return { done, target };
    },
    async version(actor: UserActor, id: string, version_id: string) {
      const workflow = await reader.workflow(tenantOf(actor), id);
      if (!workflow) throw notFound('Workflow');
      return { workflow, version: await demandVersion(reader, workflow, demandNumber(version_id, workflow)) };
    },
    async diff(actor: UserActor, id: string, { a, b }: { readonly a: string; readonly b: string }) {
      const draft = await load(actor, id);
      const [left, right] = await Promise.all([side(reader, draft, a), side(reader, draft, b)]);
      return { a: left.about, b: right.about, ...diffGraphs(left.graph, right.graph) };
    },
  };
}

export type Versions = ReturnType<typeof createVersions>;

function demandNumber(text: string, { live_version }: WorkflowRow): number {
  const number = text === 'live' ? live_version?.version : versionNumberOf(text);
  if (number === undefined) throw notFound('Version');
  return number;
}

async function side(
  reader: WorkflowReader,
  { workflow, graph }: Draft,
  text: string,
): Promise<{ about: DiffSide; graph: Graph }> {
  if (text === 'draft') {
    const { updated_at: timestamp, edited_by: author, graph_hash } = workflow;
    return { about: { version_id: 'draft', version: null, type: 'draft', timestamp, author, graph_hash }, graph };
  }
  const found = await demandVersion(reader, workflow, demandNumber(text, workflow));
  return { about: found, graph: found.graph };
}
