import { toQueueHandler } from '../../shared/lambda/jobs.ts';
import { cutConnection, findConnection, forgetConnection, keepConnection } from '../../shared/realtime/connections.ts';
import { postText } from '../../shared/realtime/sockets.ts';
import { inStanding } from '../../shared/realtime/standing.ts';
import { loadSettings } from '../../shared/settings/load.ts';
import { systemClock } from '../../shared/time.ts';
import { doLater, Later } from './later.ts';
import { tend, type LifeParts } from './life.ts';

const settings = await loadSettings();

const parts: LifeParts = {
  post: postText,
  doLater,
  find: findConnection,
  keep: keepConnection,
  forget: forgetConnection,
  cut: cutConnection,
  isInStanding: async (connection) => (await inStanding([connection], systemClock())).has(connection),
  beatSeconds: settings.WEBSOCKET_SERVER_PING_INTERVAL,
  timeoutSeconds: settings.WEBSOCKET_SERVER_PING_TIMEOUT,
  now: systemClock,
};

export const handler = toQueueHandler(Later, (message) => tend(message, parts));
