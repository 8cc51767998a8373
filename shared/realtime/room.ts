import { log } from '../log.ts';
import { systemClock, type Clock, type Millis } from '../time.ts';
import type { Connection, Protocol } from './connection.ts';
import { connectionsOf, forgetConnection } from './connections.ts';
import type { RoutedEvent } from './event.ts';
import { LARGEST_EVENT, splitEvent } from './oversize.ts';
import { eventPacket } from './packets.ts';
import { keepPayload, payloadAddress } from './payloads.ts';
import { postText } from './sockets.ts';

/** All tabs of one user. */
export interface Room {
  /** Those who listen now, or did a moment ago. */
  connections(): Promise<readonly Connection[]>;
  /** To every tab; resolves with how many got it. A tab that cannot be reached disturbs nobody. */
  push(event: RoutedEvent): Promise<number>;
  /** To one tab only, as a question when there is an id. False when it is gone. */
  pushTo(connection: Connection, event: RoutedEvent, callId?: number): Promise<boolean>;
}

export interface RoomOptions {
  readonly now?: Clock;
  /** How long the list of tabs may be used again; nothing unless given. */
  readonly rememberMs?: number;
}

export function createRoom(userId: string, { now = systemClock, rememberMs = 0 }: RoomOptions = {}): Room {
  let known: { readonly at: Millis; readonly connections: readonly Connection[] } | undefined;
  const connections = async () => {
    const at = now();
    if (!known || at - known.at >= rememberMs) known = { at, connections: await connectionsOf(userId, at) };
    return known.connections;
  };
  const without = async (gone: Connection) => {
    known = known && { ...known, connections: known.connections.filter((one) => one !== gone) };
    await forgetConnection(gone);
  };
  const send = async (connection: Connection, parts: readonly string[], callId?: number) => {
    for (const json of parts) {
      if (await postText(connection.connectionId, frame(connection.protocol, json, callId))) continue;
      await without(connection);
      return false;
    }
    return true;
  };
  return {
    connections,
    async push(event) {
      const tabs = await connections();
      if (tabs.length === 0) return 0;
      const parts = await asParts(userId, event, now());
      const sent = await Promise.allSettled(tabs.map((tab) => send(tab, parts)));
      return sent.map(delivered).filter(Boolean).length;
    },
    pushTo: async (connection, event, callId) => send(connection, await asParts(userId, event, now()), callId),
  };
}

/** What one event becomes on the wire, by the client's protocol. A question has an id that its answer repeats. */
function frame(protocol: Protocol, json: string, callId: number | undefined) {
  if (protocol === 'socketio') return eventPacket('events', json, callId);
  return `{"type":"events"${callId === undefined ? '' : `,"call_id":${callId}`},"payload":${json}}`;
}

/** Small events as they are, long text in pieces, and of everything else that is too large the address where it lies. */
async function asParts(userId: string, event: RoutedEvent, now: Millis): Promise<readonly string[]> {
  const json = JSON.stringify(event);
  const bytes = Buffer.byteLength(json);
  if (bytes <= LARGEST_EVENT) return [json];
  const pieces = splitEvent(event);
  if (pieces) return pieces.map((piece) => JSON.stringify(piece));
  const url = payloadAddress(await keepPayload(userId, json, now));
  return [JSON.stringify({ ...event, data: { type: event.data.type, data: { reference: { url, bytes } } } })];
}

function delivered(result: PromiseSettledResult<boolean>) {
  if (result.status === 'rejected') log.warn('event not delivered', { error: result.reason });
  return result.status === 'fulfilled' && result.value;
}

/** For whoever has a single thing to say. */
export const pushToUser = (userId: string, event: RoutedEvent) => createRoom(userId).push(event);
