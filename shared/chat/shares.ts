import * as z from 'zod';
import type { Millis } from '../time.ts';
import { putAside } from './fields.ts';
import { changeHeader, chats, readHeader, type ChatHeader } from './header.ts';
import { chatFolder, shareKey, type ChatRef } from './keys.ts';
import type { Objects } from './objects.ts';
import { readChat } from './reader.ts';
import { chatJson } from './view.ts';

const Share = z.object({ owner: z.string(), chatId: z.string(), object: z.string() });

export interface Sharing {
  readonly ref: ChatRef;
  readonly objects: Objects;
  readonly now: Millis;
  readonly newId: () => string;
}

/** Takes a snapshot that stays as it is while the chat goes on; sharing again renews it under the same address. */
export async function shareChat({ ref, objects, now, newId }: Sharing): Promise<ChatHeader | undefined> {
  const chat = await readChat(ref, objects);
  if (!chat) return undefined;
  const header = await changeHeader(ref, ({ shareId }) => ({ shareId: shareId ?? newId() }), chat.header);
  if (!header?.shareId) return undefined;
  const snapshot = { ...chat, header: { ...header, chatId: header.shareId } };
  const object = await putAside([...chatJson(snapshot)].join(''), `${chatFolder(ref)}share/`, objects);
  const before = await chats.swap(shareKey(header.shareId), { set: { ...ref, object, sharedAt: now } });
  await objects.delete(typeof before['object'] === 'string' ? [before['object']] : []);
  return header;
}

/** Undefined when there is no such chat, false when it was not shared. */
export async function unshareChat(ref: ChatRef, objects: Objects): Promise<boolean | undefined> {
  const header = await readHeader(ref);
  if (!header) return undefined;
  if (header.shareId === null) return false;
  const before = await chats.delete(shareKey(header.shareId));
  await changeHeader(ref, () => ({ shareId: null }), header);
  if (before) await objects.delete([Share.parse(before).object]);
  return true;
}

/** The snapshot as JSON text. */
export async function readShare(shareId: string, objects: Objects): Promise<string | undefined> {
  const row = await chats.get(shareKey(shareId));
  return row && objects.get(Share.parse(row).object);
}
