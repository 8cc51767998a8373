import * as z from 'zod';
import { Grant } from '../../../shared/connections/grant.ts';

export const signedIn = { auth: 'signedIn' } as const;

export const ModelId = z
  .string()
  .min(1)
  .max(256)
  .regex(/^[^\p{Cc}]+$/u, 'A model id has no control characters');

const GrantView = Grant.extend({ id: z.string(), resource_type: z.literal('model'), resource_id: z.string() });

/** One model. Those who may only use it see its numbers, not its system prompt. */
export const Model = z.looseObject({
  id: z.string(),
  name: z.string(),
  model: z.string(),
  base_model_id: z.string().nullable(),
  user_id: z.string().nullable(),
  meta: z.looseObject({
    description: z.string(),
    capabilities: z.union([z.array(z.string()), z.record(z.string(), z.unknown())]),
    context_length: z.int().nullable(),
    max_output_tokens: z.int().nullable(),
  }),
  params: z.looseObject({
    temperature: z.number(),
    top_p: z.number(),
    frequency_penalty: z.number(),
    presence_penalty: z.number(),
  }),
  access_grants: z.array(GrantView),
  inherits_access: z.boolean(),
  is_active: z.boolean(),
  write_access: z.boolean(),
  created_at: z.int(),
  updated_at: z.int(),
});

const ListItem = z.looseObject({ id: z.string(), name: z.string(), object: z.literal('model'), owned_by: z.string() });
const List = z.object({ object: z.literal('list'), data: z.array(ListItem) });
const refresh = z.object({ refresh: z.stringbool().default(false) });
export const byId = z.object({ id: ModelId });

export const modelRoutes = {
  listModels: {
    ...signedIn,
    method: 'GET',
    path: '/api/models',
    summary: 'The models the caller may use',
    query: refresh,
    returns: List,
  },
  listModelsToo: {
    ...signedIn,
    method: 'GET',
    path: '/api/v1/models',
    summary: 'The same list under its versioned name',
    query: refresh,
    returns: List,
  },
  listBaseModels: {
    auth: 'platform',
    method: 'GET',
    path: '/api/models/base',
    summary: 'Every model that any connection offers',
    query: refresh,
    returns: List,
  },
  listBaseModelsToo: {
    auth: 'platform',
    method: 'GET',
    path: '/api/v1/models/base',
    summary: 'The same list under its versioned name',
    query: refresh,
    returns: List,
  },
  retrieveModel: {
    ...signedIn,
    method: 'GET',
    path: '/api/models/{id+}',
    summary: 'One model as the list shows it',
    returns: ListItem,
    errors: ['model_not_found'],
  },
  retrieveModelToo: {
    ...signedIn,
    method: 'GET',
    path: '/api/v1/models/{id+}',
    summary: 'One model as the list shows it',
    returns: ListItem,
    errors: ['model_not_found'],
  },
  getModel: {
    ...signedIn,
    method: 'GET',
    path: '/api/v1/models/model',
    summary: 'What is known about one model',
    query: byId,
    returns: Model,
    errors: ['model_not_found'],
  },
  getModelImage: {
    ...signedIn,
    method: 'GET',
    path: '/api/v1/models/model/profile/image',
    summary: 'The picture of a model, or where it lies',
    query: byId,
    errors: ['not_found'],
  },
  listDescribed: {
    ...signedIn,
    method: 'GET',
    path: '/api/v1/models/list',
    summary: 'Models that somebody has described, 30 a page',
    query: z.object({
      page: z.coerce.number().int().min(1).max(10_000).default(1),
      query: z.string().max(200).default(''),
      view_option: z.enum(['created', 'shared', '']).default(''),
      tag: z.string().max(200).default(''),
    }),
    returns: z.object({ items: z.array(Model), total: z.int() }),
  },
  listTags: {
    ...signedIn,
    method: 'GET',
    path: '/api/v1/models/tags',
    summary: 'Tags of the models the caller may use',
    returns: z.array(z.string()),
  },
} as const;
