import type { Key } from '../store/table.ts';

/**
 * Rows of the table `chats`. The owner is part of every key, so nobody can reach what is not theirs.
 *
 *   CHAT#<owner>#<chat>   HEAD             what lists show; in gsi1 by shelf and recency
 *                         BODY             the other fields of the chat
 *                         MSG#<message>    one message
 *   CHAT#<chat>           OWNER            whose chat it is, for those who may act on chats of others
 *   USER#<owner>          FOLDER#<folder>, FOLDERNAME#<parent>#<name>, TAG#<tag>
 *   SHARE#<share>         META             a snapshot that signed-in people may read
 */
export interface ChatRef {
  readonly owner: string;
  readonly chatId: string;
}

export interface MessageRef extends ChatRef {
  readonly messageId: string;
}

const partition = ({ owner, chatId }: ChatRef) => `CHAT#${owner}#${chatId}`;

export const chatPartition = partition;
export const headKey = (ref: ChatRef): Key => ({ pk: partition(ref), sk: 'HEAD' });
export const bodyKey = (ref: ChatRef): Key => ({ pk: partition(ref), sk: 'BODY' });
export const messageKey = (ref: ChatRef, messageId: string): Key => ({ pk: partition(ref), sk: `MSG#${messageId}` });
export const ownerKey = (chatId: string): Key => ({ pk: `CHAT#${chatId}`, sk: 'OWNER' });
export const folderKey = (owner: string, folderId: string): Key => ({ pk: `USER#${owner}`, sk: `FOLDER#${folderId}` });
export const tagKey = (owner: string, tagId: string): Key => ({ pk: `USER#${owner}`, sk: `TAG#${tagId}` });
export const shareKey = (shareId: string): Key => ({ pk: `SHARE#${shareId}`, sk: 'META' });

/** Where the objects of a chat lie; removing the chat removes everything below. */
export const chatFolder = ({ owner, chatId }: ChatRef) => `chats/${owner}/${chatId}/`;
export const messageFolder = (ref: ChatRef, messageId: string) => `${chatFolder(ref)}${messageId}/`;

/** Ids come from address lines; what could not be one of ours is simply not found. */
export const isPlausibleId = (id: string) => /^[\w.:-]{1,128}$/.test(id);
