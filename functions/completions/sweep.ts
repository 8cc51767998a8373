import { createChatStore } from '../../shared/chat/store.ts';
import { createTaskRows } from '../../shared/completion/task-rows.ts';
import { toScheduledHandler } from '../../shared/lambda/jobs.ts';
import { loadSettings } from '../../shared/settings/load.ts';
import { systemClock as now } from '../../shared/time.ts';
import { endInterrupted } from './interrupted.ts';

const { HTTP_CLIENT_TIMEOUT } = await loadSettings();
const parts = { chats: createChatStore(), tasks: createTaskRows(now, HTTP_CLIENT_TIMEOUT * 1000) };

export const handler = toScheduledHandler(async () => void (await endInterrupted(parts)));
