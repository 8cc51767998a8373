import type { Filter, Scope } from '../completion/plugins.ts';
import type { Connection } from '../connections/connection.ts';
import type { Connections } from '../connections/connections.ts';
import type { UpstreamModel } from '../connections/upstream-list.ts';
import { AppError } from '../errors.ts';
import { isObject, numberAt, objectAt, stringAt } from '../llm/json-value.ts';
import type { Fields } from '../llm/turn.ts';
import type { Outbound } from '../net/outbound.ts';
import { stringsOf } from './asked.ts';
import { byPriority } from './plugin.ts';

export interface RemoteParts {
  readonly outbound: Outbound;
  readonly connections: Pick<Connections, 'headers' | 'list'>;
}

const LIST_KEPT_MS = 30_000;
const FILTER_MS = 60_000;
const LARGEST_BODY = 6 * 1024 * 1024;
const lists = new Map<string, { readonly at: number; readonly models: Promise<UpstreamModel[]> }>();

/**
 * Filters in any language, on servers of their own. One that cannot be asked which filters it has fails the request: it
 * may be the one that keeps something from leaving the house.
 */
export async function remoteFilters(
  parts: RemoteParts,
  servers: readonly Connection[],
  { scope, asked }: { readonly scope: Scope; readonly asked: ReadonlySet<string> },
): Promise<Filter[]> {
  const found = await Promise.all(
    servers.map(async (server) => (await listed(parts, server)).flatMap((model) => toRemote(server, model))),
  );
  const isMeant = ({ id, targets }: Remote) =>
    asked.has(id) || targets.includes('*') || targets.includes(scope.target.id);
  return found
    .flat()
    .filter(isMeant)
    .toSorted(byPriority)
    .map((remote) => toFilter(parts, remote));
}

function listed({ connections }: RemoteParts, server: Connection): Promise<UpstreamModel[]> {
  const key = `${server.id} ${server.revision}`;
  const known = lists.get(key);
  if (known && Date.now() - known.at < LIST_KEPT_MS) return known.models;
  const models = connections.list(server).catch((cause: unknown) => {
    lists.delete(key);
    throw new AppError('upstream_failed', `The filters of ${server.name} cannot be reached`, { cause });
  });
  lists.set(key, { at: Date.now(), models });
  return models;
}

interface Remote {
  readonly server: Connection;
  readonly id: string;
  readonly priority: number;
  readonly targets: readonly string[];
}

function toRemote(server: Connection, { id, raw }: UpstreamModel): Remote[] {
  const pipeline = objectAt(raw, 'pipeline');
  if (pipeline.type !== 'filter') return [];
  return [{ server, id, priority: numberAt(pipeline, 'priority') ?? 0, targets: stringsOf(pipeline.pipelines) }];
}

function toFilter(parts: RemoteParts, remote: Remote): Filter {
  const run = (way: 'inlet' | 'outlet') => (body: Fields, scope: Scope) =>
    askRemote(parts, remote, { way, body, scope });
  return { id: remote.id, inlet: run('inlet'), outlet: run('outlet') };
}

interface Passing {
  readonly way: 'inlet' | 'outlet';
  readonly body: Fields;
  readonly scope: Scope;
}

async function askRemote(
  { outbound, connections }: RemoteParts,
  { server, id }: Remote,
  { way, body, scope }: Passing,
) {
  const { userId, email, name, role } = scope.actor;
  const response = await outbound.request(`${server.url}/${encodeURIComponent(id)}/filter/${way}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(await connections.headers(server)) },
    body: JSON.stringify({ user: { id: userId, email, name, role }, body }),
    timeoutMs: FILTER_MS,
    trusted: true,
  });
  const answer = await response.json(LARGEST_BODY);
  if (response.status < 200 || response.status > 299) {
    const detail = stringAt(answer, 'detail') ?? `The filter ${id} answered ${response.status}`;
    throw new AppError('plugin_failed', detail, { status: 400, facts: { plugin: id } });
  }
  if (!isObject(answer)) throw new AppError('upstream_failed', `The filter ${id} did not answer with a body`);
  return answer;
}
