import { invalidField } from '../../shared/errors.ts';
import { fromRaw, toRaw, type Fields, type RawFields } from '../../shared/chat/fields.ts';
import { isPlausibleId } from '../../shared/chat/keys.ts';
import type { StoredChat } from '../../shared/chat/reader.ts';
import { historyFields, type NewChatRows } from '../../shared/chat/writer.ts';
import type { Millis } from '../../shared/time.ts';
import { tagIdOf } from '../../shared/chat/tags.ts';

/** A chat as this system, an older one or a relative of it has exported it. */
export interface Imported {
  readonly chat: Fields;
  readonly meta?: { readonly tags?: readonly string[] } | null;
  readonly pinned?: boolean | null;
  readonly folder_id?: string | null;
  readonly created_at?: number | null;
  readonly updated_at?: number | null;
}

export interface Placing {
  readonly owner: string;
  readonly chatId: string;
  readonly now: Millis;
  /** Where in the request it stood, for messages about what is wrong with it. */
  readonly index?: number;
}

/** Takes what is there: exports of other systems lack fields that ours must have, but never their messages' ids. */
export function importedRows({ chat, ...about }: Imported, placing: Placing): NewChatRows {
  const { title, history, messages: flat, currentId: _derived, ...body } = chat;
  const { currentId, messages, ...rest } = isObject(history) ? history : {};
  const list = isObject(messages) ? Object.entries(messages) : chain(Array.isArray(flat) ? flat : []);
  const fields = new Map(list.map(([id, message]) => [id, messageFields(id, message, placing.index ?? 0)]));
  const current = typeof currentId === 'string' && fields.has(currentId) ? currentId : [...fields.keys()].at(-1);
  return {
    header: headerOf({ title, currentId: current ?? null, about, placing }),
    body: { models: [], files: [], tags: [], params: {}, ...body, ...historyFields(rest) },
    messages: fields,
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Before there were trees, a chat was a list: each message answers the one before. */
const chain = (messages: readonly unknown[]): [string, unknown][] =>
  messages.map((message, i) => {
    const previous = messages[i - 1];
    const parentId = isObject(previous) ? previous['id'] : null;
    const id = isObject(message) ? message['id'] : undefined;
    return [typeof id === 'string' ? id : '', isObject(message) ? { parentId, ...message } : message];
  });

function messageFields(id: string, message: unknown, index: number): RawFields {
  const loc = ['body', 'chats', index, 'chat', 'history', 'messages', id];
  if (!isPlausibleId(id)) throw invalidField(loc, 'A message needs an id of letters, digits, dots and dashes');
  if (!isObject(message)) throw invalidField(loc, 'A message is an object');
  return toRaw({ ...message, id });
}

interface HeaderParts {
  readonly title: unknown;
  readonly currentId: string | null;
  readonly about: Omit<Imported, 'chat'>;
  readonly placing: Placing;
}

function headerOf({ title, currentId, about, placing: { owner, chatId, now } }: HeaderParts): NewChatRows['header'] {
  const millis = (seconds: number | null | undefined) => (seconds == null ? now : ((seconds * 1000) as Millis));
  return {
    owner,
    chatId,
    title: typeof title === 'string' && title !== '' ? title : 'New Chat',
    createdAt: millis(about.created_at),
    updatedAt: millis(about.updated_at),
    currentId,
    archived: false,
    pinned: about.pinned ?? false,
    folderId: about.folder_id ?? null,
    shareId: null,
    tags: (about.meta?.tags ?? []).map(tagIdOf),
  };
}

/** The copy starts at the top of the list, belongs to nobody's link, and remembers where it comes from. */
export function clonedRows(original: StoredChat, { chatId, now, title }: Placing & { title?: string }): NewChatRows {
  const fresh = { chatId, createdAt: now, updatedAt: now, shareId: null, archived: false, pinned: false };
  const origin = { originalChatId: original.header.chatId, branchPointMessageId: original.currentId };
  return {
    header: { ...original.header, ...fresh, title: title ?? `Clone of ${original.header.title}` },
    body: { ...fromRaw(original.body), ...origin },
    messages: new Map([...original.messages].map(([id, { fields }]) => [id, fields])),
  };
}
