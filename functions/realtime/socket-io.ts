import * as z from 'zod';
import { ackPacket, connected, decodePacket, pong, refused } from '../../shared/realtime/packets.ts';
import type { Arrival, Joined } from './membership.ts';

/** What a message of a client can lead to, whatever its protocol. */
export interface Doors {
  readonly join: (arrival: Arrival, auth: unknown) => Promise<Joined>;
  readonly leave: (connectionId: string) => Promise<void>;
  readonly answer: (connectionId: string, callId: number, value: unknown) => Promise<void>;
}

const UserJoin = z.object({ auth: z.unknown() });

/** Serves one packet and returns what to say to it, if anything. */
export async function servePacket(text: string, arrival: Arrival, doors: Doors): Promise<string | void> {
  const { connectionId } = arrival;
  const packet = decodePacket(text);
  switch (packet.kind) {
    case 'ping':
      return pong(packet.data);
    case 'connect':
      if (packet.namespace !== '/') return refused(packet.namespace, 'Invalid namespace');
      return connected((await doors.join(arrival, packet.auth)).sessionId);
    case 'disconnect':
      return doors.leave(connectionId);
    case 'event':
      return serveEvent(packet, arrival, doors);
    case 'ack':
      return doors.answer(connectionId, packet.id, packet.value);
    case 'binary-ack':
      return doors.answer(connectionId, packet.id, { error: 'Binary answers are not supported.' });
    case 'nothing':
      return undefined;
  }
}

interface Event {
  readonly id: number | undefined;
  readonly name: string;
  readonly args: readonly unknown[];
}

/** `heartbeat` and `usage` say nothing that is kept, but whoever asks for an answer gets one. */
async function serveEvent({ id, name, args }: Event, arrival: Arrival, { join }: Doors) {
  const ack = (values: readonly unknown[]) => (id === undefined ? undefined : ackPacket(id, values));
  if (name !== 'user-join') return ack([]);
  const { member } = await join(arrival, UserJoin.safeParse(args[0]).data?.auth);
  return ack(member ? [{ id: member.userId, name: member.name }] : []);
}
