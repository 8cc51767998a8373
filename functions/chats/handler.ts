import { createAuthenticate } from '../../shared/identity/authenticate.ts';
import { newId } from '../../shared/ids.ts';
import { httpHandler, streamHandler as toStreamHandler } from '../../shared/lambda/family.ts';
import { pushToUser } from '../../shared/realtime/room.ts';
import { loadSettings } from '../../shared/settings/load.ts';
import { systemClock as now } from '../../shared/time.ts';
import { chatsApi } from './api.ts';
import { createFolders } from './folders.ts';
import { orgOf } from './organization.ts';
import { createChats, createMessages } from './service.ts';
import { createSharing } from './sharing.ts';
import { createShelves } from './shelves.ts';
import { createChatsStore } from './store.ts';
import { createToolEvents } from './tool-events.ts';

const settings = await loadSettings();
const store = createChatsStore({ now, newId });

export const endpoints = chatsApi(
  {
    chats: createChats(store),
    messages: createMessages(store, pushToUser),
    shelves: createShelves(store),
    sharing: createSharing({ store, now, newId }),
    folders: createFolders({ store, now, newId }),
    events: createToolEvents({ chats: store, orgOf, push: pushToUser }),
  },
  createAuthenticate(settings, now),
);

export const handler = httpHandler(endpoints, settings);
export const streamHandler = toStreamHandler(endpoints, settings);
