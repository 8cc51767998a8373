import { createApi, type Authenticate } from '../../shared/http/api.ts';
import { eventRoutes } from './contract/event.ts';
import type { createToolEvents } from './tool-events.ts';

export const eventEndpoints = (events: ReturnType<typeof createToolEvents>, authenticate: Authenticate) =>
  createApi(eventRoutes, { postEvent: ({ actor, params, body }) => events.post(actor, params, body) }, authenticate);
