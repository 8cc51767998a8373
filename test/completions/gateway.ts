import { afterAll, beforeAll } from 'vitest';
import { call as callHost, type CallOptions } from '../support/call.ts';
import { host } from '../support/host.ts';
import { spawnHost, type SpawnedHost } from '../support/spawn-host.ts';
import { startModelServer, type ModelServer } from './model-server.ts';

/** A host with model connections, on the same tables as the host of this worker, so that people exist on both. */
export interface Gateway {
  readonly url: string;
  readonly models: ModelServer;
  call(target: string, body?: unknown, options?: CallOptions): ReturnType<typeof callHost>;
}

export function useGateway(environment: (models: ModelServer) => Record<string, string> = compatOnly): Gateway {
  let running: SpawnedHost | undefined;
  let models: ModelServer | undefined;
  beforeAll(async () => {
    models = await startModelServer();
    running = await spawnHost({
      env: {
        AWS_ENDPOINT_URL_DYNAMODB: host.endpoints.dynamodb,
        AWS_ENDPOINT_URL_S3: host.endpoints.s3,
        SVC_URL: host.url,
        ...environment(models),
      },
    });
  });
  afterAll(async () => {
    await models?.stop();
    await running?.stop();
  });
  const demand = <T>(found: T | undefined): T => {
    if (found === undefined) throw new Error('The gateway is not running yet');
    return found;
  };
  return {
    get url() {
      return demand(running).url;
    },
    get models() {
      return demand(models);
    },
    call: (target, body, options) => callHost(target, body, { url: demand(running).url, ...options }),
  };
}

const compatOnly = ({ compat }: ModelServer) => ({ COMPAT_API_BASE_URLS: compat, COMPAT_API_KEYS: 'upstream-key' });
