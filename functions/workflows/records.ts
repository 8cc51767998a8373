import * as z from 'zod';
import { Graph, GraphInput, SettingsChange } from '../../shared/workflow/graph.ts';
import { GraphProblem } from '../../shared/workflow/problem.ts';
import { Person, REVIEW_STATES, Review, VersionRow, WorkflowRow } from '../../shared/workflow/workflow-row.ts';

/** What callers see and send. Times are milliseconds. */

export const WorkflowSummary = WorkflowRow.omit({ tenant: true, deleting: true });
export type WorkflowSummary = z.output<typeof WorkflowSummary>;

export const Workflow = WorkflowSummary.extend({
  graph: Graph,
  /** Problems that do not keep a draft from being saved, but will keep it from being staged. */
  warnings: z.array(GraphProblem),
});
export type Workflow = z.output<typeof Workflow>;

export const SnapshotSummary = VersionRow.omit({ graph_ref: true }).extend({ is_live: z.boolean() });
export const Snapshot = SnapshotSummary.extend({ graph: Graph });
export type Snapshot = z.output<typeof Snapshot>;

export const PublishedWorkflow = Workflow.extend({ snapshot: SnapshotSummary });

const Name = z.string().trim().min(1).max(200);
const Reference = z.string().min(1).max(80).nullable();

export const WorkflowChange = z.object({
  name: Name.optional(),
  description: z.string().max(4000).optional(),
  graph: GraphInput.optional(),
  settings: SettingsChange.optional(),
  catalog_id: Reference.optional(),
  space_id: Reference.optional(),
});
export type WorkflowChange = z.output<typeof WorkflowChange>;

export const NewWorkflow = WorkflowChange.extend({ name: Name });
export type NewWorkflow = z.output<typeof NewWorkflow>;

export const Notes = z.object({ notes: z.string().max(4000).default('') }).prefault({});

export const StageRequest = z
  .object({
    notes: z.string().max(4000).default(''),
    reviewer_ids: z.array(z.string().min(1).max(80)).max(20).default([]),
  })
  .prefault({});
export type StageRequest = z.output<typeof StageRequest>;

export const ApproveRequest = z
  .object({ notes: z.string().max(4000).default(''), graph_hash: z.string().optional() })
  .prefault({});
export type ApproveRequest = z.output<typeof ApproveRequest>;

export const RejectRequest = z.object({ notes: z.string().trim().min(1).max(4000) });

export const RollbackRequest = z.object({
  version_id: z.union([z.string().min(1).max(40), z.int()]).transform(String),
  notes: z.string().max(4000).default(''),
});
export type RollbackRequest = z.output<typeof RollbackRequest>;

export const RolledBack = z.object({
  workflow: Workflow,
  saved_snapshot: SnapshotSummary,
  restored_from: SnapshotSummary,
});

export const Validation = z.object({
  valid: z.boolean(),
  errors: z.array(GraphProblem),
  warnings: z.array(GraphProblem),
});

const STATUS = z.enum(['added', 'removed', 'changed', 'unchanged']);
const Mark = z.enum(['green', 'red', 'yellow']).nullable();
const Counts = z.object({ added: z.int(), removed: z.int(), changed: z.int(), unchanged: z.int() });

const FieldChange = z.object({
  path: z.string(),
  op: z.enum(['added', 'removed', 'changed']),
  before: z.unknown().optional(),
  after: z.unknown().optional(),
  lines: z.array(z.object({ op: z.enum(['same', 'removed', 'added']), text: z.string() })).optional(),
});

const NodeView = z.object({
  kind: z.string(),
  name: z.string(),
  disabled: z.boolean(),
  config: z.record(z.string(), z.unknown()),
});

/** One side of a comparison; the working graph has no number. */
const DiffSide = z.object({
  version_id: z.string(),
  version: z.int().nullable(),
  type: z.enum(['Published', 'Manual', 'draft']),
  timestamp: z.int(),
  author: Person,
  graph_hash: z.string(),
});
export type DiffSide = z.output<typeof DiffSide>;

export const Diff = z.object({
  a: DiffSide,
  b: DiffSide,
  summary: z.object({ nodes: Counts, edges: Counts }),
  nodes: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      kind: z.string(),
      status: STATUS,
      mark: Mark,
      moved: z.boolean(),
      fields: z.array(FieldChange),
      before: NodeView.optional(),
      after: NodeView.optional(),
    }),
  ),
  edges: z.array(
    z.object({
      source: z.string(),
      source_handle: z.string(),
      target: z.string(),
      status: STATUS,
      mark: Mark,
      label_before: z.string().optional(),
      label_after: z.string().optional(),
    }),
  ),
  settings: z.array(FieldChange),
});

export const NodeKindView = z.object({
  kind: z.string(),
  title: z.string(),
  summary: z.string(),
  available: z.boolean(),
  can_disable: z.boolean(),
  config_schema: z.record(z.string(), z.unknown()),
});

export const ReviewView = Review;
export const ReviewQuery = z.object({ state: z.enum(REVIEW_STATES).optional() });
export const InboxEntry = z.object({ workflow: WorkflowSummary, review: Review });
