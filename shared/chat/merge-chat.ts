import { invalidField } from '../errors.ts';
import { batchGet } from '../store/batch.ts';
import { batchWrite } from '../store/batch-write.ts';
import { ConditionFailed } from '../store/dynamodb.ts';
import { present } from '../store/expression.ts';
import type { Row } from '../store/table.ts';
import type { Millis } from '../time.ts';
import { objectsIn, packFields, readFields, toRaw, type RawFields } from './fields.ts';
import { changeHeader, chats, parseHeader, type ChatHeader } from './header.ts';
import { NO_SUCH_MESSAGE, type ChatPatch } from './input.ts';
import { bodyKey, chatFolder, headKey, messageKey, type ChatRef } from './keys.ts';
import type { Plan } from './merge.ts';
import type { MessagePatch } from './message.ts';
import type { Objects } from './objects.ts';
import { isTombstone } from './row.ts';
import { performSave, planSave, type Save } from './save.ts';
import { inTurns } from './turns.ts';
import { historyFields } from './writer.ts';

export interface Merge {
  readonly ref: ChatRef;
  readonly patch: ChatPatch;
  readonly objects: Objects;
  readonly now: Millis;
}

/** Merges what was sent into the stored chat. Costs writes for what changes, however long the chat is. */
export async function mergeChat(merge: Merge): Promise<ChatHeader | undefined> {
  const { ref, objects, now } = merge;
  const parts = partsOf(merge.patch);
  const targets = await readTargets(ref, parts);
  if (!targets.header) return undefined;
  demandCurrent(parts, targets.messages);
  const saves = await planAll(merge, parts.messages, targets.messages);
  await inTurns(saves, ({ save, plan }) => performSave(save, plan));
  const isBodyChanged = await saveBody(ref, { fields: parts.body, row: targets.body, objects });
  const isChanged = isBodyChanged || saves.some(({ plan }) => plan.kind !== 'nothing') || moves(targets.header, parts);
  if (!isChanged) return targets.header;
  const header = await changeHeader(ref, () => ({ ...parts.header, updatedAt: now }), targets.header);
  if (!header) await takeBack(saves); // deleted meanwhile: nothing may be left behind
  return header;
}

interface Parts {
  readonly header: { readonly title?: string; readonly currentId?: string | null };
  readonly body: RawFields;
  readonly messages: Readonly<Record<string, MessagePatch>>;
}

/** The flat list and the top-level `currentId` are made from the history, so what is sent of them is not needed. */
function partsOf({ title, history = {}, messages: _flat, currentId: _derived, ...body }: ChatPatch): Parts {
  const { currentId, messages = {}, ...rest } = history;
  return {
    header: { ...(title !== undefined && { title }), ...(currentId !== undefined && { currentId }) },
    body: toRaw({ ...body, ...historyFields(rest) }),
    messages,
  };
}

async function readTargets(ref: ChatRef, { header: { currentId }, body, messages }: Parts) {
  const ids = [...new Set([...Object.keys(messages), ...(currentId ? [currentId] : [])])];
  const keys = [headKey(ref), ...ids.map((id) => messageKey(ref, id)), ...(body.size > 0 ? [bodyKey(ref)] : [])];
  const [head, ...found] = await batchGet(keys.map((key) => ({ table: chats, key })));
  return { header: parseHeader(head), messages: new Map(ids.map((id, i) => [id, found[i]])), body: found[ids.length] };
}

function demandCurrent({ header: { currentId }, messages }: Parts, stored: ReadonlyMap<string, Row | undefined>) {
  if (!currentId) return;
  const row = stored.get(currentId);
  const isKnown = row ? !isTombstone(row) : Object.hasOwn(messages, currentId);
  if (!isKnown) throw invalidField(['body', 'chat', 'history', 'currentId'], NO_SUCH_MESSAGE);
}

interface PlannedSave {
  readonly save: Save;
  readonly plan: Plan;
}

/** Every message is judged before any is written, so an invalid one leaves the chat as it was. */
const planAll = (
  { ref, objects, now }: Merge,
  messages: Parts['messages'],
  stored: ReadonlyMap<string, Row | undefined>,
): Promise<PlannedSave[]> =>
  Promise.all(
    Object.entries(messages).map(async ([id, patch]) => {
      const save = { ref, id, patch, objects, now };
      return { save, plan: await planSave(save, stored.get(id)) };
    }),
  );

const moves = (header: ChatHeader, { header: change }: Parts) =>
  (change.title ?? header.title) !== header.title ||
  (change.currentId !== undefined && change.currentId !== header.currentId);

interface BodySave {
  readonly fields: RawFields;
  readonly row: Row | undefined;
  readonly objects: Objects;
}

async function saveBody(ref: ChatRef, { fields, row = {}, objects }: BodySave): Promise<boolean> {
  const stored = await readFields(row, objects);
  const changed = new Map([...fields].filter(([name, text]) => stored.get(name) !== text));
  if (changed.size === 0) return false;
  const { set, remove } = await packFields(changed, `${chatFolder(ref)}body/`, objects);
  try {
    await objects.delete(objectsIn(await chats.swap(bodyKey(ref), { set, remove }, present)));
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error; // the chat is gone; the header will say so
  }
  return true;
}

async function takeBack(saves: readonly PlannedSave[]) {
  const created = saves.filter(({ plan }) => plan.kind === 'create');
  await batchWrite(
    chats,
    created.map(({ save }) => ({ remove: messageKey(save.ref, save.id) })),
  );
}
