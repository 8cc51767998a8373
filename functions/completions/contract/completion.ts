import * as z from 'zod';
import { CompletionRequest } from '../../../shared/completion/own-fields.ts';

/** What is answered depends on the ids in the request; these describe it and are not applied to it. */
const ChatCompletion = z.looseObject({
  id: z.string(),
  object: z.literal('chat.completion'),
  created: z.int(),
  model: z.string(),
  choices: z.array(z.looseObject({ index: z.int(), message: z.looseObject({}), finish_reason: z.string().nullable() })),
  usage: z.looseObject({}).optional(),
});

const Acknowledgement = z.object({
  status: z.literal(true),
  task_id: z.string(),
  task_ids: z.array(z.string()),
  chat_id: z.string(),
});

const completion = {
  method: 'POST',
  auth: 'user',
  transport: 'stream',
  isEager: true,
  body: CompletionRequest,
  returns: z.union([ChatCompletion, Acknowledgement]),
  mayStream: true,
  errors: [
    'not_found',
    'validation_failed',
    'invalid_request',
    'not_available',
    'rate_limited',
    'upstream_failed',
    'upstream_timeout',
  ],
} as const;

const chore = {
  method: 'POST',
  auth: 'user',
  transport: 'stream',
  body: z.looseObject({
    model: z.string().min(1),
    messages: CompletionRequest.shape.messages,
    chat_id: z.string().nullish(),
  }),
  returns: z.union([ChatCompletion, z.object({ detail: z.string() })]),
  mayStream: true,
  errors: ['not_found', 'validation_failed', 'rate_limited', 'upstream_failed', 'upstream_timeout'],
} as const;

export const completionRoutes = {
  complete: {
    ...completion,
    path: '/api/chat/completions',
    summary:
      'Chat completion. With `stream` an event stream, otherwise one object; with `chat_id` and `id` also written into ' +
      'that message; with `session_id` as well acknowledged at once and told by socket.',
  },
  completeToo: { ...completion, path: '/api/v1/chat/completions', summary: 'The same under its versioned name' },
  completed: {
    method: 'POST',
    path: '/api/chat/completed',
    auth: 'user',
    summary: 'Run the outlet filters over a finished conversation; deprecated on pre-release builds',
    body: z.looseObject({
      model: z.string().min(1),
      messages: z.array(z.looseObject({})),
      chat_id: z.string().nullish(),
      session_id: z.string().nullish(),
      id: z.string().nullish(),
      filter_ids: z.array(z.string()).nullish(),
    }),
    returns: z.looseObject({ model: z.string(), messages: z.array(z.looseObject({})) }),
    errors: ['not_found', 'validation_failed', 'not_available'],
  },
  titleChore: { ...chore, path: '/api/v1/tasks/title/completions', summary: 'A title for a conversation' },
  tagsChore: { ...chore, path: '/api/v1/tasks/tags/completions', summary: 'Tags for a conversation' },
  followUpChore: {
    ...chore,
    path: '/api/v1/tasks/follow_up/completions',
    summary: 'Questions that may follow in a conversation',
  },
} as const;
