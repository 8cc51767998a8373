import { notFound } from '../../shared/errors.ts';
import { createApi, type Authenticate } from '../../shared/http/api.ts';
import type { RoutedEvent } from '../../shared/realtime/event.ts';
import { routes } from './routes.ts';

/** Undefined when there is none of this user. */
export type ReadPayload = (userId: string, payloadId: string) => Promise<RoutedEvent | undefined>;

export const realtimeApi = (readPayload: ReadPayload, authenticate: Authenticate) =>
  createApi(
    routes,
    {
      payload: async ({ actor, params }) => {
        const payload = await readPayload(actor.userId, params.payload_id);
        if (!payload) throw notFound('Event');
        return payload;
      },
    },
    authenticate,
  );
