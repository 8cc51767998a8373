import { defineRoutes } from '../../shared/http/route.ts';
import { chatRoutes } from './contract/chat.ts';
import { eventRoutes } from './contract/event.ts';
import { folderRoutes } from './contract/folder.ts';
import { shelfRoutes } from './contract/shelf.ts';
import { sharingRoutes } from './contract/sharing.ts';
import { tagRoutes } from './contract/tag.ts';

/** Chats of their owner. Everything under `/api/v1/chats` streams, because a chat may be larger than a buffered answer. */
export const routes = defineRoutes({
  ...chatRoutes,
  ...shelfRoutes,
  ...tagRoutes,
  ...sharingRoutes,
  ...folderRoutes,
  ...eventRoutes,
});
