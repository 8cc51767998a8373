import { ConditionFailed } from '../store/dynamodb.ts';
import { absent, when, type Condition } from '../store/expression.ts';
import type { Row } from '../store/table.ts';
import type { Millis } from '../time.ts';
import { objectsIn, packFields, type RawFields } from './fields.ts';
import { chats } from './header.ts';
import { messageFolder, messageKey, type ChatRef } from './keys.ts';
import { planMessage, type Plan, type Unless } from './merge.ts';
import type { MessagePatch } from './message.ts';
import type { Objects } from './objects.ts';
import { CHILDREN, isTombstone, readMessage } from './row.ts';

export interface Save {
  readonly ref: ChatRef;
  readonly id: string;
  readonly patch: MessagePatch;
  readonly objects: Objects;
  readonly now: Millis;
}

const MAX_ATTEMPTS = 50;

/** What the first look decided, for the whole save to be refused before anything is written. */
export async function planSave({ id, patch, objects, now }: Save, row: Row | undefined): Promise<Plan> {
  if (isTombstone(row)) return { kind: 'nothing' };
  return planMessage({ id, patch, now, stored: await readMessage(row, objects) });
}

/** Writes what was planned; when somebody else was faster, the row they left is planned for anew. */
export async function performSave(save: Save, first: Plan): Promise<void> {
  let plan = first;
  for (let attempt = 1; plan.kind !== 'nothing'; attempt += 1) {
    const outcome = await attemptSave(save, plan);
    if (outcome === 'written') return;
    if (attempt === MAX_ATTEMPTS) throw new Error(`The message ${save.id} is changed too often to be saved`);
    plan = await planSave(save, outcome.existing);
  }
}

async function attemptSave({ ref, id, objects }: Save, plan: Exclude<Plan, { kind: 'nothing' }>) {
  const key = messageKey(ref, id);
  const packed = await packFields(plan.fields, messageFolder(ref, id), objects);
  const { set, remove } = packed;
  try {
    if (plan.kind === 'create') await chats.put({ ...key, ...set }, absent);
    else {
      const change = { set, remove: [...remove, ...appendedTo(plan.fields)] };
      await objects.delete(objectsIn(await chats.swap(key, change, unlessChanged(plan.unless))));
    }
    return 'written' as const;
  } catch (error) {
    await objects.delete(packed.made);
    if (error instanceof ConditionFailed) return { existing: error.existing };
    throw error;
  }
}

/** New content takes the place of the pieces that were appended to the old. */
const appendedTo = (fields: RawFields) => (fields.has('content') ? ['l_content'] : []);

export const STILL_THERE = 'attribute_exists(pk) AND attribute_not_exists(#gone)';

function unlessChanged({ revision, children }: Unless): Condition {
  const conditions = [STILL_THERE];
  const values: Record<string, unknown> = {};
  if (revision !== undefined) {
    conditions.push('#revision = :revision');
    values['revision'] = revision;
  }
  if (children?.at) {
    conditions.push(`#${children.at.name} = :children`);
    values['children'] = children.at.value;
  } else if (children) {
    conditions.push(...CHILDREN.map((name) => `attribute_not_exists(#${name})`));
  }
  return when(conditions.join(' AND '), values);
}
