import type { MessageRef } from '../chat/keys.ts';
import type { ChatStore } from '../chat/store.ts';
import type { UiEvent } from './event.ts';
import { persistence } from './persistence.ts';

/** The part of the chat store that events change. */
export type EventStore = Pick<
  ChatStore,
  'appendToMessage' | 'appendToList' | 'setMessageFields' | 'setTitle' | 'setTags'
>;

/** Chats that live only in the browser, or belong to a channel, are not stored. */
const isStored = (chatId: string) => !/^(local|temporary|channel):/.test(chatId);

/** False when the message or its chat is not there. */
export async function persistEvent(store: EventStore, ref: MessageRef, event: UiEvent): Promise<boolean> {
  if (!isStored(ref.chatId)) return true;
  const change = persistence(event);
  switch (change.kind) {
    case 'nothing':
      return true;
    case 'append-text':
      return store.appendToMessage(ref, change.text);
    case 'append-items':
      return store.appendToList(ref, change.field, change.items);
    case 'set-fields':
      return store.setMessageFields(ref, change.fields);
    case 'set-title':
      return (await store.setTitle(ref, change.title)) !== undefined;
    case 'set-tags':
      return (await store.setTags(ref, change.tags)) !== undefined;
  }
}
