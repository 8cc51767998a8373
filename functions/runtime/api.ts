import { createApi, type Authenticate } from '../../shared/http/api.ts';
import { notFound } from '../../shared/errors.ts';
import type { UserActor } from '../../shared/identity/actor.ts';
import type { Fields } from '../../shared/llm/turn.ts';
import { sent, type Asked, type Ordered } from './asked.ts';
import { createAsking } from './asking.ts';
import type { Configuration, ConfigurationParts } from './configuration.ts';
import type { Candidate, ConfigForm } from './contract/config.ts';
import { createLookups, type LookupParts, type Lookups } from './lookups.ts';
import type { Management, Order } from './management.ts';
import type { PassthroughParts } from './passthrough.ts';
import { routes } from './routes.ts';
import type { Runtimes } from './runtimes.ts';

export type ApiParts = PassthroughParts & LookupParts & ConfigurationParts;

export const runtimeApi = (parts: ApiParts, authenticate: Authenticate) => {
  const lookups = createLookups(parts);
  const asking = createAsking(parts);
  return createApi(
    routes,
    {
      status: () => ({ status: true as const }),
      unknown: () => {
        throw notFound('Path');
      },
      ...lists(parts.runtimes),
      ...lookupHandlers(lookups),
      ...managementHandlers(async () =>
        (await import('./management.ts')).createManagement({ ...parts, addressOf: lookups.addressOf }),
      ),
      ...configurationHandlers(async () => (await import('./configuration.ts')).createConfiguration(parts)),
      generate: asking.generate,
      generateAt: asking.generate,
      chat: asking.chat,
      chatAt: asking.chat,
      chatCompletions: asking.chatCompletions,
      chatCompletionsAt: asking.chatCompletions,
      messages: asking.messages,
      responses: asking.responses,
    },
    authenticate,
  );
};

type Place = { readonly index: string };

function lists(runtimes: Runtimes) {
  const tags = async (actor: UserActor, index?: string) => ({ models: await runtimes.tags(actor, index) });
  const models = async (actor: UserActor, index?: string) => ({
    object: 'list' as const,
    data: (await runtimes.tags(actor, index)).map(({ model: id }) => ({
      id,
      object: 'model' as const,
      created: 0,
      owned_by: 'upstream',
    })),
  });
  return {
    tags: ({ actor }: { actor: UserActor }) => tags(actor),
    tagsAt: ({ actor, params }: { actor: UserActor; params: Place }) => tags(actor, params.index),
    models: ({ actor }: { actor: UserActor }) => models(actor),
    modelsAt: ({ actor, params }: { actor: UserActor; params: Place }) => models(actor, params.index),
  };
}

type Named = Fields & { readonly model: string };

function lookupHandlers(lookups: Lookups) {
  const native = (path: string) => (asked: Asked<Named>) => lookups.native(sent(asked), path);
  const compatible = (path: string) => (asked: Asked<Named>) => lookups.compatible(sent(asked), path);
  return {
    version: () => lookups.version(),
    versionAt: ({ params }: { params: Place }) => lookups.versionAt(params.index),
    ps: () => lookups.ps(),
    show: (asked: Asked<Order['body']>) =>
      native('/api/show')({ ...asked, body: { ...asked.body, model: asked.body.model ?? asked.body.name ?? '' } }),
    embed: native('/api/embed'),
    embedAt: native('/api/embed'),
    embeddings: native('/api/embeddings'),
    embeddingsAt: native('/api/embeddings'),
    vectors: compatible('/embeddings'),
    vectorsAt: compatible('/embeddings'),
    textCompletions: compatible('/completions'),
    textCompletionsAt: compatible('/completions'),
  };
}

interface Copy {
  readonly source: string;
  readonly destination: string;
}

/** Operators manage models now and then, so this is loaded when they do. */
function managementHandlers(load: () => Promise<Management>) {
  const order = (path: string) => async (asked: Ordered<Order['body']>) => (await load()).stream(sent(asked), path);
  const copy = async (asked: Ordered<Copy>) => (await load()).copy(sent(asked), asked.body);
  const remove = async (asked: Ordered<Order['body']>) => (await load()).remove(sent(asked));
  const push = order('/api/push');
  return {
    pull: order('/api/pull'),
    pullAt: order('/api/pull'),
    create: order('/api/create'),
    createAt: order('/api/create'),
    push,
    pushAt: push,
    pushByDelete: push,
    pushByDeleteAt: push,
    copy,
    copyAt: copy,
    remove,
    removeAt: remove,
    unload: async (asked: Ordered<Order['body']>) => (await load()).unload(sent(asked)),
  };
}

function configurationHandlers(load: () => Promise<Configuration>) {
  return {
    getConfig: async () => (await load()).view(),
    updateConfig: async (asked: Ordered<ConfigForm>) => (await load()).update(sent(asked).body),
    verifyRuntime: async (asked: Ordered<Candidate>) => (await load()).verify(sent(asked).body),
  };
}
