import { afterAll, beforeAll } from 'vitest';
import { host } from '../../support/host.ts';
import { spawnHost, type SpawnedHost } from '../../support/spawn-host.ts';

/** A host with settings of its own, on the tables of this worker's host, so that people exist on both. */
export function useHost(env: Readonly<Record<string, string>>): { readonly url: string; readonly pid: number } {
  let running: SpawnedHost | undefined;
  beforeAll(async () => {
    const shared = {
      AWS_ENDPOINT_URL_DYNAMODB: host.endpoints.dynamodb,
      AWS_ENDPOINT_URL_S3: host.endpoints.s3,
      SVC_URL: host.url,
    };
    running = await spawnHost({ env: { ...shared, ...env } });
  });
  afterAll(() => running?.stop());
  const demand = () => {
    if (!running) throw new Error('The host is not running yet');
    return running;
  };
  return {
    get url() {
      return demand().url;
    },
    get pid() {
      return demand().pid;
    },
  };
}
