import { encodeCursor } from './cursor.ts';
import type { Page, Query, Row, Table } from './table.ts';

/** Rows looked at for one page; a page may come back short, but never without the way to the next one. */
const MOST_LOOKED_AT = 2000;
const BATCH = 200;

/** A page of the rows that match what no key can express. Reads on until the page is full, the rows end or enough were looked at. */
export async function queryMatching(
  table: Table,
  query: Query & { readonly limit: number },
  matches: (row: Row) => boolean,
): Promise<Page> {
  const rows: Row[] = [];
  let { cursor } = query;
  for (let seen = 0; seen < MOST_LOOKED_AT;) {
    const page = await table.query({ ...query, cursor, limit: BATCH });
    for (const row of page.rows.filter(matches)) {
      rows.push(row);
      if (rows.length === query.limit) return { rows, cursor: after(row, page, query.index) };
    }
    seen += page.rows.length;
    cursor = page.cursor;
    if (cursor === undefined) break;
  }
  return { rows, cursor };
}

/** Nothing follows when the last row of the last page filled ours. */
const after = (row: Row, page: Page, index: string | undefined) =>
  page.cursor === undefined && row === page.rows.at(-1) ? undefined : encodeCursor(keysOf(row, index));

const keysOf = (row: Row, index: string | undefined) =>
  Object.fromEntries(
    ['pk', 'sk', ...(index ? [`${index}pk`, `${index}sk`] : [])].map((attribute) => [attribute, row[attribute]]),
  );
