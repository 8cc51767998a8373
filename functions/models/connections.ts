import type { Connection } from '../../shared/connections/connection.ts';
import type { Connections } from '../../shared/connections/connections.ts';
import { connectionHeaders } from '../../shared/connections/credentials.ts';
import { keyChange, newConnection } from '../../shared/connections/draft.ts';
import type { ConnectionPatch, NewConnection } from '../../shared/connections/form.ts';
import { notFound } from '../../shared/errors.ts';
import type { Clock } from '../../shared/time.ts';
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
      const changes = { ...patch, ...(await keyChange(keys, { ...before, ...patch }, key)), updated_at: now() };
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
