import { createHash } from 'node:crypto';
import type { Settings } from '../settings/variables.ts';
import type { Connection } from './connection.ts';

type ConnectionSettings = Pick<Settings, 'UPSTREAM_BASE_URL' | 'COMPAT_API_BASE_URLS' | 'COMPAT_API_KEYS'>;

export interface SeededConnection {
  readonly connection: Connection;
  readonly key: string | undefined;
}

/**
 * The connections that the environment names. They need no row; an operator who changes one saves a row under its id,
 * which then counts instead.
 */
export function seededConnections(settings: ConnectionSettings): SeededConnection[] {
  const runtimes = settings.UPSTREAM_BASE_URL.map((url, i) => ({
    connection: seeded('runtime', url, i),
    key: undefined,
  }));
  const compat = settings.COMPAT_API_BASE_URLS.map((url, i) => {
    const key = settings.COMPAT_API_KEYS[i] || undefined;
    return { connection: seeded('compat', url, 1000 + i, key !== undefined), key };
  });
  return [...runtimes, ...compat];
}

const seeded = (kind: Connection['kind'], url: string, position: number, hasKey = false): Connection => ({
  id: `env-${kind}-${createHash('sha256').update(url).digest('hex').slice(0, 10)}`,
  kind,
  name: new URL(url).host,
  url: url.replace(/\/+$/, ''),
  enabled: true,
  prefix_id: '',
  model_ids: [],
  tags: [],
  headers: {},
  auth_type: hasKey ? 'bearer' : 'none',
  api_type: 'chat',
  access: 'everyone',
  access_grants: [],
  sealed_key: null,
  source: 'environment',
  position,
  created_at: 0,
  updated_at: 0,
  revision: 0,
});
