import type { Connection } from '../connections/connection.ts';
import type { UpstreamModel } from '../connections/upstream-list.ts';
import { log } from '../log.ts';
import { systemClock } from '../time.ts';

/** What one connection offers, as far as is known. A connection that does not answer offers nothing, and hides nothing. */
export interface Offer {
  readonly connection: Connection;
  readonly models: readonly UpstreamModel[];
}

interface Entry {
  readonly models: readonly UpstreamModel[];
  readonly ids: ReadonlySet<string>;
  readonly hasFailed: boolean;
  readonly at: number;
}

/** Lists of all connections, shared by all families of a process. */
const entries = new Map<string, Entry>();
const loading = new Map<string, Promise<Entry>>();
const keyOf = ({ id, url, revision }: Connection) => `${id} ${revision} ${url}`;

/** How long a list that is due may still be shown while the next one is fetched. */
const SHOWN_MS = 10 * 60_000;
const REMEMBERED = 2000;

export interface UpstreamModels {
  /** All connections at once; each waits at most for its own time-out. */
  offers(connections: readonly Connection[], options?: { readonly isForced?: boolean }): Promise<Offer[]>;
  /** The ids it has listed when it last answered; asks nobody. */
  known(connection: Connection): ReadonlySet<string> | undefined;
}

export interface UpstreamParts {
  readonly list: (connection: Connection) => Promise<UpstreamModel[]>;
  /** Told when a connection has answered. */
  readonly onListed: (connection: Connection, ids: readonly string[]) => Promise<void>;
  readonly ttlMs: number;
}

export function createUpstreamModels(parts: UpstreamParts): UpstreamModels {
  const read = async (connection: Connection, isForced: boolean): Promise<Offer> => {
    const entry = entries.get(keyOf(connection));
    const age = entry ? systemClock() - entry.at : Infinity;
    if (entry && age < parts.ttlMs && !isForced) return { connection, models: entry.models };
    const fetching = fetchOnce(connection, parts);
    if (entry && age < SHOWN_MS && parts.ttlMs > 0 && !isForced) return { connection, models: entry.models };
    return { connection, models: (await fetching).models };
  };
  return {
    offers: (connections, { isForced = false } = {}) => Promise.all(connections.map((one) => read(one, isForced))),
    known(connection) {
      const entry = entries.get(keyOf(connection));
      return entry?.hasFailed ? undefined : entry?.ids;
    },
  };
}

/** Whoever asks while a list is on its way waits for the same one. */
function fetchOnce(connection: Connection, parts: UpstreamParts): Promise<Entry> {
  const key = keyOf(connection);
  const known = loading.get(key);
  if (known) return known;
  const fetching = fetchList(connection, parts).finally(() => loading.delete(key));
  loading.set(key, fetching);
  return fetching;
}

async function fetchList(connection: Connection, { list, onListed }: UpstreamParts): Promise<Entry> {
  const models = await list(connection).catch((error: unknown) => {
    log.warn('connection does not list its models', { id: connection.id, error });
    return undefined;
  });
  const ids = new Set(models?.map(({ id }) => id));
  const entry = { models: models ?? [], ids, hasFailed: models === undefined, at: systemClock() };
  if (entries.size >= REMEMBERED) entries.clear();
  entries.set(keyOf(connection), entry);
  if (models) await onListed(connection, [...ids]);
  return entry;
}
