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
import { completeTurn, type TurnParts } from '../../shared/completion/complete-turn.ts';
import { wholeAnswer } from '../../shared/completion/deliver.ts';
import type { GatewayFields } from '../../shared/completion/own-fields.ts';
import { toSeconds } from '../../shared/time.ts';
import { doChore, type ChoreParts } from './chores.ts';

export interface FormatParts extends TurnParts, ChoreParts {
  readonly newId: () => string;
}

interface Asked<Body> {
  readonly actor: UserActor;
  readonly body: Body;
  readonly waitUntil: Connection['waitUntil'];
}

const headOf = ({ newId, now }: FormatParts, model: string) => ({ id: newId(), model, created: toSeconds(now()) });

export const answerMessages = (
  parts: FormatParts,
  { actor, body, waitUntil }: Asked<MessagesRequest & GatewayFields>,
) =>
  completeTurn(parts, {
    actor,
    waitUntil,
    asked: body,
    turn: decodeMessagesRequest(body),
    manner: { format: CALLER_FORMATS.messages, head: headOf(parts, body.model) },
  });

export const answerResponses = (
  parts: FormatParts,
  { actor, body, waitUntil }: Asked<ResponsesRequest & GatewayFields>,
) =>
  completeTurn(parts, {
    actor,
    waitUntil,
    asked: body,
    turn: decodeResponsesRequest(body),
    manner: { format: CALLER_FORMATS.responses, head: { ...headOf(parts, body.model), echo: responsesEcho(body) } },
  });

/** A chore by itself, as a completion whose content is the JSON that the chore asks for. */
export async function answerChore(
  parts: FormatParts,
  name: ChoreName,
  { actor, body }: Pick<Asked<{ model: string; messages: ChatMessage[] }>, 'actor' | 'body'>,
): Promise<Response> {
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
