import { notFound } from '../../shared/errors.ts';
import type { ChatPatch, NewChat } from '../../shared/chat/input.ts';
import { chatJson, headView } from '../../shared/chat/view.ts';
import type { StoredChat } from '../../shared/chat/reader.ts';
import type { UserActor } from '../../shared/identity/actor.ts';
import { log } from '../../shared/log.ts';
import type { RoutedEvent } from '../../shared/realtime/event.ts';
import { jsonAnswer } from './answer.ts';
import { demandFolder } from './folders.ts';
import type { ChatsStore } from './store.ts';
import { titleView } from './title.ts';

export const PAGE_SIZE = 60;

export const noChat = () => notFound('Chat');

/** Nobody learns whether a chat they cannot see exists: absent and somebody else's are the same answer. */
export function demandChat<T>(found: T | undefined): T {
  if (found === undefined) throw noChat();
  return found;
}

export const refOf = (actor: UserActor, chatId: string) => ({ owner: actor.userId, chatId });

export const wholeChat = (chat: StoredChat) => jsonAnswer(chatJson(chat));

export interface Creating {
  readonly chat: NewChat;
  readonly folder_id?: string | null;
}

export interface Merging {
  readonly chatId: string;
  readonly patch: ChatPatch;
  /** The caller does not want the whole chat back. */
  readonly isMinimal: boolean;
}

export const createChats = (store: ChatsStore) => ({
  async create(actor: UserActor, { chat, folder_id: folderId = null }: Creating) {
    if (folderId !== null) await demandFolder(store, actor, folderId);
    const header = await store.create(actor.userId, chat, { folderId });
    return wholeChat(demandChat(await store.read(header)));
  },
  get: async (actor: UserActor, chatId: string) => wholeChat(demandChat(await store.read(refOf(actor, chatId)))),
  async merge(actor: UserActor, { chatId, patch, isMinimal }: Merging) {
    const header = demandChat(await store.merge(refOf(actor, chatId), patch));
    return isMinimal ? headView(header) : wholeChat(demandChat(await store.read(header)));
  },
  async delete(actor: UserActor, chatId: string) {
    if (!(await store.delete(refOf(actor, chatId)))) throw noChat();
    return true as const;
  },
  async deleteAll(actor: UserActor) {
    await store.deleteAll(actor.userId);
    return true as const;
  },
  async list(actor: UserActor, query: { page?: number; include_pinned: boolean; include_folders: boolean }) {
    const listing = {
      owner: actor.userId,
      shelves: [
        'chats' as const,
        ...(query.include_pinned ? ['pinned' as const] : []),
        ...(query.include_folders ? ['foldered' as const] : []),
      ],
    };
    const headers =
      query.page === undefined ? await store.list(listing) : await store.page(listing, query.page, PAGE_SIZE);
    return headers.map((header) => titleView(header));
  },
});

export interface MessageAddress {
  readonly chatId: string;
  readonly messageId: string;
}

/** Tells the owner's open tabs. */
export type Push = (userId: string, event: RoutedEvent) => Promise<unknown>;

export const createMessages = (store: ChatsStore, push: Push) => ({
  async edit(actor: UserActor, { chatId, messageId }: MessageAddress, content: string) {
    const ref = { ...refOf(actor, chatId), messageId };
    if (!(await store.setMessageFields(ref, { content }))) throw notFound('Message');
    await store.touch(ref);
    const data = { type: 'chat:message', data: { content } };
    await push(actor.userId, { chat_id: chatId, message_id: messageId, data }).catch((error: unknown) => {
      log.warn('edit not shown', { id: chatId, error }); // it is stored; other tabs see it when they load the chat
    });
    return wholeChat(demandChat(await store.read(ref)));
  },
  async delete(actor: UserActor, { chatId, messageId }: MessageAddress) {
    const header = await store.deleteMessage({ ...refOf(actor, chatId), messageId });
    if (!header) throw notFound('Message');
    return wholeChat(demandChat(await store.read(header)));
  },
});
