import middy from '@middy/core';
import { createAuthenticate } from '../../shared/identity/authenticate.ts';
import { lambdaOnion } from '../../shared/lambda/onion.ts';
import { answerCall } from '../../shared/realtime/calls.ts';
import { findConnection, forgetConnection, keepConnection } from '../../shared/realtime/connections.ts';
import { postText } from '../../shared/realtime/sockets.ts';
import { loadSettings } from '../../shared/settings/load.ts';
import { systemClock } from '../../shared/time.ts';
import { createIdentify } from './identify.ts';
import { doLater } from './later.ts';
import { join, type MembershipParts } from './membership.ts';
import { serveSocket, SocketEvent, type SocketParts } from './service.ts';

const settings = await loadSettings();
const identify = createIdentify(createAuthenticate(settings, systemClock), settings.SVC_URL);

const membership: MembershipParts = {
  identify,
  doLater,
  find: findConnection,
  keep: keepConnection,
  beatSeconds: settings.WEBSOCKET_SERVER_PING_INTERVAL,
};

const parts: SocketParts = {
  identify,
  ownAddress: settings.SVC_URL,
  doLater,
  post: postText,
  answer: answerCall,
  join: (arrival, auth) => join(arrival, auth, membership),
  async leave(connectionId) {
    const connection = await findConnection(connectionId);
    if (connection) await forgetConnection(connection);
  },
};

export const handler = middy<unknown, { readonly statusCode: number }>()
  .use(lambdaOnion())
  .handler((event: unknown) => serveSocket(SocketEvent.parse(event), parts));
