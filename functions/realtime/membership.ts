import * as z from 'zod';
import { type Connection, type Member, type Protocol, sessionIdOf } from '../../shared/realtime/connection.ts';
import type { Identify } from './identify.ts';
import type { DoLater } from './later.ts';

/** A connection as the gateway names it. */
export interface Arrival {
  readonly connectionId: string;
  readonly connectedAt: number;
  readonly protocol: Protocol;
}

/** What joining asks of the outside. */
export interface MembershipParts {
  readonly identify: Identify;
  readonly find: (connectionId: string) => Promise<Connection | undefined>;
  readonly keep: (connection: Omit<Connection, 'ttl'>, before: Connection | undefined) => Promise<void>;
  readonly doLater: DoLater;
  readonly beatSeconds: number;
}

export interface Joined {
  readonly sessionId: string;
  readonly member: Member | undefined;
}

export const SessionId = z.string().regex(/^[\w.:-]{1,128}$/);

/** What a client says of itself. It may name its session; otherwise the service does. */
const Auth = z.object({
  token: z.string().optional().catch(undefined),
  session_id: SessionId.optional().catch(undefined),
});

/** Joins the room of whoever the token belongs to. Without a good token nothing changes. */
export async function join(arrival: Arrival, given: unknown, parts: MembershipParts): Promise<Joined> {
  const { token, session_id } = Auth.safeParse(given).data ?? {};
  const [before, member] = await Promise.all([
    parts.find(arrival.connectionId),
    token === undefined ? undefined : parts.identify(token),
  ]);
  const sessionId = session_id ?? before?.sessionId ?? sessionIdOf(arrival.connectionId);
  if (member) await enter({ ...arrival, sessionId, member }, before, parts);
  return { sessionId, member };
}

export async function enter(connection: Omit<Connection, 'ttl'>, before: Connection | undefined, parts: Entering) {
  if (before && isSame(connection, before)) return;
  await parts.keep(connection, before);
  if (!before) await parts.doLater({ kind: 'beat', connectionId: connection.connectionId }, parts.beatSeconds);
}

type Entering = Pick<MembershipParts, 'keep' | 'doLater' | 'beatSeconds'>;

const isSame = (now: Omit<Connection, 'ttl'>, before: Connection) =>
  now.sessionId === before.sessionId &&
  now.member.userId === before.member.userId &&
  now.member.credential.id === before.member.credential.id;
