import * as z from 'zod';
import { ChatRequest } from '../../../shared/llm/chat/request.ts';
import { MessagesRequest } from '../../../shared/llm/messages/schema.ts';
import { ResponsesRequest } from '../../../shared/llm/responses/schema.ts';

/** The other formats under the runtime's address, for SDKs whose base address is `/upstream/v1`. */

const asking = {
  method: 'POST',
  auth: 'user',
  transport: 'stream',
  returns: z.looseObject({}),
  mayStream: true,
  errors: [
    'model_not_found',
    'unsupported_media_type',
    'validation_failed',
    'invalid_request',
    'rate_limited',
    'upstream_failed',
    'upstream_timeout',
  ],
} as const;

const at = <const P extends string>(path: P) => `${path}/{index}` as const;
const Named = z.looseObject({ model: z.string().min(1) });

const chat = { ...asking, body: ChatRequest, summary: 'A chat completion' } as const;
const text = { ...asking, body: Named, summary: 'A completion of a text, where the model server has that' } as const;
const vectors = { ...asking, body: Named, summary: 'Embeddings, where the model server has them' } as const;
const models = {
  method: 'GET',
  auth: 'user',
  transport: 'stream',
  returns: z.object({
    object: z.literal('list'),
    data: z.array(z.object({ id: z.string(), object: z.literal('model'), created: z.int(), owned_by: z.string() })),
  }),
} as const;

export const compatibleRoutes = {
  chatCompletions: { ...chat, path: '/upstream/v1/chat/completions' },
  chatCompletionsAt: { ...chat, path: at('/upstream/v1/chat/completions') },
  textCompletions: { ...text, path: '/upstream/v1/completions' },
  textCompletionsAt: { ...text, path: at('/upstream/v1/completions') },
  vectors: { ...vectors, path: '/upstream/v1/embeddings' },
  vectorsAt: { ...vectors, path: at('/upstream/v1/embeddings') },
  messages: {
    ...asking,
    path: '/upstream/v1/messages',
    body: MessagesRequest,
    errorStyle: 'messages',
    summary: 'The messages format, over any model',
  },
  responses: {
    ...asking,
    path: '/upstream/v1/responses',
    body: ResponsesRequest,
    summary: 'The responses format, over any model',
  },
  models: { ...models, path: '/upstream/v1/models', summary: 'The runtime models that the caller may use' },
  modelsAt: { ...models, path: at('/upstream/v1/models'), summary: 'Those of one runtime', errors: ['not_found'] },
} as const;
