import { batchWrite, type BatchWrite } from '../store/batch-write.ts';
import { absent } from '../store/expression.ts';
import { packFields, toRaw, type Fields, type RawFields } from './fields.ts';
import { chats, headerRow, type ChatHeader } from './header.ts';
import { bodyKey, chatFolder, messageFolder, messageKey, ownerKey } from './keys.ts';
import type { Objects } from './objects.ts';
import { inTurns } from './turns.ts';

export interface NewChatRows {
  readonly header: ChatHeader;
  readonly body: Fields;
  readonly messages: ReadonlyMap<string, RawFields>;
}

/** The messages first and the header last: a chat is there completely or not at all. */
export async function insertChat({ header, body, messages }: NewChatRows, objects: Objects): Promise<void> {
  const packedBody = await packFields(toRaw(body), `${chatFolder(header)}body/`, objects);
  const rows: BatchWrite[] = [
    { put: { ...ownerKey(header.chatId), owner: header.owner } },
    { put: { ...bodyKey(header), ...packedBody.set } },
  ];
  await inTurns(messages, async ([id, fields]) => {
    const { set } = await packFields(fields, messageFolder(header, id), objects);
    rows.push({ put: { ...messageKey(header, id), ...set } });
  });
  await batchWrite(chats, rows);
  await chats.put(headerRow(header), absent);
}

/** Unknown fields of the history are kept beside those of the chat, under names that no chat field has. */
export const HISTORY = 'history/';
export const historyFields = (rest: Fields): Fields =>
  Object.fromEntries(Object.entries(rest).map(([name, value]) => [`${HISTORY}${name}`, value]));
