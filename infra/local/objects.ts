import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Server } from 'node:http';
import { BUCKETS } from '../resources.ts';

/** s3rver accepts exactly this pair; the other hosts do not look at it. */
export const LOCAL_CREDENTIALS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

export const localBucketName = (bucket: string) => `atrium-${bucket}`;

interface S3rver {
  run(): Promise<{ address: string; port: number }>;
  close(): Promise<void>;
  httpServer?: Server;
}

/** A real S3 server on a folder. It is CommonJS and slow to load, so it is loaded while the engine starts. */
export async function startObjects(directory: string) {
  mkdirSync(directory, { recursive: true });
  const Server = createRequire(import.meta.url)('s3rver') as new (options: object) => S3rver;
  const server = new Server({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: Object.keys(BUCKETS).map((bucket) => ({ name: localBucketName(bucket), configs: [] })),
  });
  const { port } = await server.run();
  return { endpoint: `http://127.0.0.1:${port}`, stop: () => server.close() };
}
