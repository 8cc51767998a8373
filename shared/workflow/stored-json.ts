import * as z from 'zod';
import type { Spill, Spilled } from '../store/spill.ts';

/** JSON kept as text: rows allow only 32 levels of nesting, and users' values know no such limit. */
export const StoredJson = z.union([
  z.object({ inline: z.string() }),
  z.object({ object: z.string(), bytes: z.number() }),
]);
export type StoredJson = z.output<typeof StoredJson>;

export async function packJson(spill: Spill, objectKey: string, value: unknown, inlineBytes?: number) {
  const stored: Spilled = await spill.pack(objectKey, JSON.stringify(value ?? null), inlineBytes);
  return StoredJson.parse(stored);
}

export async function unpackJson(spill: Spill, stored: StoredJson): Promise<unknown> {
  return JSON.parse(z.string().parse(await spill.unpack(stored))) as unknown;
}
