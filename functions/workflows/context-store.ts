import type * as z from 'zod';
import { conflict, notFound } from '../../shared/errors.ts';
import { orElse } from '../../shared/store/dynamodb.ts';
import { absent, when } from '../../shared/store/expression.ts';
import { openTable, type Key, type Row } from '../../shared/store/table.ts';
import type { CursorPage, CursorPaging } from '../../shared/workflow/cursor-page.ts';
import { filteredPage } from '../../shared/workflow/filtered-page.ts';

const table = openTable('workflows');

export interface ContextRow {
  readonly tenant: string;
  readonly id: string;
  readonly revision: number;
}

/** Catalogs and spaces: a few rows per tenant, each changed only from the revision that was read. */
export interface ContextStore<T extends ContextRow> {
  get(tenant: string, id: string): Promise<T | undefined>;
  list(tenant: string, paging: CursorPaging, keep: (row: T) => boolean): Promise<CursorPage<T>>;
  create(row: T): Promise<void>;
  replace(row: T, revision: number): Promise<void>;
  remove(tenant: string, id: string): Promise<void>;
}

export const createContextStore = <T extends ContextRow & Row>(
  schema: z.ZodType<T>,
  keyOf: (tenant: string, id: string) => Key,
): ContextStore<T> => ({
  async get(tenant, id) {
    const row = await table.get(keyOf(tenant, id));
    return row && schema.parse(row);
  },
  list: (tenant, paging, keep) =>
    filteredPage(table, { pk: keyOf(tenant, '').pk, ...paging }, (row) => {
      const item = schema.parse(row);
      return keep(item) ? item : undefined;
    }),
  create: (row) => table.put({ ...keyOf(row.tenant, row.id), ...row }, absent),
  replace: (row, revision) =>
    table
      .put({ ...keyOf(row.tenant, row.id), ...row }, when('#revision = :revision', { revision }))
      .catch(orElse(() => conflict('Somebody else has just changed this; read it again'))),
  async remove(tenant, id) {
    await table.delete(keyOf(tenant, id), when('attribute_exists(pk)')).catch(orElse(() => notFound('Entry')));
  },
});
