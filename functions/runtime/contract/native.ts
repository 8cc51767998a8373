import * as z from 'zod';
import { RuntimeChatRequest, RuntimeGenerateRequest } from '../../../shared/llm/runtime/schema.ts';

/** The runtime's own API. Every route also exists for one runtime of several, by its place in the list. */

const style = { errorStyle: 'runtime', transport: 'stream' } as const;
const Answer = z.looseObject({});
const Named = z.looseObject({ model: z.string().min(1) });
/** Older clients say `name`. */
const ModelOrName = z
  .looseObject({ model: z.string().min(1).optional(), name: z.string().min(1).optional() })
  .refine(({ model, name }) => model !== undefined || name !== undefined, {
    path: ['model'],
    message: 'Field required',
  });

const asking = {
  ...style,
  method: 'POST',
  auth: 'user',
  returns: Answer,
  mayStream: true,
  errors: [
    'model_not_found',
    'unsupported_media_type',
    'validation_failed',
    'rate_limited',
    'upstream_failed',
    'upstream_timeout',
  ],
} as const;

const managing = {
  ...style,
  method: 'POST',
  auth: 'platform',
  body: ModelOrName,
  mayStream: true,
  errors: ['not_found', 'unsupported_media_type', 'validation_failed', 'upstream_failed', 'upstream_timeout'],
} as const;

const at = <const P extends string>(path: P) => `${path}/{index}` as const;

const tags = {
  ...style,
  method: 'GET',
  auth: 'user',
  returns: z.looseObject({ models: z.array(z.looseObject({ model: z.string() })) }),
} as const;
const version = {
  ...style,
  method: 'GET',
  returns: z.object({ version: z.union([z.string(), z.literal(false)]) }),
} as const;
const generate = {
  ...asking,
  body: RuntimeGenerateRequest,
  summary: 'A completion of a prompt; streams unless told not to',
} as const;
const chat = {
  ...asking,
  body: RuntimeChatRequest,
  summary: 'The next message of a conversation; streams unless told not to',
} as const;
const embed = { ...asking, body: Named, summary: 'Embeddings of texts' } as const;
const embedOne = { ...asking, body: Named, summary: 'The embedding of one text, by the older route' } as const;
const pull = { ...managing, summary: 'Fetch a model from the registry', returns: Answer } as const;
const create = { ...managing, summary: 'Make a model', returns: Answer } as const;
const push = { ...managing, summary: 'Publish a model', returns: Answer } as const;
const copy = {
  ...managing,
  body: z.looseObject({ source: z.string().min(1), destination: z.string().min(1) }),
  summary: 'Copy a model',
  returns: z.literal(true),
} as const;
const remove = { ...managing, method: 'DELETE', summary: 'Delete a model', returns: z.literal(true) } as const;

export const nativeRoutes = {
  status: {
    ...style,
    method: 'GET',
    path: '/upstream',
    auth: 'open',
    summary: 'Is the passthrough there',
    returns: z.object({ status: z.literal(true) }),
  },
  tags: { ...tags, path: '/upstream/api/tags', summary: 'The runtime models that the caller may use' },
  tagsAt: { ...tags, path: at('/upstream/api/tags'), summary: 'Those of one runtime', errors: ['not_found'] },
  version: { ...version, auth: 'open', path: '/upstream/api/version', summary: 'The lowest version of all runtimes' },
  versionAt: {
    ...version,
    auth: 'user',
    path: at('/upstream/api/version'),
    summary: 'The version of one runtime',
    errors: ['not_found'],
  },
  ps: {
    ...style,
    method: 'GET',
    path: '/upstream/api/ps',
    auth: 'platform',
    summary: 'Models in memory, of all runtimes',
    returns: z.looseObject({ models: z.array(z.looseObject({})) }),
  },
  show: { ...asking, path: '/upstream/api/show', body: ModelOrName, summary: 'What the runtime knows about a model' },
  generate: { ...generate, path: '/upstream/api/generate' },
  generateAt: { ...generate, path: at('/upstream/api/generate') },
  chat: { ...chat, path: '/upstream/api/chat' },
  chatAt: { ...chat, path: at('/upstream/api/chat') },
  embed: { ...embed, path: '/upstream/api/embed' },
  embedAt: { ...embed, path: at('/upstream/api/embed') },
  embeddings: { ...embedOne, path: '/upstream/api/embeddings' },
  embeddingsAt: { ...embedOne, path: at('/upstream/api/embeddings') },
  pull: { ...pull, path: '/upstream/api/pull' },
  pullAt: { ...pull, path: at('/upstream/api/pull') },
  create: { ...create, path: '/upstream/api/create' },
  createAt: { ...create, path: at('/upstream/api/create') },
  push: { ...push, path: '/upstream/api/push' },
  pushAt: { ...push, path: at('/upstream/api/push') },
  pushByDelete: { ...push, method: 'DELETE', path: '/upstream/api/push' },
  pushByDeleteAt: { ...push, method: 'DELETE', path: at('/upstream/api/push') },
  copy: { ...copy, path: '/upstream/api/copy' },
  copyAt: { ...copy, path: at('/upstream/api/copy') },
  remove: { ...remove, path: '/upstream/api/delete' },
  removeAt: { ...remove, path: at('/upstream/api/delete') },
  unload: {
    ...managing,
    path: '/upstream/api/unload',
    summary: 'Take a model out of memory',
    returns: z.object({ status: z.literal(true) }),
  },
  /** One prefix for the whole family: whatever stands under it comes here. */
  unknown: {
    ...style,
    method: 'GET',
    path: '/upstream/{path+}',
    auth: 'user',
    summary: 'Everything else is not there',
    errors: ['not_found'],
  },
} as const;
