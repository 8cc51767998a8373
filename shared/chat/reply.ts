import { AppError } from '../errors.ts';
import { ConditionFailed, isCode } from '../store/dynamodb.ts';
import { when, type Change } from '../store/expression.ts';
import type { Row } from '../store/table.ts';
import type { Millis } from '../time.ts';
import { objectsIn, packFields, packItem, putAside, toRaw, type Fields } from './fields.ts';
import { changeHeader, chats } from './header.ts';
import { messageFolder, messageKey, type MessageRef } from './keys.ts';
import type { Objects } from './objects.ts';
import { readMessage } from './row.ts';
import { STILL_THERE } from './save.ts';

/** What a running completion knows of its message. Only what is given is written. */
export interface ReplyFields extends Fields {
  readonly content?: string;
  readonly done?: boolean;
}

export interface Writing {
  readonly ref: MessageRef;
  readonly objects: Objects;
  readonly now: Millis;
}

/**
 * One checkpoint of a reply, or its end (`done: true`, which also brings the chat to the top of the list). Touches only the
 * fields it is given, so a save by a client cannot be wiped by it. False when the message or its chat is gone.
 */
export async function saveReply({ ref, objects, now }: Writing, fields: ReplyFields): Promise<boolean> {
  const isDone = fields.done === true;
  const state = { reply: isDone ? 'done' : 'running', replyAt: now };
  const isSaved = await setFields({ ref, objects, now }, fields, state);
  if (isSaved && isDone) await changeHeader(ref, () => ({ updatedAt: now }));
  return isSaved;
}

/** Sets fields of a message as the server, whatever a client has saved there. */
export async function setFields({ ref, objects }: Writing, fields: Fields, state: Fields = {}): Promise<boolean> {
  const raw = toRaw(fields);
  const { set, remove, made } = await packFields(raw, messageFolder(ref, ref.messageId), objects);
  const appended = [...raw.keys()].map((name) => `l_${name}`);
  const change = { set: { ...set, ...state }, remove: [...remove, ...appended], add: { revision: 1 } };
  const before = await write(ref, change).catch(async (error: unknown) => {
    await objects.delete(made);
    throw error;
  });
  await objects.delete(before ? objectsIn(before) : made);
  return before !== undefined;
}

/** Appends to a list of the message (statuses, files, sources …) in one atomic write. */
export async function appendItems(writing: Writing, field: string, items: readonly unknown[]): Promise<boolean> {
  const { ref, objects } = writing;
  const folder = `${messageFolder(ref, ref.messageId)}${encodeURIComponent(field)}/`;
  const packed = await Promise.all(items.map((item) => packItem(item, folder, objects)));
  return (await write(ref, { append: { [`l_${field}`]: packed }, add: { revision: 1 } })) !== undefined;
}

/** Appends text to the content. Pieces are kept apart until there are too many for one row. */
export async function appendText(writing: Writing, text: string): Promise<boolean> {
  const { ref, objects } = writing;
  const piece = await packItem(text, `${messageFolder(ref, ref.messageId)}content/`, objects);
  const change = { append: { l_content: [piece] }, add: { revision: 1 } };
  try {
    return (await write(ref, change)) !== undefined;
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'payload_too_large')) throw error;
  }
  await joinPieces(writing);
  return (await write(ref, change)) !== undefined;
}

/** The pieces become one object. When more arrive meanwhile, whoever meets the full row next tries again. */
async function joinPieces({ ref, objects }: Writing) {
  const row = await chats.get(messageKey(ref, ref.messageId));
  const message = await readMessage(row, objects);
  if (!message || !row) return;
  const folder = `${messageFolder(ref, ref.messageId)}content/`;
  const whole = await putAside(message.fields.get('content') ?? '""', folder, objects);
  const change = { set: { s_content: whole }, remove: ['f_content', 'l_content'], add: { revision: 1 } };
  const isUnchanged = when(`${STILL_THERE} AND #revision = :revision`, { revision: message.revision });
  const before = await swap(ref, change, isUnchanged);
  await objects.delete(before ? objectsIn(before) : [whole]);
}

const write = (ref: MessageRef, change: Change) => swap(ref, change, when(STILL_THERE));

/** What stood there before, or undefined when the condition does not hold. */
async function swap(ref: MessageRef, change: Change, condition: ReturnType<typeof when>): Promise<Row | undefined> {
  try {
    return await chats.swap(messageKey(ref, ref.messageId), change, condition);
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined;
    if (isCode(error, 'ValidationException') && /size/i.test(error.message))
      throw new AppError('payload_too_large', 'This message cannot take more', { cause: error });
    throw error;
  }
}
