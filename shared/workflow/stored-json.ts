import * as z from 'zod';
import type { Spill, Spilled } from '../store/spill.ts';

/** JSON kept as text: rows allow only 32 levels of nesting, and users' values know no such limit. */
export const StoredJson = z.union([
  z.object({ inline: z.string() }),
  z.object({ object: z.string(), bytes: z.number() }),
]);
export type StoredJson = z.output<typeof StoredJson>;

export const packJson = (spill: Spill, objectKey: string, value: unknown, inlineBytes?: number) =>
  packText(spill, objectKey, JSON.stringify(value ?? null), inlineBytes);

export async function packText(spill: Spill, objectKey: string, text: string, inlineBytes?: number) {
  const stored: Spilled = await spill.pack(objectKey, text, inlineBytes);
  return StoredJson.parse(stored);
}

export const unpackJson = async (spill: Spill, stored: StoredJson): Promise<unknown> =>
  JSON.parse(await unpackText(spill, stored)) as unknown;

/** The JSON text itself, with its numbers as they were written. */
export const unpackText = async (spill: Spill, stored: StoredJson): Promise<string> =>
  z.string().parse(await spill.unpack(stored));
