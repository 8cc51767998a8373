import type { ChatHeader } from '../../shared/chat/header.ts';
import { toSeconds } from '../../shared/time.ts';

/** A chat as lists show it. */
export const titleView = (header: ChatHeader, snippet?: string) => ({
  id: header.chatId,
  title: header.title,
  updated_at: toSeconds(header.updatedAt),
  created_at: toSeconds(header.createdAt),
  ...(snippet !== undefined && { snippet }),
});
