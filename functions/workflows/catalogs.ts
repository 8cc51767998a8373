import { tenantOf, type UserActor } from '../../shared/identity/actor.ts';
import type { Seal } from '../../shared/seal/seal.ts';
import { keyContext, mayEditCatalog, mayUseCatalog, type CatalogRow } from '../../shared/workflow/catalog.ts';
import type { CursorPaging } from '../../shared/workflow/cursor-page.ts';
import { createAccess } from './access.ts';
import type { CatalogChange, NewCatalog } from './catalog-routes.ts';
import type { ContextStore } from './context-store.ts';

export interface CatalogParts {
  readonly store: ContextStore<CatalogRow>;
  readonly seal: Seal;
  readonly now: () => number;
  readonly newId: () => string;
}

export function createCatalogs({ store, seal, now, newId }: CatalogParts) {
  const access = createAccess(store, { what: 'Catalog', maySee: mayUseCatalog, mayEdit: mayEditCatalog });
  const sealedKey = async (tenant: string, id: string, key: string | null) => ({
    sealed_key: key === null ? null : await seal.close(key, keyContext(tenant, id)),
    key_hint: key === null ? null : hintOf(key),
  });
  return {
    async create(actor: UserActor, { api_key, ...fields }: NewCatalog) {
      const [tenant, id, at] = [tenantOf(actor), `cat_${newId()}`, now()];
      const own = { tenant, id, user_id: actor.userId, created_at: at, updated_at: at, revision: 1 };
      const row = { ...own, ...fields, ...(await sealedKey(tenant, id, api_key)) };
      await store.create(row);
      return view(row);
    },
    async list(actor: UserActor, paging: CursorPaging) {
      const page = await access.list(actor, paging);
      return { ...page, data: page.data.map(view) };
    },
    get: async (actor: UserActor, id: string) => view(await access.get(actor, id)),
    async update(actor: UserActor, id: string, { api_key, ...fields }: CatalogChange) {
      const row = await access.getEditable(actor, id);
      // A key is for the address it was given with: it must not be sent to another one.
      const isMoved = fields.base_url !== undefined && fields.base_url !== row.base_url;
      const key = api_key === undefined && isMoved ? null : api_key;
      const sealed = key === undefined ? {} : await sealedKey(row.tenant, row.id, key);
      const changed = { ...row, ...fields, ...sealed, revision: row.revision + 1, updated_at: now() };
      await store.replace(changed, row.revision);
      return view(changed);
    },
    remove: access.remove,
  };
}

export type Catalogs = ReturnType<typeof createCatalogs>;

const hintOf = (key: string) => (key.length >= 12 ? `…${key.slice(-4)}` : '…');

const view = (row: CatalogRow) => ({ ...row, has_key: row.sealed_key !== null });
