import { createBucket } from '../aws/s3.ts';
import { requiredFromEnvironment } from '../settings/environment.ts';
import { bucketVariable } from '../settings/names.ts';

/** A value inside a row, or a pointer to it when the row could not carry it. */
export type Spilled = { readonly inline: unknown } | { readonly object: string; readonly bytes: number };

/** Rows end at 400 KB; a value past this goes to the content bucket, invisibly to everyone above the store. */
export const SPILL_BYTES = 300 * 1024;

export interface Spill {
  pack(objectKey: string, value: unknown, inlineBytes?: number): Promise<Spilled>;
  unpack(stored: Spilled): Promise<unknown>;
  drop(stored: Spilled): Promise<void>;
}

export function createSpill(): Spill {
  const open = () => createBucket(requiredFromEnvironment(bucketVariable('content')));
  let bucket: ReturnType<typeof open> | undefined;
  const content = () => (bucket ??= open());
  return {
    async pack(objectKey, value, inlineBytes = SPILL_BYTES) {
      const text = JSON.stringify(value);
      const bytes = Buffer.byteLength(text);
      if (bytes <= inlineBytes) return { inline: value };
      await content().put(objectKey, text, { contentType: 'application/json' });
      return { object: objectKey, bytes };
    },
    async unpack(stored) {
      if ('inline' in stored) return stored.inline;
      const body = await content().get(stored.object);
      if (!body) throw new Error(`The content object ${stored.object} is missing`);
      return JSON.parse(body.toString('utf8')) as unknown;
    },
    async drop(stored) {
      if ('object' in stored) await content().delete(stored.object);
    },
  };
}
