import { invalidField } from '../errors.ts';
import { tenantOf, type UserActor } from '../identity/actor.ts';
import { openTable } from '../store/table.ts';
import { CatalogRow, mayUseCatalog } from './catalog.ts';
import { catalogKey, spaceKey } from './keys.ts';
import { maySeeSpace, SpaceRow } from './space.ts';

const table = openTable('workflows');

export async function readCatalog(tenant: string, catalogId: string): Promise<CatalogRow | undefined> {
  const row = await table.get(catalogKey(tenant, catalogId));
  return row && CatalogRow.parse(row);
}

export async function readSpace(tenant: string, spaceId: string): Promise<SpaceRow | undefined> {
  const row = await table.get(spaceKey(tenant, spaceId));
  return row && SpaceRow.parse(row);
}

export interface RunContextIds {
  readonly catalog_id?: string | null;
  readonly space_id?: string | null;
}

/** Workflows and triggers may only name catalogs and spaces that exist and that this person may use. */
export async function demandUsable(actor: UserActor, { catalog_id, space_id }: RunContextIds): Promise<void> {
  const tenant = tenantOf(actor);
  const [catalog, space] = await Promise.all([
    catalog_id ? readCatalog(tenant, catalog_id) : undefined,
    space_id ? readSpace(tenant, space_id) : undefined,
  ]);
  if (catalog_id && !(catalog && mayUseCatalog(actor, catalog)))
    throw invalidField(['body', 'catalog_id'], `There is no catalog "${catalog_id}" that you may use`);
  if (space_id && !(space && maySeeSpace(actor, space)))
    throw invalidField(['body', 'space_id'], `There is no space "${space_id}" that you may use`);
}
