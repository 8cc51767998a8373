import { createApi, type Authenticate, type Endpoint } from '../../shared/http/api.ts';
import { reply } from '../../shared/http/route.ts';
import { chatRoutes } from './contract/chat.ts';
import { folderRoutes } from './contract/folder.ts';
import { sharingRoutes } from './contract/sharing.ts';
import { shelfRoutes } from './contract/shelf.ts';
import { tagRoutes } from './contract/tag.ts';
import { eventEndpoints } from './event-api.ts';
import type { createFolders } from './folders.ts';
import type { createChats, createMessages } from './service.ts';
import type { createSharing } from './sharing.ts';
import type { createShelves } from './shelves.ts';
import type { createToolEvents } from './tool-events.ts';
import type { HttpRequest } from '../../shared/http/request.ts';
import { isAnswered } from '../../shared/http/streamed.ts';

export interface ChatsParts {
  readonly chats: ReturnType<typeof createChats>;
  readonly messages: ReturnType<typeof createMessages>;
  readonly shelves: ReturnType<typeof createShelves>;
  readonly sharing: ReturnType<typeof createSharing>;
  readonly folders: ReturnType<typeof createFolders>;
  readonly events: ReturnType<typeof createToolEvents>;
}

export const chatsApi = (parts: ChatsParts, authenticate: Authenticate): Endpoint[] => [
  ...chatEndpoints(parts, authenticate),
  ...shelfEndpoints(parts, authenticate),
  ...tagEndpoints(parts, authenticate),
  ...sharingEndpoints(parts, authenticate),
  ...folderEndpoints(parts, authenticate),
  ...eventEndpoints(parts.events, authenticate),
];

const wantsMinimal = (request: HttpRequest) => /(^|[;,\s])return=minimal\b/.test(request.headers.get('prefer') ?? '');
const MINIMAL = { headers: { 'preference-applied': 'return=minimal' } };

const chatEndpoints = ({ chats, messages, shelves }: ChatsParts, authenticate: Authenticate) =>
  createApi(
    chatRoutes,
    {
      createChat: ({ actor, body }) => chats.create(actor, body),
      getChat: ({ actor, params }) => chats.get(actor, params.chatId),
      async mergeChat({ actor, params, body, request }) {
        const isMinimal = wantsMinimal(request);
        const answer = await chats.merge(actor, { chatId: params.chatId, patch: body.chat, isMinimal });
        return isAnswered(answer) ? answer : reply(answer, MINIMAL);
      },
      deleteChat: ({ actor, params }) => chats.delete(actor, params.chatId),
      editMessage: ({ actor, params, body }) => messages.edit(actor, params, body.content),
      deleteMessage: ({ actor, params }) => messages.delete(actor, params),
      listChats: ({ actor, query }) => chats.list(actor, query),
      listChatsToo: ({ actor, query }) => chats.list(actor, query),
      deleteChats: ({ actor }) => chats.deleteAll(actor),
      searchChats: ({ actor, query }) => shelves.search(actor, query.text, query.page),
    },
    authenticate,
  );

const FOLDER_PAGE = 10;

const shelfEndpoints = ({ shelves }: ChatsParts, authenticate: Authenticate) =>
  createApi(
    shelfRoutes,
    {
      listPinned: ({ actor }) => shelves.pinned(actor),
      isPinned: ({ actor, params }) => shelves.isPinned(actor, params.chatId),
      togglePin: ({ actor, params }) => shelves.togglePin(actor, params.chatId),
      listArchived: ({ actor, query }) => shelves.archived(actor, query),
      countArchived: ({ actor }) => shelves.countArchived(actor),
      toggleArchive: ({ actor, params }) => shelves.toggleArchive(actor, params.chatId),
      archiveAll: ({ actor }) => shelves.archiveAll(actor, true),
      unarchiveAll: ({ actor }) => shelves.archiveAll(actor, false),
      moveToFolder: ({ actor, params, body }) => shelves.moveToFolder(actor, params.chatId, body.folder_id),
      listFolderChats: ({ actor, params }) => shelves.inFolder(actor, params.folderId),
      pageFolderChats: ({ actor, params, query }) =>
        shelves.inFolder(actor, params.folderId, { page: query.page, size: FOLDER_PAGE }),
    },
    authenticate,
  );

const tagEndpoints = ({ shelves }: ChatsParts, authenticate: Authenticate) =>
  createApi(
    tagRoutes,
    {
      listAllTags: ({ actor }) => shelves.allTags(actor),
      listTags: ({ actor, params }) => shelves.tags(actor, params.chatId),
      addTag: ({ actor, params, body }) => shelves.addTag(actor, params.chatId, body.name),
      removeTag: ({ actor, params, body }) => shelves.removeTag(actor, params.chatId, body.name),
      removeTags: ({ actor, params }) => shelves.removeTags(actor, params.chatId),
      listTagged: ({ actor, body }) => shelves.tagged(actor, body),
    },
    authenticate,
  );

const sharingEndpoints = ({ sharing }: ChatsParts, authenticate: Authenticate) =>
  createApi(
    sharingRoutes,
    {
      shareChat: ({ actor, params }) => sharing.share(actor, params.chatId),
      unshareChat: ({ actor, params }) => sharing.unshare(actor, params.chatId),
      listShared: ({ actor }) => sharing.shared(actor),
      unshareAll: ({ actor }) => sharing.unshareAll(actor),
      getShared: ({ params }) => sharing.snapshot(params.shareId),
      cloneChat: ({ actor, params, body }) => sharing.clone(actor, params.chatId, body.title),
      cloneShared: ({ actor, params }) => sharing.cloneShared(actor, params.shareId),
      importChats: ({ actor, body }) => sharing.import(actor, body.chats),
      exportChats: ({ actor }) => sharing.export(actor),
      exportArchived: ({ actor }) => sharing.export(actor, ['archived']),
    },
    authenticate,
  );

const folderEndpoints = ({ folders }: ChatsParts, authenticate: Authenticate) =>
  createApi(
    folderRoutes,
    {
      listFolders: ({ actor }) => folders.list(actor),
      createFolder: ({ actor, body }) => folders.create(actor, body),
      getFolder: ({ actor, params }) => folders.get(actor, params.folderId),
      updateFolder: ({ actor, params, body }) => folders.update(actor, params.folderId, body),
      moveFolder: ({ actor, params, body }) => folders.move(actor, params.folderId, body.parent_id ?? null),
      expandFolder: ({ actor, params, body }) => folders.expand(actor, params.folderId, body.is_expanded),
      deleteFolder: ({ actor, params, query }) => folders.delete(actor, params.folderId, query.delete_contents),
    },
    authenticate,
  );
