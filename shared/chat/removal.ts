import { batchWrite } from '../store/batch-write.ts';
import { ConditionFailed } from '../store/dynamodb.ts';
import { present, when } from '../store/expression.ts';
import { transact, putting, updating, type Operation } from '../store/transaction.ts';
import { toSeconds, type Clock, type Millis } from '../time.ts';
import { changeHeader, chats, shelfPartition, type ChatHeader } from './header.ts';
import {
  chatFolder,
  chatPartition,
  headKey,
  messageFolder,
  messageKey,
  ownerKey,
  shareKey,
  type ChatRef,
} from './keys.ts';
import { ALL_SHELVES, listHeaders } from './listing.ts';
import type { Objects } from './objects.ts';
import { readChat, type StoredChat } from './reader.ts';
import { linkOf } from './row.ts';
import { STILL_THERE } from './save.ts';
import { leafBelow, removeMessage, toTree, type Removal } from './tree.ts';

/**
 * Deletes a chat with everything that belongs to it; false when there was none. It vanishes with the first write; a
 * deletion that dies half-way stays on a shelf of its own, where the owner's next one finds and finishes it.
 */
export async function deleteChat(ref: ChatRef, objects: Objects, now: Millis): Promise<boolean> {
  const before = await markDeleted(ref, now);
  if (!before) return false;
  await sweep(ref, before.shareId, objects);
  return !before.wasDeleted;
}

async function markDeleted(ref: ChatRef, now: Millis) {
  const index = { gsi1pk: shelfPartition(ref.owner, 'deleted'), gsi1sk: ref.chatId };
  try {
    const change = { set: { ...index, shareId: null, deletedAt: now } };
    const { shareId, deletedAt } = await chats.swap(headKey(ref), change, present);
    return { shareId: typeof shareId === 'string' ? shareId : undefined, wasDeleted: deletedAt !== undefined };
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined;
    throw error;
  }
}

const AT_ONCE = 500;

async function sweep(ref: ChatRef, shareId: string | undefined, objects: Objects) {
  await objects.deleteFolder(chatFolder(ref));
  const keys = [ownerKey(ref.chatId), ...(shareId ? [shareKey(shareId)] : [])];
  const drop = () =>
    batchWrite(
      chats,
      keys.splice(0).map((remove) => ({ remove })),
    );
  for await (const { sk } of chats.walk({ pk: chatPartition(ref) })) {
    if (sk !== 'HEAD') keys.push({ pk: chatPartition(ref), sk: String(sk) });
    if (keys.length >= AT_ONCE) await drop();
  }
  await drop();
  await chats.delete(headKey(ref));
}

/** Everything an owner has, also what an earlier deletion has left half done. */
export async function deleteAllChats(owner: string, objects: Objects, now: Clock): Promise<void> {
  for (const header of await listHeaders({ owner, shelves: ALL_SHELVES })) await deleteChat(header, objects, now());
  for await (const row of chats.walk({ index: 'gsi1', pk: shelfPartition(owner, 'deleted') })) {
    const ref = { owner, chatId: String(row['gsi1sk']) };
    if (row['deletedAt'] !== undefined) await sweep(ref, undefined, objects);
  }
}

/** How long an old copy of a chat, saved by a tab that slept, must not bring a deleted message back. */
const TOMBSTONE_SECONDS = 90 * 86_400;

export interface MessageRemoval {
  readonly ref: ChatRef;
  readonly messageId: string;
  readonly objects: Objects;
  readonly now: Millis;
}

/** Undefined when the chat or the message is not there. */
export async function deleteMessage({ ref, messageId, objects, now }: MessageRemoval): Promise<ChatHeader | undefined> {
  const chat = await readChat(ref, objects);
  if (!chat?.tree.has(messageId)) return undefined;
  const removal = removeMessage(chat.tree, messageId);
  const ttl = toSeconds(now) + TOMBSTONE_SECONDS;
  const tombstones = removal.removed.map((id) => putting(id, chats, { ...messageKey(ref, id), gone: true, ttl }));
  await inTransactions([...removal.moved.map((move) => moving(ref, move)), ...tombstones]);
  for (const id of removal.removed) await objects.deleteFolder(messageFolder(ref, id));
  const currentId = currentAfter(chat, removal, messageId);
  return changeHeader(ref, () => ({ currentId, updatedAt: now }), chat.header);
}

const moving = (ref: ChatRef, { id, parentId }: Removal['moved'][number]): Operation =>
  updating(id, chats, messageKey(ref, id), {
    set: { f_parentId: JSON.stringify(parentId) },
    if: when(STILL_THERE),
  });

const PER_TRANSACTION = 100;

/** Children move before their parent goes, so a stop in between leaves nothing unreachable. */
async function inTransactions(operations: readonly Operation[]) {
  for (let at = 0; at < operations.length; at += PER_TRANSACTION)
    await transact(operations.slice(at, at + PER_TRANSACTION));
}

function currentAfter({ tree, currentId, messages }: StoredChat, { removed, moved }: Removal, messageId: string) {
  const gone = new Set(removed);
  if (currentId === null || !gone.has(currentId)) return currentId;
  const parents = new Map(moved.map(({ id, parentId }) => [id, parentId]));
  const links = [...messages.values()].filter(({ id }) => !gone.has(id)).map(linkOf);
  const left = toTree(
    links.map((link) => ({ ...link, parentId: parents.get(link.id) ?? tree.get(link.id)?.parentId ?? null })),
  );
  return leafBelow(left, tree.get(messageId)?.parentId ?? null);
}
