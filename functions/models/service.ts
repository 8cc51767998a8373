import type { Viewer } from '../../shared/connections/grant.ts';
import { conflict, invalidField } from '../../shared/errors.ts';
import { mayChange } from '../../shared/models/catalog.ts';
import { PLATFORM, type ModelRow } from '../../shared/models/model-row.ts';
import { modelNotFound, type Entry, type Models } from '../../shared/models/models.ts';
import type { Clock } from '../../shared/time.ts';
import { grantsOf } from './access.ts';
import type { ModelForm, ModelPatch } from './contract/description.ts';
import { demandOwn, entryOf, newRow, tenantFor, withoutImage } from './description.ts';
import type { ModelsStore } from './store.ts';

export interface DescriptionParts {
  readonly models: Models;
  readonly store: ModelsStore;
  readonly now: Clock;
}

/** Models that people describe: settings, a system prompt, tools over a base model, and who may use it. */
export function createDescriptions(parts: DescriptionParts) {
  const { store } = parts;
  return {
    create: (viewer: Viewer, form: ModelForm) => createModel(parts, viewer, form),
    update: (viewer: Viewer, patch: ModelPatch) => updateModel(parts, viewer, patch),
    toggle: (viewer: Viewer, id: string) =>
      changeModel(parts, { viewer, id }, ({ is_active }) => ({ is_active: !is_active })),
    async setAccess(viewer: Viewer, { id, access_grants }: { id: string; access_grants: ModelRow['access_grants'] }) {
      if (viewer.kind === 'platform' && !(await store.read({ tenant: PLATFORM, id })))
        await createOverride(parts, viewer, id);
      return changeModel(parts, { viewer, id }, () => ({ access_grants }));
    },
    async delete(viewer: Viewer, id: string) {
      await store.remove(await demandOwn(parts, viewer, id));
      return true as const;
    },
    async deleteAll() {
      await store.removeAll();
      return true as const;
    },
    async own(viewer: Viewer): Promise<Entry[]> {
      const rows = [...(await store.readAll(tenantFor(viewer))).values()].filter((row) => mayChange(viewer, row));
      return Promise.all(rows.map((row) => entryOf(parts.models, viewer, row)));
    },
    async import(viewer: Viewer, forms: readonly ModelForm[]) {
      for (const form of forms) {
        const isKnown = await store.read({ tenant: tenantFor(viewer), id: form.id });
        await (isKnown ? updateModel(parts, viewer, form) : createModel(parts, viewer, form));
      }
      return true as const;
    },
  };
}

async function createModel(parts: DescriptionParts, viewer: Viewer, form: ModelForm): Promise<Entry> {
  const { models, store, now } = parts;
  if (await models.find(viewer, form.id)) {
    const describesBase = viewer.kind === 'platform' && !form.base_model_id;
    if (!describesBase) throw conflict('A model with this id exists already');
  }
  await demandBase(parts, viewer, form.base_model_id ?? null);
  const row = newRow(viewer, form, now());
  await store.insert(row);
  await store.writeImage(row, form.meta.profile_image_url ?? undefined);
  return entryOf(models, viewer, row);
}

async function updateModel(parts: DescriptionParts, viewer: Viewer, patch: ModelPatch): Promise<Entry> {
  const { id, base_model_id, meta, access_grants: _new, access_control: _old, ...plain } = patch;
  if (base_model_id) await demandBase(parts, viewer, base_model_id);
  const grants = grantsOf(patch);
  const entry = await changeModel(parts, { viewer, id }, () => ({
    ...Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined)),
    ...(base_model_id && { base_model_id }),
    ...(meta && { meta: withoutImage(meta) }),
    ...(grants !== undefined && { access_grants: grants }),
  }));
  if (meta && 'profile_image_url' in meta)
    await parts.store.writeImage({ tenant: tenantFor(viewer), id }, meta.profile_image_url ?? undefined);
  return entry;
}

interface Changing {
  readonly viewer: Viewer;
  readonly id: string;
}

async function changeModel(
  parts: DescriptionParts,
  { viewer, id }: Changing,
  decide: (row: ModelRow) => Partial<ModelRow>,
): Promise<Entry> {
  const row = await demandOwn(parts, viewer, id);
  const next = { ...row, ...decide(row), updated_at: parts.now(), revision: row.revision + 1 };
  await parts.store.replace(next, row.revision);
  return entryOf(parts.models, viewer, next);
}

/** Operators may describe a base model itself; everybody else needs a base model that they may use. */
async function demandBase({ models }: DescriptionParts, viewer: Viewer, baseId: string | null) {
  if (baseId === null && viewer.kind === 'platform') return;
  const loc = ['body', 'base_model_id'];
  if (baseId === null) throw invalidField(loc, 'Field required', 'missing');
  const found = await models.find(viewer, baseId);
  if (!found || found.row?.base_model_id) throw invalidField(loc, 'There is no base model with this id');
}

async function createOverride({ store, models, now }: DescriptionParts, viewer: Viewer, id: string) {
  const found = await models.find(viewer, id);
  if (!found) throw modelNotFound();
  await store.insert(newRow(viewer, { id, name: found.base.name, meta: {}, params: {}, is_active: true }, now()));
}
