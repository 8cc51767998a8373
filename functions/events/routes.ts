import * as z from 'zod';
import { BusEvent } from '../../shared/events/event.ts';
import { defineRoutes } from '../../shared/http/route.ts';
import { CursorPaging, cursorPageOf } from '../../shared/workflow/cursor-page.ts';
import {
  Accepted,
  DeadLetter,
  DeliveryView,
  EventDetail,
  EventQuery,
  Ingest,
  LETTER_STATES,
  Publish,
  Replay,
  TimeRange,
  TriedFilter,
  TryFilter,
} from './records.ts';

const MAX_BODY = 1024 * 1024;

const accepting = {
  bodyType: 'exactJson',
  maxBody: MAX_BODY,
  status: 202,
  returns: Accepted,
  errors: ['idempotency_conflict', 'payload_too_large', 'rate_limited'],
} as const;

export const routes = defineRoutes({
  ingest: {
    method: 'POST',
    path: '/api/v1/events/ingest',
    auth: 'eventKey',
    summary: 'Publish an event from outside; `Idempotency-Key` or `event_id` makes a repetition harmless',
    body: Ingest,
    ...accepting,
  },
  publish: {
    method: 'POST',
    path: '/api/v1/events/publish',
    auth: 'user',
    summary: 'Publish an event of your own; it starts the workflows of your organization, or your own',
    body: Publish,
    ...accepting,
  },
  list: {
    method: 'GET',
    path: '/api/v1/events',
    auth: 'signedIn',
    summary: 'Recent events that you may see, newest first',
    query: CursorPaging.extend({ ...EventQuery.shape, ...TimeRange.shape }),
    returns: cursorPageOf(BusEvent),
  },
  stream: {
    method: 'GET',
    path: '/api/v1/events/stream',
    auth: 'signedIn',
    summary: 'Events as they are published (SSE); `Last-Event-ID` goes on where a broken stream ended',
    query: EventQuery.extend({
      since: TimeRange.shape.since,
      /** For clients that cannot set the header. */
      last_event_id: z.string().max(128).optional(),
    }),
    transport: 'stream',
    errors: ['not_found'],
  },
  types: {
    method: 'GET',
    path: '/api/v1/events/types',
    auth: 'user',
    summary: 'The event types that were published so far',
    returns: z.object({ data: z.array(z.object({ event_type: z.string(), first_seen_at: z.int() })) }),
  },
  tryFilter: {
    method: 'POST',
    path: '/api/v1/events/filter',
    auth: 'signedIn',
    summary: 'Try a filter expression on a sample event or a stored one',
    body: TryFilter,
    bodyType: 'exactJson',
    maxBody: MAX_BODY,
    returns: TriedFilter,
    errors: ['not_found'],
  },
  deadLetters: {
    method: 'GET',
    path: '/api/v1/events/dead-letters',
    auth: 'signedIn',
    summary: 'Events that could not be dispatched, newest first',
    query: CursorPaging.extend({ state: z.enum(LETTER_STATES).optional() }),
    returns: cursorPageOf(DeadLetter),
  },
  redrive: {
    method: 'POST',
    path: '/api/v1/events/dead-letters/{id}/redrive',
    auth: 'signedIn',
    summary: 'Dispatch a dead letter again',
    status: 202,
    returns: DeadLetter,
    errors: ['not_found', 'conflict'],
  },
  get: {
    method: 'GET',
    path: '/api/v1/events/{event_id}',
    auth: 'signedIn',
    summary: 'One event with its payload and what became of it',
    returns: EventDetail,
    errors: ['not_found'],
  },
  deliveries: {
    method: 'GET',
    path: '/api/v1/events/{event_id}/deliveries',
    auth: 'signedIn',
    summary: 'What became of one event at each trigger',
    query: CursorPaging,
    returns: cursorPageOf(DeliveryView),
    errors: ['not_found'],
  },
  replay: {
    method: 'POST',
    path: '/api/v1/events/{event_id}/replay',
    auth: 'signedIn',
    summary: 'Deliver an event once more to the triggers that match it now',
    body: Replay,
    status: 202,
    returns: z.object({ event_id: z.string(), replay_id: z.string() }),
    errors: ['not_found'],
  },
});
