import * as z from 'zod';

const Answer = z.looseObject({});
const At = z.object({ urlIdx: z.coerce.number().int().min(0).default(0) });
const ERRORS = ['not_found', 'upstream_failed', 'validation_failed'] as const;

/** Connections tagged `pipelines`, by their place in the list: what their own servers say, passed on to operators. */
export const pipelineRoutes = {
  pipelineServers: {
    method: 'GET',
    path: '/api/v1/pipelines/list',
    auth: 'platform',
    summary: 'The servers of remote pipelines',
    returns: z.object({ data: z.array(z.object({ url: z.string(), idx: z.int() })) }),
  },
  pipelines: {
    method: 'GET',
    path: '/api/v1/pipelines',
    auth: 'platform',
    summary: 'The pipelines of one server',
    query: At,
    returns: Answer,
    errors: ERRORS,
  },
  pipelineValves: {
    method: 'GET',
    path: '/api/v1/pipelines/{pipeline_id}/valves',
    auth: 'platform',
    summary: 'What is set for a pipeline',
    query: At,
    returns: Answer,
    errors: ERRORS,
  },
  pipelineValvesSpec: {
    method: 'GET',
    path: '/api/v1/pipelines/{pipeline_id}/valves/spec',
    auth: 'platform',
    summary: 'What can be set for a pipeline, as JSON Schema',
    query: At,
    returns: Answer,
    errors: ERRORS,
  },
  setPipelineValves: {
    method: 'POST',
    path: '/api/v1/pipelines/{pipeline_id}/valves/update',
    auth: 'platform',
    summary: 'Set valves of a pipeline',
    query: At,
    body: z.record(z.string(), z.unknown()),
    returns: Answer,
    errors: ERRORS,
  },
} as const;
