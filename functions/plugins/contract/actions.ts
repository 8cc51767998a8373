import * as z from 'zod';

export const actionRoutes = {
  runAction: {
    method: 'POST',
    path: '/api/chat/actions/{action_id}',
    auth: 'user',
    transport: 'stream',
    summary: 'Run an action over a finished conversation and answer with what it returns',
    body: z.looseObject({
      model: z.string().min(1),
      messages: z.array(z.looseObject({})).optional(),
      chat_id: z.string().nullish(),
      id: z.string().nullish(),
      session_id: z.string().nullish(),
    }),
    returns: z.unknown(),
    errors: ['not_found', 'validation_failed', 'plugin_failed'],
  },
} as const;
