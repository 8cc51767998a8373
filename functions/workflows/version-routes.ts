import * as z from 'zod';
import { defineRoutes } from '../../shared/http/route.ts';
import { CursorPaging, cursorPageOf } from '../../shared/workflow/cursor-page.ts';
import { VERSION_TYPES } from '../../shared/workflow/workflow-row.ts';
import {
  ApproveRequest,
  Diff,
  InboxEntry,
  Notes,
  PublishedWorkflow,
  RejectRequest,
  ReviewQuery,
  ReviewView,
  RollbackRequest,
  RolledBack,
  Snapshot,
  SnapshotSummary,
  StageRequest,
  Workflow,
} from './records.ts';

const act = (summary: string) =>
  ({ method: 'POST', auth: 'user', summary, errors: ['not_found', 'conflict', 'forbidden'] }) as const;

const approval = {
  ...act('Approve & Publish: a Published snapshot is made and becomes the live version'),
  body: ApproveRequest,
  returns: PublishedWorkflow,
};

export const reviewRoutes = defineRoutes({
  stage: {
    path: '/api/v1/agent-workflows/{id}/stage',
    ...act('Hand the Draft to review; it must be free of errors'),
    body: StageRequest,
    returns: Workflow,
  },
  withdraw: {
    path: '/api/v1/agent-workflows/{id}/withdraw',
    ...act('Take a staged workflow back to Draft'),
    returns: Workflow,
  },
  approve: { path: '/api/v1/agent-workflows/{id}/approve', ...approval },
  publish: { path: '/api/v1/agent-workflows/{id}/publish', ...approval },
  reject: {
    path: '/api/v1/agent-workflows/{id}/reject',
    ...act('Send a staged workflow back to Draft, saying why'),
    body: RejectRequest,
    returns: Workflow,
  },
  unpublish: {
    path: '/api/v1/agent-workflows/{id}/unpublish',
    ...act('Take the live version away: triggers start nothing until the next publish'),
    returns: Workflow,
  },
  reviews: {
    method: 'GET',
    path: '/api/v1/agent-workflows/{id}/reviews',
    auth: 'user',
    summary: 'The reviews of a workflow, newest first',
    query: CursorPaging.extend(ReviewQuery.shape),
    returns: cursorPageOf(ReviewView),
    errors: ['not_found'],
  },
  reviewInbox: {
    method: 'GET',
    path: '/api/v1/agent-workflows/reviews/inbox',
    auth: 'user',
    summary: 'Staged workflows that wait for your decision',
    query: CursorPaging,
    returns: cursorPageOf(InboxEntry),
  },
});

export const snapshotRoutes = defineRoutes({
  versions: {
    method: 'GET',
    path: '/api/v1/agent-workflows/{id}/versions',
    auth: 'user',
    summary: 'The snapshots of a workflow, newest first, without graphs',
    query: CursorPaging.extend({ type: z.enum(VERSION_TYPES).optional() }),
    returns: cursorPageOf(SnapshotSummary).extend({ live_version_id: z.string().nullable() }),
    errors: ['not_found'],
  },
  version: {
    method: 'GET',
    path: '/api/v1/agent-workflows/{id}/versions/{version_id}',
    auth: 'user',
    summary: 'One snapshot with its full graph, by id, by number, or the live one as `live`',
    returns: Snapshot,
    errors: ['not_found'],
  },
  diff: {
    method: 'GET',
    path: '/api/v1/agent-workflows/{id}/versions/{a}/diff/{b}',
    auth: 'user',
    summary: 'What two versions do differently; each side is an id, a number, `draft` or `live`',
    returns: Diff,
    errors: ['not_found'],
  },
  snapshot: {
    path: '/api/v1/agent-workflows/{id}/snapshot',
    ...act('Keep the working graph as a Manual snapshot'),
    body: Notes,
    status: 201,
    returns: Snapshot,
  },
  rollback: {
    path: '/api/v1/agent-workflows/{id}/rollback',
    ...act('Make the graph of a snapshot the working graph again; the current one is kept as a Manual snapshot'),
    body: RollbackRequest,
    returns: RolledBack,
  },
});
