import { invalidField } from '../../shared/errors.ts';
import { positionOf } from '../../shared/events/keys.ts';
import type { EventReader } from '../../shared/events/reader.ts';
import { feedsFor, viewerOf } from '../../shared/events/viewer.ts';
import { createApi, type Authenticate } from '../../shared/http/api.ts';
import type { Context } from '../../shared/http/route.ts';
import { type Answered, eventStream } from '../../shared/http/streamed.ts';
import { tenantOf } from '../../shared/identity/actor.ts';
import { sortableTime } from '../../shared/workflow/keys.ts';
import { followEvents, type FollowParts } from './follow.ts';
import { eventPage } from './page.ts';
import { routes } from './routes.ts';
import type { Redelivery } from './redelivery.ts';
import type { History, Publishing } from './service.ts';
import type { TypeStore } from './store.ts';
import type { HttpRequest } from '../../shared/http/request.ts';

interface Parts extends FollowParts {
  readonly publishing: Publishing;
  readonly history: History;
  readonly redelivery: Redelivery;
  readonly reader: EventReader;
  readonly types: TypeStore;
}

export const eventsApi = (parts: Parts, authenticate: Authenticate) => {
  const { publishing, history, redelivery, reader, types, now } = parts;
  return createApi(
    routes,
    {
      ingest: ({ body, request }) => publishing.ingest(body, idempotencyKey(request)),
      publish: ({ actor, body, request }) => publishing.publish(actor, body, idempotencyKey(request)),
      list: ({ actor, query }) => eventPage(reader, viewerOf(actor), query),
      stream: (context) => streamEvents(parts, context),
      types: async ({ actor }) => ({ data: await types.list(tenantOf(actor)) }),
      async tryFilter({ actor, body }) {
        const { filter_expr, event_id, event = {} } = body;
        // Loaded on demand: the evaluator is a third of what the live stream would have to start with.
        const { sampleFrom, tryFilter } = await import('./try-filter.ts');
        if (event_id === undefined) return tryFilter(filter_expr, sampleFrom(event, now()));
        return tryFilter(filter_expr, await reader.load(await history.demand(viewerOf(actor), event_id)));
      },
      deadLetters: ({ actor, query }) => redelivery.deadLetters(actor, query),
      redrive: ({ actor, params }) => redelivery.redrive(actor, params.id),
      get: ({ actor, params }) => history.get(actor, params.event_id),
      deliveries: ({ actor, params, query }) => history.deliveries(actor, params.event_id, query),
      replay: ({ actor, params, body, request }) =>
        redelivery.replay(actor, params.event_id, { ...body, key: idempotencyKey(request) }),
    },
    authenticate,
  );
};

/** Where the client left off is settled before the stream begins, so that a wrong id is an answer and not a broken stream. */
async function streamEvents(parts: Parts, { actor, query, request }: Context<typeof routes.stream>): Promise<Answered> {
  const { since, last_event_id, ...filter } = query;
  const viewer = viewerOf(actor);
  const lastId = request.headers.get('last-event-id') ?? last_event_id;
  const after = lastId ? positionOf(await parts.history.demand(viewer, lastId)) : sortableTime(since ?? parts.now());
  const following = { viewer, feeds: feedsFor(viewer, filter), filter, after };
  return eventStream((sink) => followEvents(parts, following, sink));
}

const MAX_KEY = 256;

function idempotencyKey(request: HttpRequest): string | undefined {
  const key = request.headers.get('idempotency-key')?.trim();
  if (key && key.length > MAX_KEY)
    throw invalidField(['header', 'Idempotency-Key'], `longer than ${MAX_KEY} characters`);
  return key || undefined;
}
