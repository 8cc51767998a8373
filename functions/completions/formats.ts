import { CALLER_FORMATS } from '../../shared/llm/caller-formats.ts';
import { decodeChatRequest } from '../../shared/llm/chat/request.ts';
import type { ChatMessage } from '../../shared/llm/chat/message.ts';
import { decodeMessagesRequest } from '../../shared/llm/messages/request.ts';
import type { MessagesRequest } from '../../shared/llm/messages/schema.ts';
import { decodeResponsesRequest, responsesEcho } from '../../shared/llm/responses/request.ts';
import type { ResponsesRequest } from '../../shared/llm/responses/schema.ts';
import type { Connection } from '../../shared/http/route.ts';
import type { UserActor } from '../../shared/identity/actor.ts';
import { LIMIT } from '../../shared/completion/admission.ts';
import { CHORES, type ChoreName } from '../../shared/completion/chore.ts';
import { completeTurn, type TurnParts, type TurnRequest } from '../../shared/completion/complete-turn.ts';
import { wholeAnswer } from '../../shared/completion/deliver.ts';
import { refuseExtensions, withoutOwn, type GatewayFields } from '../../shared/completion/own-fields.ts';
import { AppError } from '../../shared/errors.ts';
import type { Fields, Turn } from '../../shared/llm/turn.ts';
import { toSeconds } from '../../shared/time.ts';
import { doChore, type ChoreParts } from './chores.ts';
import type { Answered } from '../../shared/http/streamed.ts';

export interface FormatParts extends TurnParts, ChoreParts {
  readonly newId: () => string;
}

interface Asked<Body> {
  readonly actor: UserActor;
  readonly body: Body;
  readonly waitUntil: Connection['waitUntil'];
}

const headOf = ({ newId, now }: FormatParts, model: string) => ({ id: newId(), model, created: toSeconds(now()) });

export const answerMessages = (parts: FormatParts, asked: Asked<MessagesRequest & GatewayFields>) =>
  answer(parts, asked, decodeMessagesRequest(asked.body), {
    format: CALLER_FORMATS.messages,
    head: headOf(parts, asked.body.model),
  });

export const answerResponses = (parts: FormatParts, asked: Asked<ResponsesRequest & GatewayFields>) =>
  answer(parts, asked, decodeResponsesRequest(asked.body), {
    format: CALLER_FORMATS.responses,
    head: { ...headOf(parts, asked.body.model), echo: responsesEcho(asked.body) },
  });

/** What steers the gateway works as in a chat completion, and is not shown to the model either. */
async function answer(
  parts: FormatParts,
  { actor, body, waitUntil }: Asked<GatewayFields & Fields>,
  turn: Turn,
  manner: TurnRequest['manner'],
): Promise<Answered> {
  refuseExtensions(body, parts.plugins.offers);
  // Whoever wants a reply in a chat must not believe that it is there.
  if (body.chat_id && body.id)
    throw new AppError('not_available', 'Replies are written into a chat by /api/chat/completions only', {
      facts: { param: 'chat_id' },
    });
  const seen = { ...turn, extra: withoutOwn(turn.extra) };
  return completeTurn(parts, { actor, waitUntil, asked: body, turn: seen, manner });
}

/** A chore by itself, as a completion whose content is the JSON that the chore asks for. */
export async function answerChore(
  parts: FormatParts,
  name: ChoreName,
  { actor, body }: Pick<Asked<{ model: string; messages: ChatMessage[] }>, 'actor' | 'body'>,
): Promise<Answered> {
  if (!parts.settings[CHORES[name].setting]) return Response.json({ detail: 'This task is switched off' });
  const target = await parts.targets.find(actor, body.model);
  const { messages } = decodeChatRequest({ model: body.model, messages: body.messages });
  const reservation = await parts.quota.reserve(actor, LIMIT);
  try {
    const reply = await doChore(parts, name, { actor, target, messages });
    const head = headOf(parts, body.model);
    return wholeAnswer(reply, { format: CALLER_FORMATS.chat, head, isStreamed: false, isChat: true });
  } catch (error) {
    await reservation.release();
    throw error;
  }
}
