import { chats, parseHeader } from '../../shared/chat/header.ts';
import { headKey, isPlausibleId, type ChatRef } from '../../shared/chat/keys.ts';

/** All this family asks of the table `chats`: whether a chat is the caller's. Plugins lie in shared/plugins/store.ts. */
export const readHeader = async (ref: ChatRef) =>
  isPlausibleId(ref.chatId) ? parseHeader(await chats.get(headKey(ref))) : undefined;
