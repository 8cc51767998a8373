import { chats, parseHeader, type ChatHeader } from './header.ts';
import { chatPartition, messageKey, type ChatRef, type MessageRef } from './keys.ts';
import { fromRaw, readFields, type RawFields } from './fields.ts';
import type { Objects } from './objects.ts';
import { linkOf, readMessage, type StoredMessage } from './row.ts';
import { currentOf, threadOf, toTree, type Tree } from './tree.ts';

/** A whole chat, with links that agree. */
export interface StoredChat {
  readonly header: ChatHeader;
  readonly body: RawFields;
  readonly messages: ReadonlyMap<string, StoredMessage>;
  readonly tree: Tree;
  readonly currentId: string | null;
}

const AT_ONCE = 200;

/** All rows of the chat lie in one partition: header, body and messages come page by page in one walk. */
export async function readChat(ref: ChatRef, objects: Objects): Promise<StoredChat | undefined> {
  let header: ChatHeader | undefined;
  let body: RawFields = new Map();
  const pending: Promise<StoredMessage | undefined>[] = [];
  const messages = new Map<string, StoredMessage>();
  const settle = async () => {
    for (const message of await Promise.all(pending.splice(0))) if (message) messages.set(message.id, message);
  };
  for await (const row of chats.walk({ pk: chatPartition(ref) })) {
    if (row['sk'] === 'HEAD') header = parseHeader(row);
    else if (row['sk'] === 'BODY') body = await readFields(row, objects);
    else pending.push(readMessage(row, objects));
    if (pending.length >= AT_ONCE) await settle();
    if (row['sk'] === 'HEAD' && !header) return undefined;
  }
  await settle();
  if (!header) return undefined;
  const tree = toTree([...messages.values()].map(linkOf));
  return { header, body, messages, tree, currentId: currentOf(tree, header.currentId) };
}

export const readOneMessage = async (ref: MessageRef, objects: Objects) =>
  readMessage(await chats.get(messageKey(ref, ref.messageId)), objects);

export type Message = Readonly<Record<string, unknown>> & { readonly id: string };

/** A stored message as callers see it, its links agreeing with those of the others. */
export function messageOf({ tree, messages }: StoredChat, id: string): Message | undefined {
  const stored = messages.get(id);
  const place = tree.get(id);
  if (!stored || !place) return undefined;
  const { parentId, ...fields } = fromRaw(stored.fields);
  const hasParent = parentId !== undefined || place.parentId !== null;
  return { ...fields, id, ...(hasParent && { parentId: place.parentId }), childrenIds: [...place.childrenIds] };
}

/** The messages from the first one down to this one, in the order in which they were said. */
export const readThread = (chat: StoredChat, id: string | null): Message[] =>
  threadOf(chat.tree, id).flatMap((step) => messageOf(chat, step) ?? []);
