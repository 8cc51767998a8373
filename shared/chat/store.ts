import { newId as randomId } from '../ids.ts';
import { systemClock, type Clock } from '../time.ts';
import type { Fields } from './fields.ts';
import { changeHeader, chats, readHeader, type ChatHeader } from './header.ts';
import type { ChatPatch, NewChat } from './input.ts';
import { isPlausibleId, ownerKey, type ChatRef, type MessageRef } from './keys.ts';
import { mergeChat } from './merge-chat.ts';
import { newChatRows } from './new-chat.ts';
import { createObjects, type Objects } from './objects.ts';
import { readChat, readOneMessage, type StoredChat } from './reader.ts';
import { appendItems, appendText, saveReply, setFields, type ReplyFields } from './reply.ts';
import type { StoredMessage } from './row.ts';
import { setTags } from './tags.ts';
import { insertChat } from './writer.ts';

/** Chats for every family that reads or writes them. Whatever is absent or not the owner's is undefined or false. */
export interface ChatStore {
  readonly objects: Objects;
  header(ref: ChatRef): Promise<ChatHeader | undefined>;
  read(ref: ChatRef): Promise<StoredChat | undefined>;
  message(ref: MessageRef): Promise<StoredMessage | undefined>;
  /** Whose chat this is; for callers that may act on chats of others. */
  ownerOf(chatId: string): Promise<string | undefined>;
  create(owner: string, chat: NewChat, options?: { readonly folderId?: string | null }): Promise<ChatHeader>;
  merge(ref: ChatRef, patch: ChatPatch): Promise<ChatHeader | undefined>;
  /** A checkpoint of a running reply, or its end with `done: true`. */
  saveReply(ref: MessageRef, fields: ReplyFields): Promise<boolean>;
  appendToMessage(ref: MessageRef, text: string): Promise<boolean>;
  appendToList(ref: MessageRef, field: string, items: readonly unknown[]): Promise<boolean>;
  setMessageFields(ref: MessageRef, fields: Fields): Promise<boolean>;
  setTitle(ref: ChatRef, title: string): Promise<ChatHeader | undefined>;
  setTags(ref: ChatRef, names: readonly string[]): Promise<ChatHeader | undefined>;
}

export interface ChatStoreParts {
  readonly now?: Clock;
  readonly newId?: () => string;
}

export function createChatStore({ now = systemClock, newId = randomId }: ChatStoreParts = {}): ChatStore {
  const objects = createObjects();
  const writing = (ref: MessageRef) => ({ ref, objects, now: now() });
  return {
    objects,
    header: async (ref) => (isOurs(ref) ? readHeader(ref) : undefined),
    read: async (ref) => (isOurs(ref) ? readChat(ref, objects) : undefined),
    message: async (ref) => (isOurs(ref) ? readOneMessage(ref, objects) : undefined),
    async ownerOf(chatId) {
      const owner = isPlausibleId(chatId) ? (await chats.get(ownerKey(chatId)))?.['owner'] : undefined;
      return typeof owner === 'string' ? owner : undefined;
    },
    async create(owner, chat, { folderId = null } = {}) {
      const rows = newChatRows({ owner, chat, folderId, chatId: newId(), now: now() });
      await insertChat(rows, objects);
      return rows.header;
    },
    merge: async (ref, patch) => (isOurs(ref) ? mergeChat({ ref, patch, objects, now: now() }) : undefined),
    saveReply: async (ref, fields) => isOurs(ref) && saveReply(writing(ref), fields),
    appendToMessage: async (ref, text) => isOurs(ref) && appendText(writing(ref), text),
    appendToList: async (ref, field, items) => isOurs(ref) && appendItems(writing(ref), field, items),
    setMessageFields: async (ref, fields) => isOurs(ref) && setFields(writing(ref), fields),
    setTitle: async (ref, title) => (isOurs(ref) ? changeHeader(ref, () => ({ title })) : undefined),
    setTags: async (ref, names) => (isOurs(ref) ? setTags(ref, names) : undefined),
  };
}

const isOurs = (ref: ChatRef & { readonly messageId?: string }) =>
  isPlausibleId(ref.chatId) && (ref.messageId === undefined || isPlausibleId(ref.messageId));
