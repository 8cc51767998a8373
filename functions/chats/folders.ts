import { invalidField, notFound } from '../../shared/errors.ts';
import { withSubfolders, type Folder, type FolderChange } from '../../shared/chat/folders.ts';
import type { UserActor } from '../../shared/identity/actor.ts';
import { toSeconds, type Clock, type Millis } from '../../shared/time.ts';
import type { ChatsStore } from './store.ts';

export async function demandFolder(store: ChatsStore, actor: UserActor, folderId: string): Promise<Folder> {
  const folder = await store.folder(actor.userId, folderId);
  if (!folder) throw notFound('Folder');
  return folder;
}

type Details = Record<string, unknown> | null;

interface FolderInput {
  readonly name: string;
  readonly parent_id?: string | null;
  readonly meta?: Details;
  readonly data?: Details;
}

export interface FolderParts {
  readonly store: ChatsStore;
  readonly now: Clock;
  readonly newId: () => string;
}

export function createFolders({ store, now, newId }: FolderParts) {
  const change = async (actor: UserActor, folderId: string, wanted: FolderChange) => {
    await demandFolder(store, actor, folderId);
    return folderView(await store.changeFolder({ owner: actor.userId, folderId, now: now() }, wanted));
  };
  return {
    list: async (actor: UserActor) => (await store.folders(actor.userId)).map(folderHead),
    get: async (actor: UserActor, folderId: string) => folderView(await demandFolder(store, actor, folderId)),
    async create(actor: UserActor, { name, parent_id: parentId = null, meta = null, data = null }: FolderInput) {
      if (parentId !== null) await demandFolder(store, actor, parentId);
      const at = now();
      const place = { owner: actor.userId, folderId: newId(), parentId };
      const times = { createdAt: at, updatedAt: at, version: 1 };
      return folderView(await store.insertFolder({ ...place, name, meta, data, isExpanded: false, ...times }));
    },
    update: (actor: UserActor, folderId: string, wanted: Pick<FolderChange, 'name' | 'meta' | 'data'>) =>
      change(actor, folderId, onlyGiven(wanted)),
    expand: (actor: UserActor, folderId: string, isExpanded: boolean) => change(actor, folderId, { isExpanded }),
    async move(actor: UserActor, folderId: string, parentId: string | null) {
      if (parentId !== null) await demandFolder(store, actor, parentId);
      const below = withSubfolders(await store.folders(actor.userId), folderId);
      if (below.some((folder) => folder.folderId === parentId))
        throw invalidField(['body', 'parent_id'], 'A folder cannot lie inside itself');
      return change(actor, folderId, { parentId });
    },
    async delete(actor: UserActor, folderId: string, isWithContents: boolean) {
      await demandFolder(store, actor, folderId);
      const doomed = withSubfolders(await store.folders(actor.userId), folderId);
      for (const folder of doomed.toReversed()) {
        await emptyFolder(store, folder, isWithContents);
        await store.removeFolder(folder);
      }
      return true as const;
    },
  };
}

/** Pinned and archived chats may belong to the folder too; they are listed elsewhere, so all shelves are looked at. */
async function emptyFolder(store: ChatsStore, { owner, folderId }: Folder, isWithContents: boolean) {
  const shelves = ['foldered', 'pinned', 'archived'] as const;
  for (const header of await store.list({ owner, shelves })) {
    if (header.folderId !== folderId) continue;
    if (isWithContents) await store.delete(header);
    else await store.changeHeader(header, () => ({ folderId: null }));
  }
}

const onlyGiven = (change: FolderChange): FolderChange =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));

const folderHead = (folder: Folder) => ({
  id: folder.folderId,
  name: folder.name,
  meta: folder.meta,
  parent_id: folder.parentId,
  is_expanded: folder.isExpanded,
  created_at: toSeconds(folder.createdAt as Millis),
  updated_at: toSeconds(folder.updatedAt as Millis),
});

const folderView = (folder: Folder) => ({
  ...folderHead(folder),
  user_id: folder.owner,
  items: null,
  data: folder.data,
});
