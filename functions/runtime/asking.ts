import type { ChatRequest } from '../../shared/llm/chat/request.ts';
import type { MessagesRequest } from '../../shared/llm/messages/schema.ts';
import type { ResponsesRequest } from '../../shared/llm/responses/schema.ts';
import type { RuntimeChatRequest, RuntimeGenerateRequest } from '../../shared/llm/runtime/schema.ts';
import { sent, type Asked } from './asked.ts';
import { passThrough, type PassthroughParts } from './passthrough.ts';
import type { Question } from './translation.ts';

/** Completions under the runtime's address, each in the format of its path. */
export const createAsking = (parts: PassthroughParts) => {
  const pass = (asked: Asked<unknown>, path: string, question: Question) =>
    passThrough(parts, { ...sent(asked), path, question });
  /** Few runtimes know these formats, so they are always translated. */
  const translate = async (asked: Asked<unknown>, question: Question) => {
    const asker = sent(asked);
    return (await import('./translation.ts')).completeTranslated(parts, asker, question);
  };
  return {
    generate: (asked: Asked<RuntimeGenerateRequest>) =>
      pass(asked, '/api/generate', { format: 'generate', body: asked.body }),
    chat: (asked: Asked<RuntimeChatRequest>) => pass(asked, '/api/chat', { format: 'runtime', body: asked.body }),
    chatCompletions: (asked: Asked<ChatRequest>) =>
      pass(asked, '/v1/chat/completions', { format: 'chat', body: asked.body }),
    messages: (asked: Asked<MessagesRequest>) => translate(asked, { format: 'messages', body: asked.body }),
    responses: (asked: Asked<ResponsesRequest>) => translate(asked, { format: 'responses', body: asked.body }),
  };
};
