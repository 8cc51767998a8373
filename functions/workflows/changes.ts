import { conflict } from '../../shared/errors.ts';
import { graphHash } from '../../shared/workflow/canonical.ts';
import { Graph, type GraphInput, type SettingsChange } from '../../shared/workflow/graph.ts';
import { nextStatus, type Move, type WorkflowStatus } from '../../shared/workflow/lifecycle.ts';
import type { Draft, Version } from '../../shared/workflow/workflow-reader.ts';
import { versionIdOf, type Person, type Review, type WorkflowRow } from '../../shared/workflow/workflow-row.ts';
import type { ApproveRequest, StageRequest, WorkflowChange } from './records.ts';

/** What happens to a workflow, decided from what it is: pure, so it can be decided again when somebody was faster. */

export interface NewSnapshot {
  readonly type: 'Published' | 'Manual';
  readonly notes: string;
  readonly graph: Graph;
  readonly before_rollback_to?: string;
}

/** Everything one action writes, in one transaction. */
export interface Commit {
  readonly patch: Partial<WorkflowRow>;
  readonly graph?: Graph;
  readonly snapshot?: NewSnapshot;
  /** A review that has just been decided, for the history. */
  readonly decided?: Review;
  /** Only a manual snapshot leaves the workflow as it was. */
  readonly keepsRevision?: true;
}

export interface Doer {
  readonly who: Person;
  readonly now: number;
  readonly newId: () => string;
}

const move = (workflow: WorkflowRow, action: Move) =>
  nextStatus({ ...workflow, hasLive: workflow.live_version !== null }, action);

export function edit(draft: Draft, change: WorkflowChange, doer: Doer): Commit {
  const { workflow } = draft;
  const status = move(workflow, 'edit');
  const graph = mergeGraph(draft.graph, change);
  const fields = { name: change.name ?? workflow.name, description: change.description ?? workflow.description };
  // Names and layout are not what a reviewer decided about.
  if (graphHash(graph) === workflow.graph_hash) return { patch: fields, graph };
  return {
    patch: { ...fields, status, ...graphFields(graph), edited_by: doer.who, ...closing(workflow) },
    graph,
    ...decidedAs(workflow, 'superseded', { doer, notes: '' }),
  };
}

/** Settings are given in three places; the outermost wins, and what is given nowhere stays. */
export function mergeGraph(current: Graph, change: WorkflowChange): Graph {
  const { graph, settings, catalog_id, space_id } = change;
  const own: SettingsChange = {
    ...(catalog_id !== undefined && { catalog_id }),
    ...(space_id !== undefined && { space_id }),
  };
  return withSettings(graph ?? current, { ...current.settings, ...graph?.settings, ...settings, ...own });
}

export const withSettings = (graph: GraphInput | Graph, settings: SettingsChange): Graph =>
  Graph.parse({ ...graph, settings });

export const graphFields = (graph: Graph) => ({
  graph_hash: graphHash(graph),
  catalog_id: graph.settings.catalog_id,
  space_id: graph.settings.space_id,
});

/** An open review is about something that is gone. */
const closing = (workflow: WorkflowRow) => (workflow.review?.state === 'pending' ? { review: null } : {});

interface Decision {
  readonly doer: Doer;
  readonly notes: string;
}

function decidedAs(workflow: WorkflowRow, state: Review['state'], { doer, notes }: Decision): { decided?: Review } {
  if (workflow.review?.state !== 'pending') return {};
  const decision = { state, decided_by: doer.who, decided_at: doer.now, decision_notes: notes };
  return { decided: { ...workflow.review, ...decision } };
}

export function stage({ workflow }: Draft, { notes, reviewer_ids }: StageRequest, doer: Doer): Commit {
  const status = move(workflow, 'stage');
  const review: Review = {
    review_id: doer.newId(),
    state: 'pending',
    requested_by: doer.who,
    requested_at: doer.now,
    reviewer_ids,
    notes,
    graph_hash: workflow.graph_hash,
    decided_by: null,
    decided_at: null,
    decision_notes: '',
  };
  return { patch: { status, review } };
}

/** Withdrawn by who asked, or rejected by who was asked. */
export function sendBack(workflow: WorkflowRow, action: 'withdraw' | 'reject', decision: Decision): Commit {
  const status = move(workflow, action);
  const { decided } = decidedAs(workflow, action === 'withdraw' ? 'withdrawn' : 'rejected', decision);
  return { patch: { status, review: decided ?? null }, decided };
}

export function approve({ workflow, graph }: Draft, request: ApproveRequest, doer: Doer): Commit {
  const status = move(workflow, 'approve');
  const reviewed = request.graph_hash ?? workflow.review?.graph_hash;
  if (reviewed !== workflow.graph_hash) throw conflict('The graph is no longer the one that was reviewed');
  const version = workflow.version_counter + 1;
  const live_version = { version_id: versionIdOf(version), version, published_at: doer.now, published_by: doer.who };
  const { decided } = decidedAs(workflow, 'approved', { doer, notes: request.notes });
  return {
    patch: { status, live_version, review: decided ?? null },
    decided,
    snapshot: { type: 'Published', notes: request.notes || (workflow.review?.notes ?? ''), graph },
  };
}

export const takeSnapshot = ({ graph }: Draft, notes: string): Commit => ({
  patch: {},
  snapshot: { type: 'Manual', notes, graph },
  keepsRevision: true,
});

/** The current graph is kept before the older one takes its place. */
export function rollback(draft: Draft, target: Version, decision: Decision): Commit {
  const status: WorkflowStatus = move(draft.workflow, 'rollback');
  return {
    patch: { status, ...graphFields(target.graph), edited_by: decision.doer.who },
    graph: target.graph,
    snapshot: { type: 'Manual', notes: decision.notes, graph: draft.graph, before_rollback_to: target.version_id },
  };
}

export const discard = ({ workflow }: Draft, live: Version): Commit => ({
  patch: { status: move(workflow, 'discard'), ...graphFields(live.graph), edited_by: live.author },
  graph: live.graph,
});

export const unpublish = (workflow: WorkflowRow, doer: Doer): Commit => ({
  patch: { status: move(workflow, 'unpublish'), live_version: null, ...closing(workflow) },
  ...decidedAs(workflow, 'superseded', { doer, notes: '' }),
});

export const archive = (workflow: WorkflowRow, doer: Doer): Commit => ({
  patch: { status: move(workflow, 'archive'), archived: true, ...closing(workflow) },
  ...decidedAs(workflow, 'superseded', { doer, notes: '' }),
});

export const unarchive = (workflow: WorkflowRow): Commit => ({
  patch: { status: move(workflow, 'unarchive'), archived: false },
});

export const setPaused = (paused: boolean): Commit => ({ patch: { paused } });
