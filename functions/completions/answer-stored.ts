import { createFramer, jsonAnswer, streamedAnswer, wholeAnswer, type Manner } from '../../shared/completion/deliver.ts';
import type { Passage } from '../../shared/completion/pipeline.ts';
import type { Scope } from '../../shared/completion/plugins.ts';
import type { Ask, Speech } from '../../shared/completion/speech.ts';
import type { ChatStore } from '../../shared/chat/store.ts';
import { conflict } from '../../shared/errors.ts';
import type { Answered, Sink } from '../../shared/http/streamed.ts';
import type { Reply } from '../../shared/llm/reply.ts';
import type { Reservation } from '../../shared/plans/quota.ts';
import type { ReplyChannel } from '../../shared/realtime/reply-channel.ts';
import type { EventTarget } from '../../shared/realtime/emitter.ts';
import type { Settings } from '../../shared/settings/variables.ts';
import { doChores, type ChoreParts } from './chores.ts';
import type { KeeperParts } from './keeper.ts';
import type { Mode } from './mode.ts';
import { runOutlets } from './outlet.ts';
import { createStoredReply, type Audience, type StoredReply } from './reply.ts';
import type { Request } from './service.ts';
import type { Place } from './store.ts';
import { createTeller } from './teller.ts';

export interface StoredParts extends Omit<KeeperParts, 'chats'>, Omit<ChoreParts, 'settings'> {
  readonly chats: Pick<ChatStore, 'saveReply' | 'setMessageFields'>;
  readonly openChannel: (target: EventTarget) => ReplyChannel;
  readonly settings: ChoreParts['settings'] & Pick<Settings, 'BUILD_CHANNEL'>;
}

export interface Stored {
  readonly request: Request;
  readonly mode: Extract<Mode, { kind: 'stored' }>;
  readonly scope: Scope;
  readonly passage: Passage;
  readonly ask: Ask;
  readonly manner: Manner;
  readonly place: Place | undefined;
  readonly reservation: Reservation;
}

/** The reply belongs to a chat: it is written there to its end, whatever becomes of the caller. */
export async function answerStored(parts: StoredParts, stored: Stored): Promise<Answered> {
  const { request, mode, passage, ask } = stored;
  const { chatId, messageId, sessionId } = mode;
  const channel = parts.openChannel({ userId: request.actor.userId, chatId, messageId, sessionId });
  const ref = { owner: request.actor.userId, chatId, messageId };
  const chats = stored.place ? parts.chats : UNSTORED;
  const reply = createStoredReply({ ...parts, chats }, ref, createTeller(channel));
  const telling: Telling = { parts, stored, reply, channel };
  const begun = passage.speak(ask, reply.signal).catch(async (error: unknown) => {
    request.waitUntil(stored.reservation.release());
    await reply.fail(error);
    request.waitUntil(reply.settled());
    throw reply.signal.aborted ? conflict('The reply was stopped') : error;
  });
  if (sessionId === undefined) return answerCaller(telling, await begun);
  request.waitUntil(tellAlone(telling, begun));
  await reply.announced;
  return Response.json({ status: true, task_id: reply.taskId, task_ids: [reply.taskId], chat_id: chatId });
}

/** A chat that lives only in the browser: its reply is told, and kept by nobody. */
const UNSTORED: KeeperParts['chats'] = { saveReply: async () => true };

interface Telling {
  readonly parts: StoredParts;
  readonly stored: Stored;
  readonly reply: StoredReply;
  readonly channel: ReplyChannel;
}

/** Nobody waits for this answer: what goes wrong stands in the message. */
async function tellAlone(telling: Telling, begun: Promise<Speech>): Promise<void> {
  const speech = await begun.catch(() => undefined);
  if (speech) await tellAll(telling, speech).after;
}

function answerCaller(telling: Telling, speech: Speech): Promise<Answered> | Answered {
  const { manner, request } = telling.stored;
  if (!manner.isStreamed) return answerWhole(telling, speech);
  return streamedAnswer(manner.format, async (sink) => {
    const told = tellAll(telling, speech, audienceAt(sink, manner));
    request.waitUntil(told.after);
    await told.reply;
  });
}

/** One object, when the message is complete. */
async function answerWhole(telling: Telling, speech: Speech): Promise<Answered> {
  const { manner, request } = telling.stored;
  const told = tellAll(telling, speech);
  request.waitUntil(told.after);
  const reply = await told.reply;
  return speech.json ? jsonAnswer(speech.json) : wholeAnswer(reply, manner);
}

function audienceAt(sink: Sink, manner: Manner): Audience {
  const framesOf = createFramer(manner);
  return {
    relay: (chunk) => void sink.write(chunk),
    hear(events) {
      const frames = framesOf(events);
      if (frames !== '') void sink.write(frames);
    },
  };
}

/** The reply itself, and everything that follows it. */
function tellAll(
  telling: Telling,
  speech: Speech,
  audience?: Audience,
): { reply: Promise<Reply>; after: Promise<void> } {
  const reply = telling.reply.tell(speech, audience);
  return { reply, after: reply.then((said) => finishUp(telling, said)) };
}

async function finishUp({ parts, stored, reply, channel }: Telling, said: Reply): Promise<void> {
  const { request, mode, ask, scope, manner, passage, place } = stored;
  const ref = { owner: request.actor.userId, chatId: mode.chatId, messageId: mode.messageId };
  if (!said.error && !manner.isStreamed && parts.settings.BUILD_CHANNEL === 'prerelease')
    await runOutlets({ passage, scope, request, reply: said, channel, ref, chats: parts.chats });
  await reply.settled();
  if (said.error || reply.signal.aborted || !place) return;
  const messages = [
    ...ask.turn().messages,
    { role: 'assistant' as const, parts: [{ type: 'text' as const, text: said.text }] },
  ];
  await doChores(parts, {
    actor: request.actor,
    target: scope.target,
    messages,
    asked: request.body.background_tasks,
    channel,
    keepFollowUps: (followUps) => parts.chats.setMessageFields(ref, { followUps }),
  });
}
