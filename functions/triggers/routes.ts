import * as z from 'zod';
import { OUTCOMES } from '../../shared/events/delivery.ts';
import { defineRoutes } from '../../shared/http/route.ts';
import { CursorPaging, cursorPageOf } from '../../shared/workflow/cursor-page.ts';
import {
  HookRequest,
  NewCronTrigger,
  NewEventTrigger,
  NewWebhookTrigger,
  TriggerChange,
  TriggerDelivery,
  TriggerView,
} from './records.ts';

const creating = {
  method: 'POST',
  auth: 'user',
  status: 201,
  returns: TriggerView,
  errors: ['not_found', 'workflow_not_published', 'conflict'],
} as const;

const acting = { method: 'POST', auth: 'user', returns: TriggerView, errors: ['not_found', 'stale_version'] } as const;

const receiving = {
  path: '/api/v1/webhooks/{hook_id}',
  auth: 'open',
  bodyType: 'bytes',
  maxBody: 1024 * 1024,
  errors: ['signature_invalid', 'not_found', 'payload_too_large', 'unsupported_media_type', 'rate_limited'],
} as const;

export const routes = defineRoutes({
  createEvent: {
    ...creating,
    path: '/api/v1/agent-workflows/{workflow_id}/triggers/event',
    summary: 'Subscribe a published workflow to an event type',
    body: NewEventTrigger,
  },
  createCron: {
    ...creating,
    path: '/api/v1/agent-workflows/{workflow_id}/triggers/cron',
    summary: 'Start a published workflow by the clock',
    body: NewCronTrigger,
    bodyType: 'exactJson',
  },
  createWebhook: {
    ...creating,
    path: '/api/v1/agent-workflows/{workflow_id}/triggers/webhook',
    summary: 'Start a published workflow by a signed request; a secret made here is shown once',
    body: NewWebhookTrigger,
  },
  previewCron: {
    method: 'GET',
    path: '/api/v1/agent-workflows/cron/preview',
    auth: 'user',
    summary: 'The next times of a cron expression',
    query: z.object({ cron: z.string().max(200), timezone: z.string().max(50).default('UTC') }),
    returns: z.object({ next_runs: z.array(z.int()) }),
  },
  list: {
    method: 'GET',
    path: '/api/v1/agent-workflows/{workflow_id}/triggers',
    auth: 'user',
    summary: 'What starts a workflow',
    query: z.object({ type: z.enum(['event', 'cron', 'webhook']).optional() }),
    returns: z.object({ data: z.array(TriggerView) }),
    errors: ['not_found'],
  },
  get: {
    method: 'GET',
    path: '/api/v1/agent-workflows/{workflow_id}/triggers/{trigger_id}',
    auth: 'user',
    summary: 'One trigger',
    returns: TriggerView,
    errors: ['not_found'],
  },
  update: {
    method: 'PATCH',
    path: '/api/v1/agent-workflows/{workflow_id}/triggers/{trigger_id}',
    auth: 'user',
    summary: 'Change a trigger; what is not sent stays',
    body: TriggerChange,
    bodyType: 'exactJson',
    returns: TriggerView,
    errors: ['not_found', 'stale_version'],
  },
  remove: {
    method: 'DELETE',
    path: '/api/v1/agent-workflows/{workflow_id}/triggers/{trigger_id}',
    auth: 'user',
    summary: 'Delete a trigger',
    errors: ['not_found'],
  },
  pause: {
    ...acting,
    path: '/api/v1/agent-workflows/{workflow_id}/triggers/{trigger_id}/pause',
    summary: 'Start nothing for now',
  },
  resume: {
    ...acting,
    path: '/api/v1/agent-workflows/{workflow_id}/triggers/{trigger_id}/resume',
    summary: 'Start runs again',
  },
  rotateSecret: {
    ...acting,
    path: '/api/v1/agent-workflows/{workflow_id}/triggers/{trigger_id}/rotate-secret',
    summary: 'A new secret, shown once; the old one stays valid for 24 hours unless it must go at once',
    body: z.object({ secret: z.string().min(8).max(200).optional(), keep_old: z.boolean().default(true) }).prefault({}),
    errors: ['not_found', 'conflict', 'stale_version'],
  },
  deliveries: {
    method: 'GET',
    path: '/api/v1/agent-workflows/{workflow_id}/triggers/{trigger_id}/deliveries',
    auth: 'user',
    summary: 'What became of the events that reached a trigger, newest first',
    query: CursorPaging.extend({ outcome: z.enum(OUTCOMES).optional() }),
    returns: cursorPageOf(TriggerDelivery),
    errors: ['not_found'],
  },
  redeliver: {
    method: 'POST',
    path: '/api/v1/agent-workflows/{workflow_id}/triggers/{trigger_id}/deliveries/{event_id}/redeliver',
    auth: 'user',
    summary: 'Deliver an event to this trigger once more',
    status: 202,
    returns: z.object({ event_id: z.string(), replay_id: z.string(), run_id: z.string() }),
    errors: ['not_found'],
  },
  requests: {
    method: 'GET',
    path: '/api/v1/agent-workflows/{workflow_id}/triggers/{trigger_id}/requests',
    auth: 'user',
    summary: 'The genuine requests to a webhook, newest first',
    query: CursorPaging,
    returns: cursorPageOf(HookRequest),
    errors: ['not_found', 'conflict'],
  },
  receive: { ...receiving, method: 'POST', summary: 'Where a webhook sends to; authenticated by its signature' },
  receivePut: { ...receiving, method: 'PUT', summary: 'The same for senders that use PUT' },
});
