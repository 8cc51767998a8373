import * as z from 'zod';
import type { Arrival, Joined } from './membership.ts';
import type { Doors } from './socket-io.ts';

/**
 * The protocol for clients without Socket.IO:
 *
 *   server  {"type":"open"}                                         may be answered with auth
 *   client  {"type":"auth","token":"…","session_id":"…"?}           unless the address had `?token=`, or our own page its cookie
 *   server  {"type":"ready","session_id":"…","user":{id,name}|null}
 *   server  {"type":"events","payload":{chat_id,message_id,data}}   a question has a `call_id` as well
 *   client  {"type":"answer","call_id":1,"value":…}
 *   either  {"type":"ping"}                                         clients get a {"type":"pong"}
 */
const PlainMessage = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('auth') }),
  z.object({ type: z.literal('answer'), call_id: z.int(), value: z.unknown().optional() }),
  z.object({ type: z.literal('ping') }),
]);

export const PLAIN_OPEN = JSON.stringify({ type: 'open' });
export const PLAIN_PING = JSON.stringify({ type: 'ping' });

export const plainReady = ({ sessionId, member }: Joined) =>
  JSON.stringify({
    type: 'ready',
    session_id: sessionId,
    user: member ? { id: member.userId, name: member.name } : null,
  });

/** What is not of the protocol is passed over, as heartbeats of a client's own making would be. */
export async function servePlain(text: string, arrival: Arrival, doors: Doors): Promise<string | void> {
  const message = PlainMessage.safeParse(parse(text)).data;
  switch (message?.type) {
    case 'auth':
      return plainReady(await doors.join(arrival, message));
    case 'answer':
      return doors.answer(arrival.connectionId, message.call_id, message.value);
    case 'ping':
      return JSON.stringify({ type: 'pong' });
    case undefined:
      return undefined;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
