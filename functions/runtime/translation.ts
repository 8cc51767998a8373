import { answerTurn, completeTurn, type TurnParts } from '../../shared/completion/complete-turn.ts';
import type { Manner } from '../../shared/completion/deliver.ts';
import type { Target } from '../../shared/completion/target.ts';
import { CALLER_FORMATS } from '../../shared/llm/caller-formats.ts';
import { decodeChatRequest, type ChatRequest } from '../../shared/llm/chat/request.ts';
import { decodeMessagesRequest } from '../../shared/llm/messages/request.ts';
import type { MessagesRequest } from '../../shared/llm/messages/schema.ts';
import { decodeResponsesRequest, responsesEcho } from '../../shared/llm/responses/request.ts';
import type { ResponsesRequest } from '../../shared/llm/responses/schema.ts';
import { decodeRuntimeChatRequest, decodeRuntimeGenerateRequest } from '../../shared/llm/runtime/request.ts';
import type { RuntimeChatRequest, RuntimeGenerateRequest } from '../../shared/llm/runtime/schema.ts';
import type { Fields, Turn } from '../../shared/llm/turn.ts';
import { toSeconds } from '../../shared/time.ts';
import type { sent } from './asked.ts';

export interface TranslationParts extends TurnParts {
  readonly newId: () => string;
}

/** A request in the format of its path. */
export type Question =
  | { readonly format: 'generate'; readonly body: RuntimeGenerateRequest }
  | { readonly format: 'runtime'; readonly body: RuntimeChatRequest }
  | { readonly format: 'chat'; readonly body: ChatRequest }
  | { readonly format: 'messages'; readonly body: MessagesRequest }
  | { readonly format: 'responses'; readonly body: ResponsesRequest };

type Asker = Pick<ReturnType<typeof sent>, 'waitUntil'> & Pick<Parameters<typeof completeTurn>[1], 'actor'>;

/** Asks a model the way every other model is asked, and answers in the words of the question. */
export const answerTranslated = (parts: TranslationParts, asker: Asker, question: Question, target: Target) =>
  answerTurn(parts, { ...asker, turn: turnOf(question), manner: mannerOf(parts, question) }, target);

/** The same from the start: the model is looked up and the plan is asked. */
export const completeTranslated = (parts: TranslationParts, asker: Asker, question: Question) =>
  completeTurn(parts, { ...asker, turn: turnOf(question), manner: mannerOf(parts, question) });

function turnOf(question: Question): Turn {
  switch (question.format) {
    case 'generate':
      return decodeRuntimeGenerateRequest(question.body);
    case 'runtime':
      return decodeRuntimeChatRequest(question.body);
    case 'chat':
      return decodeChatRequest(question.body);
    case 'messages':
      return decodeMessagesRequest(question.body);
    case 'responses':
      return decodeResponsesRequest(question.body);
  }
}

const mannerOf = ({ newId, now }: TranslationParts, question: Question): Pick<Manner, 'format' | 'head'> => ({
  format: CALLER_FORMATS[question.format],
  head: { id: newId(), model: question.body.model, created: toSeconds(now()), ...besides(question) },
});

function besides(question: Question): Fields {
  if (question.format === 'responses') return { echo: responsesEcho(question.body) };
  return question.format === 'chat' ? { wantsUsage: question.body.stream_options?.include_usage === true } : {};
}
