import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../errors.ts';
import { systemClock, type Clock } from '../time.ts';
import { toReply } from './call-reply.ts';
import { closeCall, openCall, readCall } from './calls.ts';
import type { Connection } from './connection.ts';
import { route, type EventTarget } from './emitter.ts';
import { CallEvent, parseEvent, type RoutedEvent } from './event.ts';
import { createRoom, type Room } from './room.ts';

export interface CallerParts {
  readonly timeoutSeconds: number;
  readonly now?: Clock;
  readonly room?: Room;
}

/** `__event_call__`: asks the one session that wants the reply and waits for its answer. */
export type Call = (event: unknown, signal?: AbortSignal) => Promise<unknown>;

/** What a plugin gets when there is no such session, or it leaves without an answer. */
export const DISCONNECTED = { error: 'Client session disconnected.' } as const;

export function createCaller(target: EventTarget, parts: CallerParts): Call {
  const { now = systemClock, room = createRoom(target.userId, { now }), timeoutSeconds } = parts;
  return async (given, signal) => {
    const event = parseEvent(CallEvent, given);
    const session = newest(await room.connections(), target.sessionId);
    if (!session) return DISCONNECTED;
    const question: Question = { session, event: route(target, event), room, timeoutSeconds, now, signal };
    return toReply(event, await ask(question));
  };
}

/** Only connections of the same user are looked at, so a session of somebody else is simply not there. */
const newest = (connections: readonly Connection[], sessionId: string | undefined) =>
  connections.filter((one) => one.sessionId === sessionId).toSorted((a, b) => b.connectedAt - a.connectedAt)[0];

interface Question {
  readonly session: Connection;
  readonly event: RoutedEvent;
  readonly room: Room;
  readonly timeoutSeconds: number;
  readonly now: Clock;
  /** Nobody wants to know any more. */
  readonly signal: AbortSignal | undefined;
}

async function ask({ session, event, room, timeoutSeconds, now, signal }: Question): Promise<unknown> {
  const id = await openCall(session, timeoutSeconds, now());
  try {
    if (!(await room.pushTo(session, event, id))) return DISCONNECTED;
    return await waitForAnswer(session, id, { timeoutSeconds, now, signal });
  } finally {
    await closeCall(session, id);
  }
}

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 500;

/** The answer arrives at another function, so the row is where the two meet; a person takes longer than a look. */
async function waitForAnswer(
  session: Connection,
  id: number,
  { timeoutSeconds, now, signal }: Waiting,
): Promise<unknown> {
  const end = now() + timeoutSeconds * 1000;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    const left = end - now();
    await sleep(Math.max(0, Math.min(pause, left)), undefined, { signal });
    const state = await readCall(session, id);
    if (state.kind === 'answered') return state.value;
    if (state.kind === 'disconnected') return DISCONNECTED;
    if (now() >= end) throw unanswered(timeoutSeconds);
  }
}

type Waiting = Pick<Question, 'timeoutSeconds' | 'now' | 'signal'>;

const unanswered = (seconds: number) =>
  new AppError('event_call_timeout', `The user did not answer within ${seconds} seconds`);
