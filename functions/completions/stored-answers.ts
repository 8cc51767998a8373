import { createChatStore } from '../../shared/chat/store.ts';
import { createReplyChannel } from '../../shared/realtime/reply-channel.ts';
import { answerStored, type Stored, type StoredParts } from './answer-stored.ts';
import type { Answered } from '../../shared/http/streamed.ts';

const chats = createChatStore();

/** The composition root of everything that only replies in chats need: the chat store and the socket. */
export const createStoredAnswers =
  (parts: Omit<StoredParts, 'chats' | 'openChannel'>) =>
  (stored: Stored): Promise<Answered> =>
    answerStored({ ...parts, chats, openChannel: (target) => createReplyChannel(target, { chats }) }, stored);
