import type { Connection } from '../../shared/connections/connection.ts';
import type { Connections } from '../../shared/connections/connections.ts';
import { connectionHeaders } from '../../shared/connections/credentials.ts';
import { notFound } from '../../shared/errors.ts';
import type { Clock, Millis } from '../../shared/time.ts';
import type { ConnectionPatch, NewConnection } from './contract/connection.ts';
import type { ConnectionsStore } from './store.ts';

export interface Verification {
  readonly models: string[];
  readonly version: string | null;
}

export interface ConnectionServiceParts {
  readonly store: ConnectionsStore;
  readonly connections: Connections;
  /** Asks an upstream for its models and its version. */
  readonly ask: (connection: Connection, headers: Record<string, string>) => Promise<Verification>;
  readonly now: Clock;
  readonly newId: () => string;
}

export function createConnectionService({ store, connections, ask, now, newId }: ConnectionServiceParts) {
  const { keys } = connections;
  const all = async () => connections.all(await store.read());
  const demand = async (id: string) => {
    const connection = (await all()).find((one) => one.id === id);
    if (!connection) throw notFound('Connection');
    return connection;
  };
  const view = (connection: Connection) => ({ ...connection, has_key: keys.has(connection) });
  return {
    list: async () => (await all()).map(view),
    get: async (id: string) => view(await demand(id)),
    async create(form: NewConnection) {
      const position = Math.floor((await all()).at(-1)?.position ?? 0) + 1;
      const draft = newConnection({ position, ...form }, newId(), now());
      const connection = { ...draft, sealed_key: form.key ? await keys.close(draft.id, form.key) : null };
      await store.insert(connection);
      return view(connection);
    },
    async change(id: string, { key, ...patch }: ConnectionPatch) {
      const before = await demand(id);
      const changes = { ...patch, ...(await keyChange(connections, before, key)), updated_at: now() };
      const next = { ...before, ...changes, revision: before.revision + 1 };
      await store.replace(next, before.revision);
      return view(next);
    },
    async delete(id: string) {
      await store.remove(id);
      return true as const;
    },
    async verify(form: NewConnection) {
      const draft = newConnection(form, newId(), now());
      return { status: true as const, ...(await ask(draft, connectionHeaders(draft, form.key ?? undefined))) };
    },
    async verifySaved(id: string) {
      const connection = await demand(id);
      return { status: true as const, ...(await ask(connection, await connections.headers(connection))) };
    },
  };
}

/** Where the operator says nothing: open to everyone, so that a new connection can be used at once. */
const newConnection = ({ key, ...form }: NewConnection, id: string, at: Millis): Connection => ({
  name: new URL(form.url).host,
  enabled: true,
  prefix_id: '',
  model_ids: [],
  tags: [],
  headers: {},
  auth_type: !key ? 'none' : form.api_type === 'messages' ? 'x-api-key' : 'bearer',
  api_type: 'chat',
  access: 'everyone',
  access_grants: [],
  position: 0,
  ...form,
  id,
  sealed_key: null,
  source: 'saved',
  created_at: at,
  updated_at: at,
  revision: 1,
});

/** As long as nobody gives another key, a connection of the environment keeps that of the environment. */
async function keyChange({ keys }: Connections, { id, auth_type }: Connection, key: string | null | undefined) {
  if (key === undefined) return {};
  if (key === null) return { sealed_key: null, source: 'saved' as const };
  const sealed_key = await keys.close(id, key);
  return { sealed_key, source: 'saved' as const, ...(auth_type === 'none' && { auth_type: 'bearer' as const }) };
}
