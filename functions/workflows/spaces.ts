import { AppError, invalidField } from '../../shared/errors.ts';
import { tenantOf, type UserActor } from '../../shared/identity/actor.ts';
import type { CursorPaging } from '../../shared/workflow/cursor-page.ts';
import { isDeeperThan } from '../../shared/exact-json.ts';
import { mayEditSpace, maySeeSpace, type SpaceRow } from '../../shared/workflow/space.ts';
import { createAccess } from './access.ts';
import type { NewSpace, SpaceChange } from './catalog-routes.ts';
import type { ContextStore } from './context-store.ts';

export interface SpaceParts {
  readonly store: ContextStore<SpaceRow>;
  readonly now: () => number;
  readonly newId: () => string;
}

export function createSpaces({ store, now, newId }: SpaceParts) {
  const access = createAccess(store, { what: 'Space', maySee: maySeeSpace, mayEdit: mayEditSpace });
  return {
    async create(actor: UserActor, input: NewSpace) {
      demandStorable(input);
      const at = now();
      const variables = JSON.stringify(input.variables);
      const own = { tenant: tenantOf(actor), id: `space_${newId()}`, user_id: actor.userId };
      const row = { ...own, ...input, variables, revision: 1, created_at: at, updated_at: at };
      await store.create(row);
      return view(row);
    },
    async list(actor: UserActor, paging: CursorPaging) {
      const page = await access.list(actor, paging);
      return { ...page, data: page.data.map(view) };
    },
    get: async (actor: UserActor, id: string) => view(await access.get(actor, id)),
    async update(actor: UserActor, id: string, { variables, ...fields }: SpaceChange) {
      demandStorable({ variables, ...fields });
      const row = await access.getEditable(actor, id);
      const own = { revision: row.revision + 1, updated_at: now() };
      const changed = { ...row, ...fields, ...(variables && { variables: JSON.stringify(variables) }), ...own };
      await store.replace(changed, row.revision);
      return view(changed);
    },
    remove: access.remove,
  };
}

export type Spaces = ReturnType<typeof createSpaces>;

const MAX_VARIABLES = 64 * 1024;
const DEEPEST = 32;

function demandStorable({ variables = {}, knowledge = [] }: SpaceChange) {
  if (knowledge.length > 0)
    throw invalidField(['body', 'knowledge'], 'There is no knowledge collection on this installation');
  if (isDeeperThan(variables, DEEPEST))
    throw invalidField(['body', 'variables'], `nested deeper than ${DEEPEST} levels`);
  if (Buffer.byteLength(JSON.stringify(variables)) > MAX_VARIABLES)
    throw new AppError('payload_too_large', 'The variables of a space may have 64 KB');
}

const view = (row: SpaceRow) => ({
  ...row,
  variables: JSON.parse(row.variables) as Record<string, unknown>,
});
