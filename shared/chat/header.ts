import * as z from 'zod';
import { ConditionFailed } from '../store/dynamodb.ts';
import { when } from '../store/expression.ts';
import { openTable, type Row } from '../store/table.ts';
import type { Millis } from '../time.ts';
import { headKey, type ChatRef } from './keys.ts';

export const chats = openTable('chats');

const millis = z.number().transform((value) => value as Millis);

/** What lists show of a chat. Small, because it is copied into the index. */
export const ChatHeader = z.object({
  owner: z.string(),
  chatId: z.string(),
  title: z.string(),
  createdAt: millis,
  updatedAt: millis,
  currentId: z.string().nullable(),
  archived: z.boolean(),
  pinned: z.boolean(),
  folderId: z.string().nullable(),
  shareId: z.string().nullable(),
  tags: z.array(z.string()),
});
export type ChatHeader = z.output<typeof ChatHeader>;

/** A chat that is being deleted still has a row, but is gone for everyone. */
export const parseHeader = (row: Row | undefined): ChatHeader | undefined =>
  row === undefined || row['deletedAt'] !== undefined ? undefined : ChatHeader.parse(row);

export const readHeader = async (ref: ChatRef) => parseHeader(await chats.get(headKey(ref)));

/** Where a chat is listed. Archived wins over pinned, pinned over a folder. */
export type Shelf = 'chats' | 'pinned' | 'archived' | 'foldered' | 'deleted';

export const shelfOf = ({ archived, pinned, folderId }: Placing): Shelf =>
  archived ? 'archived' : pinned ? 'pinned' : folderId !== null ? 'foldered' : 'chats';

export const shelfPartition = (owner: string, shelf: Shelf) => `USER#${owner}#${shelf}`;

type Placing = Pick<ChatHeader, 'archived' | 'pinned' | 'folderId'>;

/** Foldered chats stand folder by folder, newest last; all others by recency alone. */
function indexKeys(header: ChatHeader) {
  const shelf = shelfOf(header);
  const recency = `${new Date(header.updatedAt).toISOString()}#${header.chatId}`;
  return {
    gsi1pk: shelfPartition(header.owner, shelf),
    gsi1sk: shelf === 'foldered' ? `${header.folderId}#${recency}` : recency,
    placing: placingOf(header),
  };
}

/** One attribute that changes whenever the chat moves, to notice moves that happen in between. */
const placingOf = ({ archived, pinned, folderId }: Placing) =>
  `${archived ? 'archived' : ''}|${pinned ? 'pinned' : ''}|${folderId ?? ''}`;

export const headerRow = (header: ChatHeader) => ({ ...headKey(header), ...header, ...indexKeys(header) });

const MAX_ATTEMPTS = 20;

export type HeaderChange = Partial<Omit<ChatHeader, 'owner' | 'chatId' | 'createdAt'>>;

/**
 * Changes the header if the chat is still there. Two changes at the same time both count; the decision is made anew only
 * when the chat has moved in between, because its place in the index depends on that, or when what it builds on is gone.
 */
export async function changeHeader(
  ref: ChatRef,
  decide: (header: ChatHeader) => HeaderChange,
  known?: ChatHeader,
): Promise<ChatHeader | undefined> {
  let header = known ?? (await readHeader(ref));
  for (let attempt = 1; header; attempt += 1) {
    const change = decide(header);
    const next: ChatHeader = { ...header, ...change };
    const outcome = await writeHeader(header, next, change);
    if (outcome === 'written') return next;
    if (attempt === MAX_ATTEMPTS) throw new Error(`The chat ${ref.chatId} keeps moving`);
    header = parseHeader(outcome.existing);
  }
  return undefined;
}

/** Their new value depends on the old one, so the old one must still be there. */
const BUILT_ON = ['tags', 'shareId'] as const;

async function writeHeader(seen: ChatHeader, next: ChatHeader, change: HeaderChange) {
  const built = BUILT_ON.filter((name) => change[name] !== undefined);
  const condition = when(
    ['attribute_not_exists(#deletedAt)', '#placing = :placing', ...built.map((name) => `#${name} = :${name}`)].join(
      ' AND ',
    ),
    { placing: placingOf(seen), ...Object.fromEntries(built.map((name) => [name, seen[name]])) },
  );
  try {
    await chats.swap(headKey(seen), { set: { ...change, ...indexKeys(next) } }, condition);
    return 'written' as const;
  } catch (error) {
    if (error instanceof ConditionFailed) return { existing: error.existing };
    throw error;
  }
}
