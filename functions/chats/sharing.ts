import * as z from 'zod';
import { notFound } from '../../shared/errors.ts';
import { ALL_SHELVES, type VisibleShelf } from '../../shared/chat/listing.ts';
import { chatJson, headView } from '../../shared/chat/view.ts';
import type { UserActor } from '../../shared/identity/actor.ts';
import type { Clock } from '../../shared/time.ts';
import { jsonAnswer, linesAnswer } from './answer.ts';
import { clonedRows, importedRows, type Imported } from './import.ts';
import { demandChat, refOf, wholeChat } from './service.ts';
import type { ChatsStore } from './store.ts';
import { titleView } from './title.ts';

export interface SharingParts {
  readonly store: ChatsStore;
  readonly now: Clock;
  readonly newId: () => string;
}

/** Chats that leave their place: shared, copied, exported and imported. */
export function createSharing({ store, now, newId }: SharingParts) {
  const placing = (actor: UserActor) => ({ owner: actor.userId, chatId: newId(), now: now() });
  return {
    share: async (actor: UserActor, chatId: string) => headView(demandChat(await store.share(refOf(actor, chatId)))),
    unshare: async (actor: UserActor, chatId: string) => demandChat(await store.unshare(refOf(actor, chatId))),
    shared: async (actor: UserActor) => (await sharedHeaders(store, actor)).map((header) => titleView(header)),
    async unshareAll(actor: UserActor) {
      for (const header of await sharedHeaders(store, actor)) await store.unshare(header);
      return true as const;
    },
    snapshot: async (shareId: string) => jsonAnswer([await demandSnapshot(store, shareId)]),
    async clone(actor: UserActor, chatId: string, title?: string) {
      const rows = clonedRows(demandChat(await store.read(refOf(actor, chatId))), { ...placing(actor), title });
      await store.insert(rows);
      return wholeChat(demandChat(await store.read(rows.header)));
    },
    async cloneShared(actor: UserActor, shareId: string) {
      const { chat, title } = Snapshot.parse(JSON.parse(await demandSnapshot(store, shareId)));
      const rows = importedRows({ chat: { ...chat, title: `Clone of ${title}` } }, placing(actor));
      await store.insert(rows);
      return wholeChat(demandChat(await store.read(rows.header)));
    },
    async import(actor: UserActor, imported: readonly Imported[]) {
      const folders = new Set((await store.folders(actor.userId)).map(({ folderId }) => folderId));
      const known = (folderId?: string | null) => (folderId && folders.has(folderId) ? folderId : null);
      const chats = imported.map((one, index) =>
        importedRows({ ...one, folder_id: known(one.folder_id) }, { ...placing(actor), index }),
      );
      for (const rows of chats) {
        await store.insert(rows);
        if (rows.header.tags.length > 0) await store.setTags(rows.header, rows.header.tags);
      }
      return chats.map(({ header }) => headView(header));
    },
    export: (actor: UserActor, shelves: readonly VisibleShelf[] = ALL_SHELVES) =>
      linesAnswer(exported(store, actor, shelves)),
  };
}

const Snapshot = z.object({ title: z.string(), chat: z.looseObject({}) });

async function demandSnapshot(store: ChatsStore, shareId: string): Promise<string> {
  const snapshot = await store.readShare(shareId);
  if (snapshot === undefined) throw notFound('Shared chat');
  return snapshot;
}

const sharedHeaders = async (store: ChatsStore, actor: UserActor) =>
  (await store.list({ owner: actor.userId, shelves: ALL_SHELVES })).filter(({ shareId }) => shareId !== null);

async function* exported(store: ChatsStore, actor: UserActor, shelves: readonly VisibleShelf[]) {
  for (const header of await store.list({ owner: actor.userId, shelves })) {
    const chat = await store.read(header);
    if (chat) yield chatJson(chat);
  }
}
