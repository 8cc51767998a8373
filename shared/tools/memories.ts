import * as z from 'zod';
import { AppError } from '../errors.ts';
import { newId } from '../ids.ts';
import { openTable } from '../store/table.ts';
import { systemClock } from '../time.ts';

/**
 * Rows of the table `chats`:
 *
 *   MEMORY#<user>   <millis>#<id>   one thing that models may know about the user
 */
const chats = openTable('chats');
const partition = (userId: string) => `MEMORY#${userId}`;

export const Memory = z.object({ id: z.string(), content: z.string(), created_at: z.number(), updated_at: z.number() });
export type Memory = z.output<typeof Memory>;

/** All of them are shown to the model, so there cannot be many. */
const MOST = 200;

export async function listMemories(userId: string): Promise<Memory[]> {
  const { rows } = await chats.query({ pk: partition(userId), limit: MOST });
  return rows.map((row) => Memory.parse(row));
}

export async function addMemory(userId: string, content: string): Promise<Memory> {
  const known = await listMemories(userId);
  if (known.length >= MOST) throw new AppError('conflict', `More than ${MOST} memories cannot be kept; delete some`);
  const at = systemClock();
  const memory = { id: newId(), content, created_at: Math.floor(at / 1000), updated_at: Math.floor(at / 1000) };
  await chats.put({ pk: partition(userId), sk: `${String(at).padStart(15, '0')}#${memory.id}`, ...memory });
  return memory;
}

/** False when there is none of this id. */
export async function removeMemory(userId: string, id: string): Promise<boolean> {
  const { rows } = await chats.query({ pk: partition(userId), limit: MOST });
  const found = rows.find((row) => row['id'] === id);
  if (!found) return false;
  await chats.delete({ pk: partition(userId), sk: String(found['sk']) });
  return true;
}
