import * as z from 'zod';
import { GatewayFields } from '../../../shared/completion/own-fields.ts';
import { MessagesRequest } from '../../../shared/llm/messages/schema.ts';
import { ResponsesRequest } from '../../../shared/llm/responses/schema.ts';

const ERRORS = [
  'not_found',
  'validation_failed',
  'invalid_request',
  'not_available',
  'rate_limited',
  'upstream_failed',
  'upstream_timeout',
] as const;

const messages = {
  method: 'POST',
  auth: 'user',
  transport: 'stream',
  errorStyle: 'messages',
  query: z.looseObject({ beta: z.string().optional() }),
  body: MessagesRequest.extend(GatewayFields.shape),
  returns: z.looseObject({ id: z.string(), type: z.literal('message'), content: z.array(z.looseObject({})) }),
  mayStream: true,
  errors: ERRORS,
} as const;

const responses = {
  method: 'POST',
  auth: 'user',
  transport: 'stream',
  body: ResponsesRequest.extend(GatewayFields.shape),
  returns: z.looseObject({ id: z.string(), object: z.literal('response'), output: z.array(z.looseObject({})) }),
  mayStream: true,
  errors: ERRORS,
} as const;

export const formatRoutes = {
  message: { ...messages, path: '/api/message', summary: 'A completion in the messages format' },
  messageToo: { ...messages, path: '/api/v1/messages', summary: 'The same where the SDK of that format looks for it' },
  countTokens: {
    ...messages,
    path: '/api/v1/messages/count_tokens',
    summary: 'How many tokens a messages request has: as its server counts, or an estimate marked as one',
    returns: z.object({ input_tokens: z.int(), estimated: z.boolean().optional() }),
  },
  respond: { ...responses, path: '/api/v1/responses', summary: 'A completion in the responses format, over any model' },
  respondToo: { ...responses, path: '/api/responses', summary: 'The same for an SDK whose base address is `/api`' },
} as const;
