import type { Viewer } from '../../shared/connections/grant.ts';
import { forbidden } from '../../shared/errors.ts';
import { tenantOf } from '../../shared/identity/actor.ts';
import { mayChange, type BaseModel } from '../../shared/models/catalog.ts';
import { PLATFORM, type ModelRow } from '../../shared/models/model-row.ts';
import { modelNotFound, type Entry, type Models } from '../../shared/models/models.ts';
import { grantsOf } from './access.ts';
import type { ModelForm } from './contract/description.ts';
import type { ModelsStore } from './store.ts';

/** An operator's models are the platform's, everybody else's belong to their organization or to themselves. */
export const tenantFor = (viewer: Viewer) => (viewer.kind === 'platform' ? PLATFORM : tenantOf(viewer));

/** A model of one's own starts private; an operator's is for those who may use its base model. */
export const newRow = (viewer: Viewer, form: ModelForm, at: number): ModelRow => ({
  tenant: tenantFor(viewer),
  id: form.id,
  user_id: viewer.kind === 'platform' ? viewer.adminId : viewer.userId,
  base_model_id: form.base_model_id ?? null,
  name: form.name,
  meta: withoutImage(form.meta),
  params: form.params,
  access_grants: grantsOf(form) ?? (viewer.kind === 'platform' ? null : []),
  is_active: form.is_active,
  created_at: at,
  updated_at: at,
  revision: 1,
});

export const withoutImage = ({ profile_image_url: _image, ...meta }: ModelForm['meta']) => meta;

/** What cannot be seen is not found; what can be seen but not changed is forbidden. */
export async function demandOwn(
  { store, models }: { readonly store: ModelsStore; readonly models: Models },
  viewer: Viewer,
  id: string,
): Promise<ModelRow> {
  const row = await store.read({ tenant: tenantFor(viewer), id });
  if (row && mayChange(viewer, row)) return row;
  if (await models.find(viewer, id)) throw forbidden('Only its owner may change this model');
  throw modelNotFound();
}

/** The base model may be gone or its connection silent; the description is still there to be seen. */
export async function entryOf(models: Models, viewer: Viewer, row: ModelRow): Promise<Entry> {
  const found = await models.find(viewer, row.base_model_id ?? row.id);
  const unknown: BaseModel = { kind: 'function', id: row.base_model_id ?? row.id, name: row.name, meta: {} };
  return { base: found?.base ?? unknown, row, hosts: found?.hosts ?? [] };
}
