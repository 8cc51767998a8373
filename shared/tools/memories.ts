import { randomInt } from 'node:crypto';
import * as z from 'zod';
import { AppError } from '../errors.ts';
import { newId } from '../ids.ts';
import { holds } from '../store/dynamodb.ts';
import { absent, when } from '../store/expression.ts';
import { openTable } from '../store/table.ts';
import { systemClock } from '../time.ts';

/**
 * Rows of the table `chats`:
 *
 *   MEMORY#<user>   SLOT#<000…199>   one thing that models may know about the user
 *
 * There are no more slots than memories may be, so that no number of requests at once can exceed it.
 */
const chats = openTable('chats');
const partition = (userId: string) => `MEMORY#${userId}`;
const keyOf = (userId: string, slot: number) => ({
  pk: partition(userId),
  sk: `SLOT#${String(slot).padStart(3, '0')}`,
});

export const Memory = z.object({ id: z.string(), content: z.string(), created_at: z.number(), updated_at: z.number() });
export type Memory = z.output<typeof Memory>;

const Stored = Memory.extend({ sk: z.string(), at: z.number() });
type Stored = z.output<typeof Stored>;

/** All of them are shown to the model, so there cannot be many. */
const MOST = 200;

/** The oldest first. */
export const listMemories = async (userId: string): Promise<Memory[]> =>
  (await readStored(userId)).toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1)).map((one) => Memory.parse(one));

const readStored = async (userId: string): Promise<Stored[]> =>
  (await Array.fromAsync(chats.walk({ pk: partition(userId) }))).map((row) => Stored.parse(row));

export async function addMemory(userId: string, content: string): Promise<Memory> {
  const at = systemClock();
  const memory = { id: newId(), content, created_at: Math.floor(at / 1000), updated_at: Math.floor(at / 1000) };
  // Most slots are free as a rule. Who finds one taken chooses from those that are; each time somebody else got one, so this ends.
  let slot: number | undefined = randomInt(MOST);
  while (!(await putAt(keyOf(userId, slot), { ...memory, at }))) {
    slot = chooseFree(await readStored(userId), userId);
    if (slot === undefined) throw new AppError('conflict', `More than ${MOST} memories cannot be kept; delete some`);
  }
  return memory;
}

/** Any of the free ones: requests at the same time should not all want the same. */
function chooseFree(stored: readonly Stored[], userId: string): number | undefined {
  const taken = new Set(stored.map(({ sk }) => sk));
  const free = Array.from({ length: MOST }, (_, slot) => slot).filter((slot) => !taken.has(keyOf(userId, slot).sk));
  return free.length === 0 ? undefined : free[randomInt(free.length)];
}

const putAt = (key: ReturnType<typeof keyOf>, row: Memory & { readonly at: number }): Promise<boolean> =>
  holds(chats.put({ ...key, ...row }, absent));

/** False when there is none of this id. */
export async function removeMemory(userId: string, id: string): Promise<boolean> {
  const found = (await readStored(userId)).find((one) => one.id === id);
  if (!found) return false;
  // Its slot may hold another one by now.
  return holds(chats.delete({ pk: partition(userId), sk: found.sk }, when('#id = :id', { id })));
}
