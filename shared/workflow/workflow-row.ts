import * as z from 'zod';
import { STATUSES } from './lifecycle.ts';

export const Person = z.object({ user_id: z.string(), name: z.string() });
export type Person = z.output<typeof Person>;

export const LiveVersion = z.object({
  version_id: z.string(),
  version: z.int(),
  published_at: z.int(),
  published_by: Person,
});
export type LiveVersion = z.output<typeof LiveVersion>;

export const REVIEW_STATES = ['pending', 'approved', 'rejected', 'withdrawn', 'superseded'] as const;

export const Review = z.object({
  review_id: z.string(),
  state: z.enum(REVIEW_STATES),
  requested_by: Person,
  requested_at: z.int(),
  reviewer_ids: z.array(z.string()),
  notes: z.string(),
  /** The graph that was shown to the reviewer. */
  graph_hash: z.string(),
  decided_by: Person.nullable(),
  decided_at: z.int().nullable(),
  decision_notes: z.string(),
});
export type Review = z.output<typeof Review>;

/** The workflow without its graph. */
export const WorkflowRow = z.object({
  tenant: z.string(),
  id: z.string(),
  name: z.string(),
  description: z.string(),
  status: z.enum(STATUSES),
  archived: z.boolean(),
  paused: z.boolean(),
  /** Raised by every change; `If-Match` compares it. */
  revision: z.int(),
  /** The last snapshot number given out; numbers are never given twice. */
  version_counter: z.int(),
  live_version: LiveVersion.nullable(),
  graph_hash: z.string(),
  catalog_id: z.string().nullable(),
  space_id: z.string().nullable(),
  user_id: z.string(),
  org_id: z.string().nullable(),
  review: Review.nullable(),
  /** Who changed the working graph last. */
  edited_by: Person,
  updated_by: Person,
  created_at: z.int(),
  updated_at: z.int(),
  /** Set once deletion has begun; such a workflow is gone for everyone. */
  deleting: z.boolean().optional(),
});
export type WorkflowRow = z.output<typeof WorkflowRow>;

export const VERSION_TYPES = ['Published', 'Manual'] as const;

export const VersionRow = z.object({
  version_id: z.string(),
  version: z.int(),
  type: z.enum(VERSION_TYPES),
  timestamp: z.int(),
  author: Person,
  notes: z.string(),
  graph_hash: z.string(),
  /** Names the row that holds the graph, layout included. */
  graph_ref: z.string(),
  /** The version that replaced this graph, for a snapshot that a rollback made. */
  before_rollback_to: z.string().optional(),
});
export type VersionRow = z.output<typeof VersionRow>;

/** Numbers are unique within a workflow, and so are the ids made of them. */
export const versionIdOf = (version: number) => `v${version}`;

/** The number behind an id or a number in a path; undefined for anything else. */
export function versionNumberOf(text: string): number | undefined {
  const digits = /^v?([1-9]\d{0,9})$/.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
