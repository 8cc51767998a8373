import { AppError } from '../../shared/errors.ts';
import type { ChatHeader } from '../../shared/chat/header.ts';
import { ALL_SHELVES } from '../../shared/chat/listing.ts';
import { tagIdOf } from '../../shared/chat/tags.ts';
import { headView } from '../../shared/chat/view.ts';
import type { UserActor } from '../../shared/identity/actor.ts';
import { demandFolder } from './folders.ts';
import { fitsFacts, isInTitle, parseSearch, snippetOf, type Search } from './search.ts';
import { demandChat, PAGE_SIZE, refOf } from './service.ts';
import type { ChatsStore } from './store.ts';
import { titleView } from './title.ts';

/** Where chats are found: pinned, archived, in folders, by tag and by what they say. */
export const createShelves = (store: ChatsStore) => ({
  pinned: async (actor: UserActor) =>
    (await store.list({ owner: actor.userId, shelves: ['pinned'] })).map((header) => titleView(header)),
  isPinned: async (actor: UserActor, chatId: string) => demandChat(await store.header(refOf(actor, chatId))).pinned,
  togglePin: async (actor: UserActor, chatId: string) =>
    headView(demandChat(await store.changeHeader(refOf(actor, chatId), ({ pinned }) => ({ pinned: !pinned })))),
  toggleArchive: async (actor: UserActor, chatId: string) =>
    headView(demandChat(await store.changeHeader(refOf(actor, chatId), ({ archived }) => ({ archived: !archived })))),
  async archiveAll(actor: UserActor, archived: boolean) {
    const shelves = archived ? (['chats', 'pinned', 'foldered'] as const) : (['archived'] as const);
    for (const header of await store.list({ owner: actor.userId, shelves })) {
      await store.changeHeader(header, () => ({ archived }));
    }
    return true as const;
  },
  async archived(actor: UserActor, { page, query, order_by, direction }: ArchivedQuery) {
    const headers = await store.list({ owner: actor.userId, shelves: ['archived'] });
    const wanted = headers.filter(({ title }) => title.toLowerCase().includes(query.toLowerCase()));
    const sorted = wanted.toSorted((a, b) => compare(a, b, order_by));
    const inOrder = direction === 'desc' ? sorted.toReversed() : sorted;
    return inOrder.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE).map((header) => titleView(header));
  },
  countArchived: async (actor: UserActor) => (await store.list({ owner: actor.userId, shelves: ['archived'] })).length,
  async moveToFolder(actor: UserActor, chatId: string, folderId: string | null) {
    if (folderId !== null) await demandFolder(store, actor, folderId);
    return headView(demandChat(await store.changeHeader(refOf(actor, chatId), () => ({ folderId }))));
  },
  async inFolder(actor: UserActor, folderId: string, page?: { page: number; size: number }) {
    await demandFolder(store, actor, folderId);
    const listing = { owner: actor.userId, shelves: ['foldered'] as const, folderId };
    const headers = page ? await store.page(listing, page.page, page.size) : await store.list(listing);
    return headers.map((header) => titleView(header));
  },
  search: (actor: UserActor, text: string, page: number) =>
    searchChats(store, actor, { search: parseSearch(text), page }),
  ...createTags(store),
});

const createTags = (store: ChatsStore) => {
  const tagsOf = async (actor: UserActor, header: ChatHeader) => {
    const names = new Map((await store.tags(actor.userId)).map(({ id, name }) => [id, name]));
    return header.tags.map((id) => tagView(actor, { id, name: names.get(id) ?? id }));
  };
  return {
    allTags: async (actor: UserActor) => (await store.tags(actor.userId)).map((tag) => tagView(actor, tag)),
    tags: async (actor: UserActor, chatId: string) =>
      tagsOf(actor, demandChat(await store.header(refOf(actor, chatId)))),
    async addTag(actor: UserActor, chatId: string, name: string) {
      if (tagIdOf(name) === 'none') throw new AppError('invalid_request', 'A tag cannot be called none');
      return tagsOf(actor, demandChat(await store.addTag(refOf(actor, chatId), name)));
    },
    removeTag: async (actor: UserActor, chatId: string, name: string) =>
      tagsOf(actor, demandChat(await store.removeTag(refOf(actor, chatId), name))),
    async removeTags(actor: UserActor, chatId: string) {
      demandChat(await store.setTags(refOf(actor, chatId), []));
      return true as const;
    },
    tagged: async (actor: UserActor, { name, skip, limit }: { name: string; skip: number; limit: number }) =>
      (await store.tagged(actor.userId, tagIdOf(name))).slice(skip, skip + limit).map((header) => titleView(header)),
  };
};

interface ArchivedQuery {
  readonly page: number;
  readonly query: string;
  readonly order_by: 'title' | 'updated_at' | 'created_at';
  readonly direction: 'asc' | 'desc';
}

const compare = (a: ChatHeader, b: ChatHeader, by: ArchivedQuery['order_by']) => {
  switch (by) {
    case 'title':
      return a.title.localeCompare(b.title);
    case 'updated_at':
      return a.updatedAt - b.updatedAt;
    case 'created_at':
      return a.createdAt - b.createdAt;
  }
};

const tagView = (actor: UserActor, { id, name }: { id: string; name: string }) => ({
  id,
  name,
  user_id: actor.userId,
  meta: null,
});

const AT_ONCE = 8;

/** Newest chats first, a few at a time, and no further than the page that is asked for. Only the caller's own are read. */
async function searchChats(store: ChatsStore, actor: UserActor, { search, page }: { search: Search; page: number }) {
  const [headers, folders] = await Promise.all([
    store.list({ owner: actor.userId, shelves: ALL_SHELVES }),
    search.folders.length > 0 ? store.folders(actor.userId) : [],
  ]);
  const names = new Map(folders.map(({ folderId, name }) => [folderId, name.toLowerCase()]));
  const candidates = headers.filter((header) => fitsFacts(search, header, names));
  const found: ReturnType<typeof titleView>[] = [];
  while (candidates.length > 0 && found.length < page * PAGE_SIZE) {
    const looked = await Promise.all(candidates.splice(0, AT_ONCE).map((header) => look(store, search, header)));
    found.push(...looked.flatMap((one) => (one ? [one] : [])));
  }
  return found.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
}

async function look(store: ChatsStore, search: Search, header: ChatHeader) {
  if (isInTitle(search, header)) return titleView(header);
  const chat = await store.read(header);
  const snippet = chat && snippetOf(search, chat);
  return snippet === undefined ? undefined : titleView(header, snippet);
}
