import * as z from 'zod';
import type { UserActor } from '../identity/actor.ts';

/** A catalog is a connection to a model: where it is, which model, and the key, sealed. */
export const CatalogRow = z.object({
  tenant: z.string(),
  id: z.string(),
  name: z.string(),
  description: z.string(),
  base_url: z.string(),
  model: z.string(),
  sealed_key: z.string().nullable(),
  /** The last characters, so that people can tell keys apart. */
  key_hint: z.string().nullable(),
  visibility: z.enum(['tenant', 'private']),
  user_id: z.string(),
  revision: z.int(),
  created_at: z.int(),
  updated_at: z.int(),
});
export type CatalogRow = z.output<typeof CatalogRow>;

export const keyContext = (tenant: string, catalogId: string) => ({ tenant, field: `catalog.${catalogId}.key` });

export const mayUseCatalog = (actor: UserActor, { visibility, user_id }: CatalogRow) =>
  visibility === 'tenant' || user_id === actor.userId || actor.role === 'ROLE_ORG_ADMIN';

export const mayEditCatalog = (actor: UserActor, { user_id }: CatalogRow) =>
  user_id === actor.userId || actor.role === 'ROLE_ORG_ADMIN';
