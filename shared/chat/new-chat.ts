import type { Millis } from '../time.ts';
import { toRaw } from './fields.ts';
import type { NewChat } from './input.ts';
import { historyFields, type NewChatRows } from './writer.ts';

export interface Creation {
  readonly owner: string;
  readonly chatId: string;
  readonly chat: NewChat;
  readonly folderId: string | null;
  readonly now: Millis;
}

/** The rows of a chat that does not exist yet. The flat list is left out: the history is what counts. */
export function newChatRows({ owner, chatId, chat, folderId, now }: Creation): NewChatRows {
  const { title, history, messages: _flat, currentId: _derived, ...body } = chat;
  const { currentId, messages, ...rest } = history;
  return {
    header: {
      owner,
      chatId,
      title,
      createdAt: now,
      updatedAt: now,
      currentId,
      archived: false,
      pinned: false,
      folderId,
      shareId: null,
      tags: [],
    },
    body: { ...body, ...historyFields(rest) },
    messages: new Map(
      Object.entries(messages).map(([id, message]) => [
        id,
        toRaw(message.role === 'assistant' ? { done: false, ...message } : message),
      ]),
    ),
  };
}
