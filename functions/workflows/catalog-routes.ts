import * as z from 'zod';
import { defineRoutes } from '../../shared/http/route.ts';
import { CatalogRow } from '../../shared/workflow/catalog.ts';
import { CursorPaging, cursorPageOf } from '../../shared/workflow/cursor-page.ts';
import { SpaceMember, SpaceRow } from '../../shared/workflow/space.ts';

const Address = z
  .string()
  .trim()
  .max(2000)
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), 'must be an http or https address')
  .refine((text) => !URL.canParse(text) || new URL(text).username === '', 'must not carry a user or a password')
  .transform((text) => text.replace(/\/+$/, ''));

const catalogFields = {
  name: z.string().trim().min(1).max(200),
  description: z.string().max(4000),
  base_url: Address,
  model: z.string().trim().min(1).max(200),
  /** Null takes the key away. */
  api_key: z.string().min(1).max(4000).nullable(),
  visibility: z.enum(['tenant', 'private']),
};

export const NewCatalog = z.object({
  ...catalogFields,
  description: catalogFields.description.default(''),
  api_key: catalogFields.api_key.default(null),
  visibility: catalogFields.visibility.default('tenant'),
});
export type NewCatalog = z.output<typeof NewCatalog>;
export const CatalogChange = z.object(catalogFields).partial();
export type CatalogChange = z.output<typeof CatalogChange>;

export const Catalog = CatalogRow.omit({ tenant: true, sealed_key: true }).extend({ has_key: z.boolean() });

const spaceFields = {
  name: z.string().trim().min(1).max(200),
  description: z.string().max(4000),
  instructions: z.string().max(20_000),
  knowledge: z.array(z.object({ type: z.enum(['file', 'collection']), id: z.string().min(1).max(80) })).max(50),
  variables: z.record(z.string().regex(/^[A-Za-z_]\w{0,79}$/, 'must be a name'), z.unknown()),
  visibility: z.enum(['tenant', 'members']),
  members: z.array(SpaceMember).max(200),
};

export const NewSpace = z.object({
  ...spaceFields,
  description: spaceFields.description.default(''),
  instructions: spaceFields.instructions.default(''),
  knowledge: spaceFields.knowledge.default([]),
  variables: spaceFields.variables.default({}),
  visibility: spaceFields.visibility.default('tenant'),
  members: spaceFields.members.default([]),
});
export type NewSpace = z.output<typeof NewSpace>;
export const SpaceChange = z.object(spaceFields).partial();
export type SpaceChange = z.output<typeof SpaceChange>;

export const Space = SpaceRow.omit({ tenant: true }).extend({ variables: z.record(z.string(), z.unknown()) });

const MAX_BODY = 256 * 1024;

export const catalogRoutes = defineRoutes({
  createCatalog: {
    method: 'POST',
    path: '/api/v1/catalogs',
    auth: 'user',
    summary: 'Keep a connection to a model; its key is sealed and never shown again',
    body: NewCatalog,
    maxBody: MAX_BODY,
    status: 201,
    returns: Catalog,
  },
  listCatalogs: {
    method: 'GET',
    path: '/api/v1/catalogs',
    auth: 'user',
    summary: 'The catalogs that you may use',
    query: CursorPaging,
    returns: cursorPageOf(Catalog),
  },
  getCatalog: {
    method: 'GET',
    path: '/api/v1/catalogs/{id}',
    auth: 'user',
    summary: 'One catalog, without its key',
    returns: Catalog,
    errors: ['not_found'],
  },
  updateCatalog: {
    method: 'PATCH',
    path: '/api/v1/catalogs/{id}',
    auth: 'user',
    summary: 'Change a catalog',
    body: CatalogChange,
    maxBody: MAX_BODY,
    returns: Catalog,
    errors: ['not_found', 'forbidden', 'conflict'],
  },
  removeCatalog: {
    method: 'DELETE',
    path: '/api/v1/catalogs/{id}',
    auth: 'user',
    summary: 'Delete a catalog; runs that name it fail from then on',
    errors: ['not_found', 'forbidden'],
  },
  createSpace: {
    method: 'POST',
    path: '/api/v1/spaces',
    auth: 'user',
    summary: 'Keep a context for runs: instructions, variables, members',
    body: NewSpace,
    maxBody: MAX_BODY,
    status: 201,
    returns: Space,
  },
  listSpaces: {
    method: 'GET',
    path: '/api/v1/spaces',
    auth: 'user',
    summary: 'The spaces that you may see',
    query: CursorPaging,
    returns: cursorPageOf(Space),
  },
  getSpace: {
    method: 'GET',
    path: '/api/v1/spaces/{id}',
    auth: 'user',
    summary: 'One space',
    returns: Space,
    errors: ['not_found'],
  },
  updateSpace: {
    method: 'PATCH',
    path: '/api/v1/spaces/{id}',
    auth: 'user',
    summary: 'Change a space',
    body: SpaceChange,
    maxBody: MAX_BODY,
    returns: Space,
    errors: ['not_found', 'forbidden', 'conflict'],
  },
  removeSpace: {
    method: 'DELETE',
    path: '/api/v1/spaces/{id}',
    auth: 'user',
    summary: 'Delete a space; runs that name it fail from then on',
    errors: ['not_found', 'forbidden'],
  },
});
