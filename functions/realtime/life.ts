import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, LONGEST_CONNECTION_MS, sessionIdOf } from '../../shared/realtime/connection.ts';
import { openPacket, PING } from '../../shared/realtime/packets.ts';
import type { Clock } from '../../shared/time.ts';
import type { Later } from './later.ts';
import { enter, type MembershipParts } from './membership.ts';
import { PLAIN_OPEN, PLAIN_PING, plainReady } from './plain-json.ts';

export interface LifeParts extends Pick<MembershipParts, 'find' | 'keep' | 'doLater' | 'beatSeconds'> {
  readonly post: (connectionId: string, text: string) => Promise<boolean>;
  readonly forget: (connection: Connection) => Promise<void>;
  readonly cut: (connection: Connection) => Promise<void>;
  readonly isInStanding: (connection: Connection) => Promise<boolean>;
  readonly timeoutSeconds: number;
  readonly now: Clock;
}

/** Opens connections and keeps them alive. */
export const tend = (message: Later, parts: LifeParts) =>
  message.kind === 'open' ? open(message, parts) : beat(message.connectionId, parts);

/** What comes later than this was delivered before, or is for a client that has given up. */
const LATEST_OPENING_MS = 15_000;

async function open(message: Extract<Later, { kind: 'open' }>, parts: LifeParts) {
  const { connectionId, connectedAt, protocol, member } = message;
  if (parts.now() - connectedAt > LATEST_OPENING_MS) return;
  const sessionId = message.sessionId ?? sessionIdOf(connectionId);
  const greeting = protocol === 'json' ? PLAIN_OPEN : socketIoOpening(sessionId, parts);
  if (!(await greet(connectionId, greeting, parts)) || !member) return;
  await enter({ connectionId, connectedAt, protocol, sessionId, member }, undefined, parts);
  await parts.post(connectionId, plainReady({ sessionId, member }));
}

/** The gateway takes no more in one message. */
const MAX_PAYLOAD = 128 * 1024;

const socketIoOpening = (sid: string, { beatSeconds, timeoutSeconds }: LifeParts) =>
  openPacket({ sid, pingInterval: beatSeconds * 1000, pingTimeout: timeoutSeconds * 1000, maxPayload: MAX_PAYLOAD });

const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 1500;

/** The handshake may still be under way. False when the client never arrived. */
async function greet(connectionId: string, greeting: string, { post }: LifeParts): Promise<boolean> {
  for (let pause = FIRST_PAUSE_MS; pause <= LONGEST_PAUSE_MS; pause *= 2) {
    if (await post(connectionId, greeting)) return true;
    await sleep(pause);
  }
  return false;
}

/** Whoever never said who they are is not kept alive. */
async function beat(connectionId: string, parts: LifeParts) {
  const connection = await parts.find(connectionId);
  if (!connection) return;
  const isOld = parts.now() + parts.beatSeconds * 1000 > connection.connectedAt + LONGEST_CONNECTION_MS;
  if (isOld || !(await parts.isInStanding(connection))) return parts.cut(connection);
  const ping = connection.protocol === 'json' ? PLAIN_PING : PING;
  if (!(await parts.post(connectionId, ping))) return parts.forget(connection);
  await parts.doLater({ kind: 'beat', connectionId }, parts.beatSeconds);
}
