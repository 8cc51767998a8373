import { chats, parseHeader, type ChatHeader } from '../../shared/chat/header.ts';
import { readFolder } from '../../shared/chat/folders.ts';
import { headKey, isPlausibleId, messageKey, type ChatRef } from '../../shared/chat/keys.ts';
import { batchGet } from '../../shared/store/batch.ts';

/** Where a reply will be written. */
export interface Place {
  readonly header: ChatHeader;
  readonly hasMessage: boolean;
  readonly folderPrompt: string;
}

/**
 * The chat, and whether the message that waits for the reply is there, in one read; a chat in a folder costs one more.
 * Undefined when the chat is absent or somebody else's.
 */
export async function readPlace(ref: ChatRef, messageId: string | undefined): Promise<Place | undefined> {
  if (!isPlausibleId(ref.chatId)) return undefined;
  const keys = [
    headKey(ref),
    ...(messageId !== undefined && isPlausibleId(messageId) ? [messageKey(ref, messageId)] : []),
  ];
  const [head, message] = await batchGet(keys.map((key) => ({ table: chats, key })));
  const header = parseHeader(head);
  if (!header) return undefined;
  const folder = header.folderId === null ? undefined : await readFolder(ref.owner, header.folderId);
  const prompt = folder?.data?.['system_prompt'];
  return {
    header,
    hasMessage: message !== undefined && message['gone'] !== true,
    folderPrompt: typeof prompt === 'string' ? prompt : '',
  };
}
