import * as z from 'zod';
import { defineRoutes } from '../../shared/http/route.ts';
import { STATUSES } from '../../shared/workflow/lifecycle.ts';
import { CursorPaging, cursorPageOf } from '../../shared/workflow/cursor-page.ts';
import { GraphInput } from '../../shared/workflow/graph.ts';
import { NewWorkflow, NodeKindView, Validation, Workflow, WorkflowChange, WorkflowSummary } from './records.ts';

const BODY_LIMIT = 1.5 * 1024 * 1024;

const change = {
  auth: 'user',
  body: WorkflowChange,
  maxBody: BODY_LIMIT,
  returns: Workflow,
  errors: ['not_found', 'conflict', 'stale_version', 'payload_too_large'],
} as const;

const act = (summary: string) =>
  ({
    method: 'POST',
    auth: 'user',
    summary,
    returns: Workflow,
    errors: ['not_found', 'conflict', 'forbidden'],
  }) as const;

export const workflowRoutes = defineRoutes({
  create: {
    method: 'POST',
    path: '/api/v1/agent-workflows',
    auth: 'user',
    summary: 'Create a workflow as a Draft',
    body: NewWorkflow,
    maxBody: BODY_LIMIT,
    status: 201,
    returns: Workflow,
    errors: ['payload_too_large'],
  },
  list: {
    method: 'GET',
    path: '/api/v1/agent-workflows',
    auth: 'user',
    summary: 'The workflows of your organization, or your own; last changed first, without graphs',
    query: CursorPaging.extend({
      status: z.enum(STATUSES).optional(),
      q: z.string().max(200).optional(),
      space_id: z.string().max(80).optional(),
      archived: z.stringbool().default(false),
    }),
    returns: cursorPageOf(WorkflowSummary),
  },
  nodeKinds: {
    method: 'GET',
    path: '/api/v1/agent-workflows/node-kinds',
    auth: 'user',
    summary: 'The kinds of nodes with the JSON Schema of their configuration',
    returns: z.object({ data: z.array(NodeKindView) }),
  },
  get: {
    method: 'GET',
    path: '/api/v1/agent-workflows/{id}',
    auth: 'user',
    summary: 'One workflow with its working graph',
    returns: Workflow,
    errors: ['not_found'],
  },
  replace: {
    method: 'PUT',
    path: '/api/v1/agent-workflows/{id}',
    summary:
      'Change a workflow; `If-Match` with the revision you read refuses to overwrite the change of somebody else',
    ...change,
  },
  update: {
    method: 'PATCH',
    path: '/api/v1/agent-workflows/{id}',
    summary: 'The same as PUT: what is not sent stays',
    ...change,
  },
  remove: {
    method: 'DELETE',
    path: '/api/v1/agent-workflows/{id}',
    auth: 'user',
    summary: 'Delete a workflow with its snapshots and triggers; its active runs are cancelled',
    errors: ['not_found', 'forbidden'],
  },
  duplicate: {
    path: '/api/v1/agent-workflows/{id}/duplicate',
    ...act('A new Draft with the same working graph'),
    status: 201,
  },
  discardDraft: {
    path: '/api/v1/agent-workflows/{id}/discard-draft',
    ...act('Throw the Draft away and return to the published graph'),
  },
  validate: {
    method: 'POST',
    path: '/api/v1/agent-workflows/{id}/validate',
    auth: 'user',
    summary: 'Every problem of the working graph, or of the graph that is sent',
    body: z.object({ graph: GraphInput.optional() }).prefault({}),
    maxBody: BODY_LIMIT,
    returns: Validation,
    errors: ['not_found', 'payload_too_large'],
  },
  pause: { path: '/api/v1/agent-workflows/{id}/pause', ...act('Let triggers start nothing for now') },
  resume: { path: '/api/v1/agent-workflows/{id}/resume', ...act('Let triggers start runs again') },
  archive: { path: '/api/v1/agent-workflows/{id}/archive', ...act('Put a workflow aside; nothing starts it any more') },
  unarchive: { path: '/api/v1/agent-workflows/{id}/unarchive', ...act('Take a workflow back as a Draft') },
});
