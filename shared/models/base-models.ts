import { upstreamIdOf, type Connection } from '../connections/connection.ts';
import type { Connections } from '../connections/connections.ts';
import { rememberList } from '../connections/store.ts';
import { log } from '../log.ts';
import type { Settings } from '../settings/variables.ts';
import { toBaseModels, type BaseModel, type FunctionModel } from './catalog.ts';
import { readPlatform, type PlatformDirectory } from './directory.ts';
import { pipeModels } from '../plugins/pipe-models.ts';
import { createUpstreamModels, type UpstreamModels } from './upstream-models.ts';

export interface BaseModels {
  all(platform: PlatformDirectory, options?: { readonly isForced?: boolean }): Promise<Map<string, BaseModel>>;
  /** One base model, from what is known where possible: a reply should not wait for a list. */
  find(platform: PlatformDirectory, id: string): Promise<BaseModel | undefined>;
}

export interface BaseModelParts {
  readonly settings: Pick<Settings, 'ENABLE_DEMO_MODEL' | 'MODELS_CACHE_TTL'>;
  readonly connections: Connections;
  /** Models that are code, beside the built-in one: the pipes that operators have uploaded, unless told otherwise. */
  readonly functions?: () => Promise<readonly FunctionModel[]>;
}

export const DEMO: FunctionModel = {
  id: 'demo',
  name: 'Demo',
  meta: {
    description: 'Answers without any network, so that a fresh installation can chat.',
    capabilities: ['completion'],
    context_length: 32_768,
    max_output_tokens: 4096,
  },
};

export function createBaseModels({ settings, connections, functions = pipeModels }: BaseModelParts): BaseModels {
  const ttlMs = settings.MODELS_CACHE_TTL * 1000;
  const upstream = createUpstreamModels({ list: (one) => connections.list(one), onListed: keepIds, ttlMs });
  const builtIn = settings.ENABLE_DEMO_MODEL ? [DEMO] : [];
  const ownModels = async () => [...builtIn, ...(await functions())];
  const all: BaseModels['all'] = async (platform, options) => {
    const usable = connections.usable(platform.connections);
    const [own, offers] = await Promise.all([ownModels(), upstream.offers(usable, options)]);
    return toBaseModels(own, offers);
  };
  return {
    all,
    async find(platform, id) {
      const own = toBaseModels(await ownModels(), []).get(id);
      const known = own ?? knownModel(id, connections.usable(platform.connections), idsOf(upstream, platform));
      if (known) return known;
      const listed = await all(platform);
      return listed.get(id) ?? runtimeOnly(listed.get(`${id}:latest`));
    },
  };
}

type IdsOf = (connection: Connection) => { has(id: string): boolean };

/** A runtime takes `name` for `name:latest`. */
const knownModel = (id: string, usable: readonly Connection[], ids: IdsOf) =>
  knownUnder(id, usable, ids) ?? runtimeOnly(knownUnder(`${id}:latest`, usable, ids));

const runtimeOnly = (model: BaseModel | undefined) => (model?.kind === 'runtime' ? model : undefined);

function knownUnder(id: string, usable: readonly Connection[], ids: IdsOf): BaseModel | undefined {
  const offers = usable.flatMap((connection) => {
    const upstreamId = upstreamIdOf(connection, id);
    if (upstreamId === undefined || !ids(connection).has(upstreamId)) return [];
    return [{ connection, models: [{ id: upstreamId, name: upstreamId, raw: {} }] }];
  });
  return toBaseModels([], offers).get(id);
}

/** What this process has heard, else what any process has heard last. */
const idsOf =
  (upstream: UpstreamModels, { lists }: PlatformDirectory): IdsOf =>
  (connection) => {
    if (connection.kind === 'compat' && connection.model_ids.length > 0) return new Set(connection.model_ids);
    const heard = upstream.known(connection);
    if (heard) return heard;
    const seen = lists.find(({ connectionId, url }) => connectionId === connection.id && url === connection.url);
    const isAllowed = (id: string) => connection.model_ids.length === 0 || connection.model_ids.includes(id);
    return { has: (id) => isAllowed(id) && (seen?.ids.includes(id) ?? false) };
  };

const MOST_KEPT = 5000;

async function keepIds({ id: connectionId, url }: Connection, listed: readonly string[]) {
  const ids = listed.slice(0, MOST_KEPT);
  try {
    const { lists } = await readPlatform();
    const kept = lists.find((list) => list.connectionId === connectionId);
    if (kept?.url === url && kept.ids.length === ids.length && kept.ids.every((id, i) => id === ids[i])) return;
    await rememberList({ connectionId, url, ids });
  } catch (error) {
    log.warn('list of models not kept', { id: connectionId, error }); // the next process asks the upstream itself
  }
}
