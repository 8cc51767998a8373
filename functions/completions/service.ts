import { admit } from '../../shared/completion/admission.ts';
import { askChat } from '../../shared/completion/ask.ts';
import type { TurnParts } from '../../shared/completion/complete-turn.ts';
import { deliver, type Manner } from '../../shared/completion/deliver.ts';
import { refuseExtensions, type CompletionRequest } from '../../shared/completion/own-fields.ts';
import { openPassage } from '../../shared/completion/pipeline.ts';
import type { Scope } from '../../shared/completion/plugins.ts';
import type { Facts } from '../../shared/completion/targets.ts';
import type { ChatRef } from '../../shared/chat/keys.ts';
import type { Connection } from '../../shared/http/route.ts';
import type { UserActor } from '../../shared/identity/actor.ts';
import { callerFormat } from '../../shared/llm/caller-format.ts';
import { chatCaller } from '../../shared/llm/chat/protocol.ts';
import { toSeconds } from '../../shared/time.ts';
import type { Stored } from './answer-stored.ts';
import { modeOf } from './mode.ts';
import { demandPlace, type PlaceParts } from './place.ts';
import type { Answered } from '../../shared/http/streamed.ts';
import type { Place } from './store.ts';

export interface CompletionParts extends TurnParts, PlaceParts {
  /** Answers a request whose reply is written into a chat. */
  readonly answerStored: (stored: Stored) => Promise<Answered>;
  readonly newId: () => string;
  /** The conversation of a stored chat down to one of its messages. */
  readonly readHistory: (ref: ChatRef, messageId: string) => Promise<CompletionRequest['messages']>;
}

export interface Request {
  readonly actor: UserActor;
  readonly body: CompletionRequest;
  /** The body as it was sent, for where it can be passed on unchanged. */
  readonly text?: string;
  readonly waitUntil: Connection['waitUntil'];
  /** Whoever asks is still who they were when this request began. */
  readonly confirmed: Promise<void>;
}

/** A chat completion in all its modes. */
export async function complete(parts: CompletionParts, request: Request): Promise<Answered> {
  const { actor, body: sent, confirmed } = request;
  const mode = modeOf(sent);
  if (mode.kind === 'stored') await confirmed;
  refuseExtensions(sent, parts.plugins.offers);
  const { target, place, reservation } = await admit(parts, {
    actor,
    model: sent.model,
    facts: factsOf(sent),
    findPlace: () => demandPlace(parts, actor, mode),
    waitUntil: request.waitUntil,
  });
  try {
    const asked = sent.user_message?.id && place ? await withHistory(parts, request, place) : request;
    const { body, text } = asked;
    const scope = scopeOf(request, target);
    const passage = await openPassage(parts.plugins, parts.speaker(target), scope);
    if (!passage.isClear) await confirmed;
    const around = {
      target,
      author: actor,
      now: parts.now(),
      variables: body.variables ?? {},
      params: body.params ?? {},
      folderPrompt: place?.folderPrompt,
      isExamined: passage.isExamined,
    };
    const ask = await passage.inlet(askChat(body, around, text));
    const manner = chatManner(parts, body, ask.isStreamed);
    if (mode.kind === 'stored') {
      return await parts.answerStored({ request: asked, mode, scope, passage, ask, manner, place, reservation });
    }
    const abort = new AbortController();
    const speech = passage.speak(ask, abort.signal);
    return await deliver(await unlessRefused(speech, confirmed, abort), manner, abort);
  } catch (error) {
    // Nothing was answered, so nothing was used.
    request.waitUntil(reservation.release());
    throw error;
  }
}

/** The model may be asked before the caller is confirmed, as that can be taken back; its answer is for nobody else. */
async function unlessRefused<T>(speaking: Promise<T>, confirmed: Promise<void>, abort: AbortController): Promise<T> {
  speaking.catch(() => {}); // a refusal of the caller comes first
  try {
    await confirmed;
  } catch (error) {
    abort.abort(NOT_CONFIRMED);
    throw error;
  }
  return speaking;
}

const NOT_CONFIRMED = new Error('The caller was refused');

/** The stored conversation takes the place of the one that was sent; what the request says as the system stays. */
async function withHistory({ readHistory }: CompletionParts, request: Request, place: Place): Promise<Request> {
  const { actor, body } = request;
  const { chatId } = place.header;
  const said = await readHistory({ owner: actor.userId, chatId }, body.user_message?.id ?? '');
  const system = body.messages.filter(({ role }) => role === 'system' || role === 'developer');
  return { ...request, text: undefined, body: { ...body, messages: [...system, ...said] } };
}

const factsOf = ({ chat_id, id }: CompletionRequest): Facts => ({ CHAT_ID: chat_id ?? '', MESSAGE_ID: id ?? '' });

const scopeOf = ({ actor, body }: Request, target: Scope['target']): Scope => ({
  actor,
  target,
  asked: body,
  ...(body.chat_id && { chatId: body.chat_id }),
  ...(body.id && { messageId: body.id }),
  ...(body.session_id && { sessionId: body.session_id }),
});

const CHAT = callerFormat(chatCaller);

const chatManner = ({ newId, now }: CompletionParts, body: CompletionRequest, isStreamed: boolean): Manner => ({
  format: CHAT,
  isChat: true,
  isStreamed,
  head: {
    id: newId(),
    model: body.model,
    created: toSeconds(now()),
    wantsUsage: body.stream_options?.include_usage === true,
  },
});
