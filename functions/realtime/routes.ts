import { defineRoutes } from '../../shared/http/route.ts';
import { RoutedEvent } from '../../shared/realtime/event.ts';

export const routes = defineRoutes({
  payload: {
    method: 'GET',
    path: '/api/v1/realtime/payloads/{payload_id}',
    auth: 'user',
    summary: 'An event that was too large for the socket, which carried this address instead; kept for an hour',
    returns: RoutedEvent,
    errors: ['not_found'],
  },
});
