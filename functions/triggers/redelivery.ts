import { notFound } from '../../shared/errors.ts';
import { runIdFor } from '../../shared/events/delivery.ts';
import type { Pointer } from '../../shared/events/message.ts';
import type { EventReader } from '../../shared/events/reader.ts';
import { maySee, viewerOf } from '../../shared/events/viewer.ts';
import type { UserActor } from '../../shared/identity/actor.ts';
import type { Trigger } from '../../shared/triggers/trigger.ts';

export interface RedeliveryParts {
  readonly reader: EventReader;
  readonly send: (pointer: Pointer) => Promise<void>;
  readonly newId: () => string;
}

/** One event to one trigger once more, as a delivery of its own. */
export async function redeliver(
  { reader, send, newId }: RedeliveryParts,
  actor: UserActor,
  { trigger, eventId }: { trigger: Trigger; eventId: string },
) {
  const event = await reader.row(eventId);
  const isFitting =
    event?.event_type === trigger.event_type && (trigger.type === 'event' || event.trigger?.trigger_id === trigger.id);
  if (!event || !isFitting || !maySee(viewerOf(actor), event)) throw notFound('Event');
  const { tenant, event_id, event_type } = event;
  const replay_id = `r_${newId()}`;
  const replay = { id: replay_id, tenant: trigger.tenant, subscription_ids: [trigger.id] };
  await send({ tenant, event_id, event_type, replay });
  const delivery = { event_id, tenant: trigger.tenant, subscription_id: trigger.id, replay_id };
  return { event_id, replay_id, run_id: runIdFor(delivery) };
}
