import { notFound } from '../../shared/errors.ts';
import { BROADCAST, type EventRow } from '../../shared/events/event.ts';
import type { Appended, EventLog } from '../../shared/events/event-log.ts';
import { derivedEventId } from '../../shared/events/prepare.ts';
import { publicEvent, type EventReader } from '../../shared/events/reader.ts';
import { maySee, tenantIn, viewerOf, type Viewer } from '../../shared/events/viewer.ts';
import { tenantOf, type OperatorActor, type UserActor } from '../../shared/identity/actor.ts';
import type { CursorPaging } from '../../shared/workflow/cursor-page.ts';
import type { Letters } from './letters.ts';
import type { Ingest, Publish } from './records.ts';
import type { DeliveryStore } from './store.ts';

interface PublishingParts {
  readonly log: EventLog;
  /** Counts one event against what a tenant may publish, or throws 429. */
  readonly demandRoom: (tenant: string) => Promise<void>;
}

/** The user of an event that a system published without naming one. */
const SERVICE_USER = 'service';

export const createPublishing = ({ log, demandRoom }: PublishingParts) => ({
  async ingest({ tenant_id, user_id = SERVICE_USER, event_id, ...event }: Ingest, key: string | undefined) {
    const tenant = tenant_id ?? BROADCAST;
    return accepted(await log.append({ ...event, tenant, user_id, event_id: event_id ?? idFromKey(tenant, key) }));
  },

  async publish(actor: UserActor, event: Publish, key: string | undefined) {
    const tenant = tenantOf(actor);
    await demandRoom(tenant);
    return accepted(await log.append({ ...event, tenant, user_id: actor.userId, event_id: idFromKey(tenant, key) }));
  },
});

export type Publishing = ReturnType<typeof createPublishing>;

/** The same key of the same tenant is the same event. */
const idFromKey = (tenant: string, key: string | undefined) =>
  key === undefined ? undefined : derivedEventId('key', tenant, key);

const accepted = ({ event, duplicate }: Appended) => ({
  event_id: event.event_id,
  event_type: event.event_type,
  correlation_id: event.correlation_id,
  source: event.source,
  published_at: event.published_at,
  status: 'accepted' as const,
  duplicate,
});

interface HistoryParts {
  readonly reader: EventReader;
  readonly deliveries: DeliveryStore;
  readonly letters: Letters;
}

type Person = UserActor | OperatorActor;

const FIRST_DELIVERIES = 100;

/** One event and what became of it. People see the deliveries to their own triggers. */
export function createHistory({ reader, deliveries, letters }: HistoryParts) {
  /** Missing and not yours look the same. */
  const demand = async (viewer: Viewer, eventId: string): Promise<EventRow> => {
    const row = await reader.row(eventId);
    if (!row || !maySee(viewer, row)) throw notFound('Event');
    return row;
  };
  return {
    demand,

    async get(actor: Person, eventId: string) {
      const viewer = viewerOf(actor);
      const row = await demand(viewer, eventId);
      const [event, done, page, letter] = await Promise.all([
        reader.load(row),
        deliveries.doneAt(eventId),
        deliveries.ofEvent(eventId, tenantIn(viewer), { limit: FIRST_DELIVERIES }),
        letters.get(eventId),
      ]);
      return {
        ...publicEvent(event),
        dispatched_at: done ?? null,
        deliveries: page.data,
        next_deliveries_cursor: page.next_cursor,
        dead_letter: letter ?? null,
      };
    },

    async deliveries(actor: Person, eventId: string, paging: CursorPaging) {
      const viewer = viewerOf(actor);
      await demand(viewer, eventId);
      return deliveries.ofEvent(eventId, tenantIn(viewer), paging);
    },
  };
}

export type History = ReturnType<typeof createHistory>;
