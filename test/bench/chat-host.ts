import { randomUUID } from 'node:crypto';
import { localEnvironment } from '../../infra/local/environment.ts';
import { hashApiKey, newApiKey } from '../../shared/identity/api-key.ts';
import { apiKeyKey, orgKey, userKey } from '../../shared/identity/rows.ts';
import { openTable } from '../../shared/store/table.ts';
import { spawnHost, type SpawnedHost } from '../support/spawn-host.ts';

export interface ChatHost extends SpawnedHost {
  /** Keys of somebody whose plan has no end, and of somebody whose every completion is counted first. */
  readonly keys: { readonly unlimited: string; readonly limited: string };
}

/** The local host as `npm start` runs it, with its real tables and two people who may ask. */
export async function startChatHost(env: Record<string, string>): Promise<ChatHost> {
  const host = await spawnHost({ env: { LOG_LEVEL: 'error', ...env } });
  Object.assign(process.env, localEnvironment(host.endpoints));
  const keys = {
    unlimited: await aKey({ id: 'enterprise' }),
    limited: await aKey({ id: 'team', limits: { completions_per_day: 1_000_000 } }),
  };
  return { ...host, keys };
}

async function aKey(plan: Record<string, unknown>): Promise<string> {
  const accounts = openTable('accounts');
  const [orgId, userId, key] = [randomUUID(), randomUUID(), newApiKey()];
  await accounts.put({
    ...orgKey(orgId),
    orgId,
    name: 'Bench',
    status: 'ACTIVE',
    plan: { trialEndsAt: null, ...plan },
  });
  const person = { userId, orgId, role: 'ROLE_USER', name: 'Bench', email: `${userId}@example.test`, groups: [] };
  await accounts.put({ ...userKey(userId), ...person, status: 'ACTIVE', tokenVersion: 1 });
  await accounts.put({
    ...apiKeyKey(hashApiKey(key)),
    keyId: randomUUID(),
    userId,
    allowedRoutes: null,
    expiresAt: null,
  });
  return key;
}
