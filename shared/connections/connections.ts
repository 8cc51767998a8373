import type { Outbound } from '../net/outbound.ts';
import type { Seal } from '../seal/seal.ts';
import type { Settings } from '../settings/variables.ts';
import { byPosition, type Connection } from './connection.ts';
import { connectionHeaders, createKeys, type Keys } from './credentials.ts';
import { seededConnections } from './environment.ts';
import { listUpstream, type UpstreamModel } from './upstream-list.ts';

export type ConnectionSettings = Pick<
  Settings,
  | 'UPSTREAM_BASE_URL'
  | 'COMPAT_API_BASE_URLS'
  | 'COMPAT_API_KEYS'
  | 'ENABLE_UPSTREAM_API'
  | 'ENABLE_COMPAT_API'
  | 'ENABLE_PERSISTENT_CONFIG'
  | 'HTTP_CLIENT_TIMEOUT_OPENAI_MODEL_LIST'
>;

export interface Connections {
  readonly keys: Keys;
  /** Those of the environment and the saved ones, in their order; a saved one replaces that of the environment. */
  all(saved: readonly Connection[]): Connection[];
  /** Whether the environment names it. Such a connection comes back when what was saved about it is deleted. */
  isSeeded(id: string): boolean;
  /** Those that may be used now. */
  usable(saved: readonly Connection[]): Connection[];
  /** What every request to the connection carries; `facts` fill the placeholders in its own headers. */
  headers(connection: Connection, facts?: Readonly<Record<string, string>>): Promise<Record<string, string>>;
  list(connection: Connection): Promise<UpstreamModel[]>;
}

export interface ConnectionParts {
  readonly settings: ConnectionSettings;
  readonly outbound: Outbound;
  readonly seal: Seal;
}

export function createConnections({ settings, outbound, seal }: ConnectionParts): Connections {
  const seeded = seededConnections(settings);
  const keys = createKeys(seal, new Map(seeded.flatMap(({ connection, key }) => (key ? [[connection.id, key]] : []))));
  const isOn = { runtime: settings.ENABLE_UPSTREAM_API, compat: settings.ENABLE_COMPAT_API };
  const timeoutMs = settings.HTTP_CLIENT_TIMEOUT_OPENAI_MODEL_LIST * 1000;
  const all = (saved: readonly Connection[]) => {
    const counted = settings.ENABLE_PERSISTENT_CONFIG ? saved : [];
    const byId = new Map([...seeded.map(({ connection }) => connection), ...counted].map((one) => [one.id, one]));
    return [...byId.values()].toSorted(byPosition);
  };
  const headers: Connections['headers'] = async (connection, facts) =>
    connectionHeaders(connection, await keys.open(connection), facts);
  return {
    keys,
    all,
    isSeeded: (id) => seeded.some(({ connection }) => connection.id === id),
    usable: (saved) => all(saved).filter(({ enabled, kind }) => enabled && isOn[kind]),
    headers,
    list: async (connection) => listUpstream({ connection, headers: await headers(connection), outbound, timeoutMs }),
  };
}
