import { encodeCursor } from '../store/cursor.ts';
import type { Query, Row, Table } from '../store/table.ts';
import type { CursorPage, CursorPaging } from './cursor-page.ts';

const ROWS_PER_READ = 200;
/** A filter that hardly matches answers with a short page and a cursor instead of reading on and on. */
const MAX_READS = 10;

/** A full page of the rows that are wanted, even where the index holds others in between. */
export async function filteredPage<T>(
  table: Table,
  query: Query & CursorPaging,
  read: (row: Row) => T | undefined,
): Promise<CursorPage<T>> {
  const data: T[] = [];
  let { cursor } = query;
  for (let reads = 0; reads < MAX_READS; reads += 1) {
    const page = await table.query({ ...query, cursor, limit: query.filter ? ROWS_PER_READ : query.limit });
    for (const row of page.rows) {
      const item = read(row);
      if (item === undefined) continue;
      data.push(item);
      const isLast = row === page.rows.at(-1) && page.cursor === undefined;
      if (data.length === query.limit) return { data, next_cursor: isLast ? null : positionOf(row, query.index) };
    }
    cursor = page.cursor;
    if (cursor === undefined) return { data, next_cursor: null };
  }
  return { data, next_cursor: cursor ?? null };
}

function positionOf(row: Row, index: string | undefined) {
  const names = ['pk', 'sk', ...(index ? [`${index}pk`, `${index}sk`] : [])];
  return encodeCursor(Object.fromEntries(names.map((name) => [name, row[name]])));
}
