import { forbidden, notFound } from '../../shared/errors.ts';
import { tenantOf, type UserActor } from '../../shared/identity/actor.ts';
import type { CursorPaging } from '../../shared/workflow/cursor-page.ts';
import type { ContextRow, ContextStore } from './context-store.ts';

interface Rules<T> {
  readonly what: string;
  readonly maySee: (actor: UserActor, row: T) => boolean;
  readonly mayEdit: (actor: UserActor, row: T) => boolean;
}

/** Reading and changing what a tenant keeps: hidden from whom it is not for, refused to whom may only look. */
export function createAccess<T extends ContextRow>(store: ContextStore<T>, { what, maySee, mayEdit }: Rules<T>) {
  const get = async (actor: UserActor, id: string) => {
    const row = await store.get(tenantOf(actor), id);
    if (!row || !maySee(actor, row)) throw notFound(what);
    return row;
  };
  const getEditable = async (actor: UserActor, id: string) => {
    const row = await get(actor, id);
    if (!mayEdit(actor, row)) throw forbidden('You may use this, but not change it');
    return row;
  };
  return {
    get,
    getEditable,
    list: (actor: UserActor, paging: CursorPaging) => store.list(tenantOf(actor), paging, (row) => maySee(actor, row)),
    remove: async (actor: UserActor, id: string) => {
      const row = await getEditable(actor, id);
      await store.remove(row.tenant, row.id);
    },
  };
}
