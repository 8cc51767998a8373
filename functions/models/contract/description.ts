import * as z from 'zod';
import { Grant } from '../../../shared/connections/grant.ts';
import { byId, Model, ModelId, signedIn } from './model.ts';

/** Pictures come along as data addresses, so a description may weigh this much. */
const maxBody = 256 * 1024;

/** Before there were grants: null is for everyone, an empty object for the owner alone. */
const Principals = z.object({ group_ids: z.array(z.string()).default([]), user_ids: z.array(z.string()).default([]) });
const AccessControl = z.object({ read: Principals.optional(), write: Principals.optional() }).nullable();

const fields = {
  id: ModelId,
  base_model_id: ModelId.nullish(),
  name: z.string().trim().min(1).max(256),
  meta: z.looseObject({ profile_image_url: z.string().nullish() }),
  params: z.looseObject({}),
  access_grants: z.array(Grant).max(1000).nullish(),
  access_control: AccessControl.optional(),
  is_active: z.boolean(),
};

export const ModelForm = z.object({
  ...fields,
  meta: fields.meta.default({}),
  params: fields.params.default({}),
  is_active: fields.is_active.default(true),
});
export type ModelForm = z.output<typeof ModelForm>;
export const ModelPatch = z.object(fields).partial().required({ id: true });
export type ModelPatch = z.output<typeof ModelPatch>;

export const descriptionRoutes = {
  createModel: {
    ...signedIn,
    method: 'POST',
    path: '/api/v1/models/create',
    summary: 'Describe a model: settings, a system prompt, tools over a base model',
    body: ModelForm,
    maxBody,
    returns: Model,
    errors: ['conflict', 'validation_failed'],
  },
  updateModel: {
    ...signedIn,
    method: 'POST',
    path: '/api/v1/models/model/update',
    summary: 'Change a described model; what is left out stays',
    body: ModelPatch,
    maxBody,
    returns: Model,
    errors: ['model_not_found', 'forbidden', 'validation_failed', 'stale_version'],
  },
  toggleModel: {
    ...signedIn,
    method: 'POST',
    path: '/api/v1/models/model/toggle',
    summary: 'Switch a described model off, or on again',
    query: byId,
    returns: Model,
    errors: ['model_not_found', 'forbidden', 'stale_version'],
  },
  updateAccess: {
    ...signedIn,
    method: 'POST',
    path: '/api/v1/models/model/access/update',
    summary: 'Say who may use a model; null is as for its base model',
    body: z.object({ id: ModelId, name: z.string().optional(), access_grants: z.array(Grant).max(1000).nullable() }),
    returns: Model,
    errors: ['model_not_found', 'forbidden', 'stale_version'],
  },
  deleteModel: {
    ...signedIn,
    method: 'POST',
    path: '/api/v1/models/model/delete',
    summary: 'Delete a described model',
    body: byId,
    returns: z.literal(true),
    errors: ['model_not_found', 'forbidden'],
  },
  deleteModelToo: {
    ...signedIn,
    method: 'DELETE',
    path: '/api/v1/models/model/delete',
    summary: 'The same in its older spelling',
    query: byId,
    returns: z.literal(true),
    errors: ['model_not_found', 'forbidden'],
  },
  deleteModels: {
    auth: 'platform',
    method: 'DELETE',
    path: '/api/v1/models/delete/all',
    summary: 'Delete all models that operators have described',
    returns: z.literal(true),
  },
  exportModels: {
    ...signedIn,
    method: 'GET',
    path: '/api/v1/models/export',
    summary: 'The described models that the caller may change',
    returns: z.array(Model),
  },
  importModels: {
    ...signedIn,
    method: 'POST',
    path: '/api/v1/models/import',
    summary: 'Create the given models, or replace those of the same id',
    body: z.object({ models: z.array(ModelForm).min(1).max(500) }),
    returns: z.literal(true),
    errors: ['conflict', 'forbidden', 'validation_failed'],
  },
} as const;
