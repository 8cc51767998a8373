import { AppError, notFound } from '../../shared/errors.ts';
import type { BusEvent, EventRow } from '../../shared/events/event.ts';
import type { EventLog } from '../../shared/events/event-log.ts';
import { derivedEventId } from '../../shared/events/prepare.ts';
import type { Trigger, WebhookTrigger } from '../../shared/triggers/trigger.ts';
import { mapCorrelation, mapPayload, renderReply } from './expressions.ts';
import { deliveryIdOf, readInbound, type Inbound } from './inbound.ts';
import type { HookRequest } from './records.ts';
import type { HookRequests } from './requests-store.ts';
import type { Secrets } from './secrets.ts';
import type { HttpRequest } from '../../shared/http/request.ts';

export interface ReceiveParts {
  readonly log: EventLog;
  readonly secrets: Secrets;
  readonly requests: HookRequests;
  readonly behindHook: (hookId: string) => Promise<Trigger | undefined>;
  /** Counts one event against what a tenant may publish, or throws 429. */
  readonly demandRoom: (tenant: string) => Promise<void>;
  readonly now: () => number;
  readonly newId: () => string;
}

/** A request to a webhook's address: its signature is checked on the very bytes, then it becomes an event. */
export async function receiveWebhook(
  parts: ReceiveParts,
  hookId: string,
  { request, bytes }: Incoming,
): Promise<Response> {
  const trigger = await parts.behindHook(hookId);
  if (trigger?.type !== 'webhook') throw notFound('Webhook');
  const { headers } = request;
  const verdict = await parts.secrets.check(trigger, { headers, body: bytes, now: parts.now() });
  if (!verdict.isGenuine) {
    await parts.requests.refuse(hookId, { at: parts.now(), reason: verdict.reason });
    throw new AppError('signature_invalid', verdict.reason);
  }
  await parts.demandRoom(trigger.tenant);
  const received = { bytes: bytes.length, at: parts.now(), signature: verdict.signature };
  try {
    return await publish(parts, trigger, { ...received, inbound: readInbound(request, bytes) });
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    const failed = { outcome: 'failed', event_id: null, error: error.message, headers: {} } as const;
    await parts.requests.add(hookId, {
      delivery_id: parts.newId(),
      received_at: received.at,
      bytes: bytes.length,
      ...failed,
    });
    throw error;
  }
}

interface Incoming {
  readonly request: HttpRequest;
  readonly bytes: Uint8Array;
}

interface Received {
  readonly inbound: Inbound;
  readonly bytes: number;
  readonly at: number;
  readonly signature: string;
}

/** The sender's own name for a delivery makes the event's id, so its retries change nothing. */
async function publish(parts: ReceiveParts, trigger: WebhookTrigger, received: Received): Promise<Response> {
  const { inbound, at } = received;
  const deliveryId = deliveryIdOf(trigger.style, inbound) ?? (received.signature || parts.newId());
  const payload = mapPayload(trigger.payload_expr, inbound);
  const { event, duplicate } = await parts.log.appendOnce({
    tenant: trigger.tenant,
    event_type: trigger.event_type,
    source: `webhook:${trigger.hook_id}`,
    user_id: trigger.created_by,
    payload,
    correlation_id: mapCorrelation(trigger.correlation_expr, payload, inbound),
    event_id: derivedEventId('webhook', trigger.hook_id, deliveryId),
    trigger: { workflow_id: trigger.workflow_id, trigger_id: trigger.id, scheduled_for: null },
  });
  const answered = answer(trigger, { event: { ...publicPart(event), payload }, duplicate, deliveryId }, inbound);
  const entry: HookRequest = {
    delivery_id: deliveryId,
    received_at: at,
    outcome: duplicate ? 'duplicate' : 'accepted',
    event_id: event.event_id,
    error: answered.error,
    bytes: received.bytes,
    headers: inbound.headers,
  };
  await parts.requests.add(trigger.hook_id, entry);
  return answered.response;
}

const publicPart = ({ event_id, event_type, source, correlation_id, user_id, published_at }: EventRow) => ({
  event_id,
  event_type,
  source,
  correlation_id,
  user_id,
  published_at,
});

interface Accepted {
  readonly event: BusEvent;
  readonly duplicate: boolean;
  readonly deliveryId: string;
}

interface Answered {
  readonly response: Response;
  /** Why the trigger's own reply could not be made; the event is accepted all the same. */
  readonly error: string | null;
}

function answer({ reply }: WebhookTrigger, accepted: Accepted, inbound: Inbound): Answered {
  if (reply === null) return { response: acceptedResponse(accepted), error: null };
  try {
    const body = renderReply(reply.body, accepted.event, inbound);
    const headers = { 'content-type': reply.content_type };
    return { response: new Response(body, { status: reply.status, headers }), error: null };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { response: acceptedResponse(accepted, { reply_error: error.message }), error: error.message };
  }
}

const acceptedResponse = ({ event, duplicate, deliveryId }: Accepted, more: object = {}) =>
  Response.json({ delivery_id: deliveryId, event_id: event.event_id, duplicate, ...more }, { status: 202 });
