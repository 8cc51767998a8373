import { changeFolder, insertFolder, listFolders, readFolder, removeFolder } from '../../shared/chat/folders.ts';
import { changeHeader, type ChatHeader, type HeaderChange } from '../../shared/chat/header.ts';
import { isPlausibleId, type ChatRef, type MessageRef } from '../../shared/chat/keys.ts';
import { listHeaders, pageOfHeaders } from '../../shared/chat/listing.ts';
import { deleteAllChats, deleteChat, deleteMessage } from '../../shared/chat/removal.ts';
import { readShare, shareChat, unshareChat } from '../../shared/chat/shares.ts';
import { createChatStore, type ChatStoreParts } from '../../shared/chat/store.ts';
import { addTag, listTagged, listTags, removeTag, setTags } from '../../shared/chat/tags.ts';
import { insertChat, type NewChatRows } from '../../shared/chat/writer.ts';

/** Everything this family asks of the table `chats` and the content bucket; the rows are described in shared/chat/keys.ts. */
export function createChatsStore({ now, newId }: Required<ChatStoreParts>) {
  const store = createChatStore({ now, newId });
  const { objects } = store;
  return {
    ...store,
    insert: (rows: NewChatRows) => insertChat(rows, objects),
    changeHeader: async (ref: ChatRef, decide: (header: ChatHeader) => HeaderChange) =>
      isPlausibleId(ref.chatId) ? changeHeader(ref, decide) : undefined,
    touch: (ref: ChatRef) => changeHeader(ref, () => ({ updatedAt: now() })),
    delete: async (ref: ChatRef) => isPlausibleId(ref.chatId) && deleteChat(ref, objects, now()),
    deleteAll: (owner: string) => deleteAllChats(owner, objects, now),
    deleteMessage: async (ref: MessageRef) =>
      isPlausibleId(ref.chatId) ? deleteMessage({ ref, messageId: ref.messageId, objects, now: now() }) : undefined,
    list: listHeaders,
    page: pageOfHeaders,
    tags: listTags,
    tagged: listTagged,
    addTag,
    removeTag,
    setTags,
    share: async (ref: ChatRef) =>
      isPlausibleId(ref.chatId) ? shareChat({ ref, objects, now: now(), newId }) : undefined,
    unshare: async (ref: ChatRef) => (isPlausibleId(ref.chatId) ? unshareChat(ref, objects) : undefined),
    readShare: async (shareId: string) => (isPlausibleId(shareId) ? readShare(shareId, objects) : undefined),
    folder: async (owner: string, folderId: string) =>
      isPlausibleId(folderId) ? readFolder(owner, folderId) : undefined,
    folders: listFolders,
    insertFolder,
    changeFolder,
    removeFolder,
  };
}

export type ChatsStore = ReturnType<typeof createChatsStore>;
