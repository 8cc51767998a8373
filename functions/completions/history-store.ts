import type { ChatRef } from '../../shared/chat/keys.ts';
import { readThread } from '../../shared/chat/reader.ts';
import { createChatStore } from '../../shared/chat/store.ts';
import type { ChatMessage } from '../../shared/llm/chat/message.ts';
import { AppError } from '../../shared/errors.ts';
import { toPrompt } from './history.ts';

const chats = createChatStore();

/** The conversation of a stored chat from its first message down to this one. */
export async function readHistory(ref: ChatRef, messageId: string): Promise<ChatMessage[]> {
  const chat = await chats.read(ref);
  if (!chat?.messages.has(messageId))
    throw new AppError('not_found', 'Message not found: save the question into the chat before asking for its reply');
  return readThread(chat, messageId).flatMap(toPrompt);
}
