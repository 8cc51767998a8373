import { createBucket, type Bucket } from '../aws/s3.ts';
import { requiredFromEnvironment } from '../settings/environment.ts';
import { bucketVariable } from '../settings/names.ts';

/** Texts too large for a row. An object is never changed: a new value is a new object. */
export interface Objects {
  put(key: string, text: string): Promise<void>;
  get(key: string): Promise<string>;
  delete(keys: readonly string[]): Promise<void>;
  deleteFolder(folder: string): Promise<void>;
}

export function createObjects(): Objects {
  let bucket: Bucket | undefined;
  const content = () => (bucket ??= createBucket(requiredFromEnvironment(bucketVariable('content'))));
  return {
    put: (key, text) => content().put(key, text, { contentType: 'application/json' }),
    async get(key) {
      const body = await content().get(key);
      if (!body) throw new Error(`The content object ${key} is missing`);
      return body.toString('utf8');
    },
    async delete(keys) {
      await Promise.all(keys.map((key) => content().delete(key)));
    },
    async deleteFolder(folder) {
      for await (const key of content().list(folder)) await content().delete(key);
    },
  };
}
