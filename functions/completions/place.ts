import { AppError, notFound } from '../../shared/errors.ts';
import type { ChatRef } from '../../shared/chat/keys.ts';
import type { UserActor } from '../../shared/identity/actor.ts';
import { isTemporary, type Mode } from './mode.ts';
import type { Place } from './store.ts';

export interface PlaceParts {
  readonly readPlace: (ref: ChatRef, messageId: string | undefined) => Promise<Place | undefined>;
}

/** The chat that a request names must be the caller's, and the message that is to receive the reply must be in it. */
export async function demandPlace({ readPlace }: PlaceParts, actor: UserActor, mode: Mode): Promise<Place | undefined> {
  if (mode.chatId === undefined || isTemporary(mode.chatId)) return undefined;
  const messageId = mode.kind === 'stored' ? mode.messageId : undefined;
  const place = await readPlace({ owner: actor.userId, chatId: mode.chatId }, messageId);
  if (!place) throw notFound('Chat');
  if (messageId !== undefined && !place.hasMessage)
    throw new AppError('not_found', 'Message not found: save the empty reply into the chat before asking for it');
  return place;
}
