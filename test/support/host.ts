import { inject } from 'vitest';
import { localEnvironment } from '../../infra/local/environment.ts';
import { TEST_ENVIRONMENT, type HostInfo } from './spawn-host.ts';

/** The host of this worker. Stores used directly by a test talk to the same engine as the host does. */
export const host: HostInfo = workerHost();

function workerHost() {
  const hosts = inject('hosts');
  const found = hosts[(Number(process.env['VITEST_POOL_ID'] ?? 1) - 1) % hosts.length];
  if (!found) throw new Error('No test host was started');
  Object.assign(process.env, TEST_ENVIRONMENT, localEnvironment(found.endpoints), { SVC_URL: found.url });
  return found;
}
