import * as z from 'zod';
import { TOOL_EVENT_TYPES } from '../../../shared/realtime/event.ts';
import { LARGEST_PAYLOAD } from '../../../shared/realtime/payload-size.ts';

export const eventRoutes = {
  postEvent: {
    auth: 'signedIn',
    transport: 'stream',
    method: 'POST',
    path: '/api/v1/chats/{chatId}/messages/{messageId}/event',
    summary:
      'An external tool shows something in a chat, as its owner or as an administrator; false when it could not be sent on',
    body: z.object({
      type: z.string().describe(`One of ${TOOL_EVENT_TYPES.join(', ')}`),
      data: z.record(z.string(), z.unknown()),
    }),
    maxBody: LARGEST_PAYLOAD,
    returns: z.boolean(),
    errors: ['not_found', 'validation_failed', 'payload_too_large'],
  },
} as const;
