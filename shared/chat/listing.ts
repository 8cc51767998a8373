import type { Condition } from '../store/expression.ts';
import { chats, parseHeader, shelfPartition, type ChatHeader, type Shelf } from './header.ts';

export type VisibleShelf = Exclude<Shelf, 'deleted'>;
export const ALL_SHELVES: readonly VisibleShelf[] = ['chats', 'pinned', 'foldered', 'archived'];

export interface Listing {
  readonly owner: string;
  readonly shelves: readonly VisibleShelf[];
  /** How many of the newest are wanted; all when absent. */
  readonly limit?: number;
  readonly folderId?: string;
  readonly filter?: Condition;
}

/** Headers of one owner, newest first. Each shelf is one range of the index; nobody else's rows are read. */
export async function listHeaders(listing: Listing): Promise<ChatHeader[]> {
  const found = await Promise.all(listing.shelves.map((shelf) => headersOn(shelf, listing)));
  const headers = found.flat().toSorted(byRecency);
  return listing.limit === undefined ? headers : headers.slice(0, listing.limit);
}

const byRecency = (a: ChatHeader, b: ChatHeader) => b.updatedAt - a.updatedAt || (a.chatId < b.chatId ? -1 : 1);

const ROWS_PER_READ = 1000;

async function headersOn(shelf: VisibleShelf, { owner, limit, folderId, filter }: Listing) {
  // Foldered chats stand by folder first, so without a folder their newest are known only after reading all.
  const enough = shelf === 'foldered' && folderId === undefined ? undefined : limit;
  const query = {
    index: 'gsi1',
    pk: shelfPartition(owner, shelf),
    newestFirst: true,
    limit: filter ? ROWS_PER_READ : Math.min(enough ?? ROWS_PER_READ, ROWS_PER_READ),
    ...(folderId !== undefined && { prefix: `${folderId}#` }),
    ...(filter && { filter }),
  };
  const headers: ChatHeader[] = [];
  for await (const row of chats.walk(query)) {
    const header = parseHeader(row);
    if (header) headers.push(header);
    if (enough !== undefined && headers.length >= enough) break;
  }
  return headers;
}

/** The n-th page, counted from one. */
export async function pageOfHeaders(
  listing: Omit<Listing, 'limit'>,
  page: number,
  size: number,
): Promise<ChatHeader[]> {
  const headers = await listHeaders({ ...listing, limit: page * size });
  return headers.slice((page - 1) * size);
}
