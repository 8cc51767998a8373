import type { CompletionRequest } from '../../shared/completion/own-fields.ts';

/**
 * How a completion is answered follows from which ids it names.
 *
 *   chat_id and id                 the reply is also written into that message
 *   chat_id, id and session_id     … and the caller hears of it by socket: it is acknowledged at once
 *   otherwise                      the reply is for the caller alone
 */
export type Mode =
  | { readonly kind: 'direct'; readonly chatId: string | undefined }
  | {
      readonly kind: 'stored';
      readonly chatId: string;
      readonly messageId: string;
      readonly sessionId: string | undefined;
    };

export function modeOf({ chat_id: chatId, id, session_id: sessionId }: CompletionRequest): Mode {
  if (!chatId || !id) return { kind: 'direct', chatId: chatId ?? undefined };
  return { kind: 'stored', chatId, messageId: id, sessionId: sessionId ?? undefined };
}

/** Chats that live only in the browser: nothing is stored, so there is nothing to own. */
export const isTemporary = (chatId: string) => /^(local|temporary):/.test(chatId);
