import { randomInt } from 'node:crypto';
import * as z from 'zod';
import { batchGet } from '../store/batch.ts';
import { ConditionFailed } from '../store/dynamodb.ts';
import { when } from '../store/expression.ts';
import { toSeconds, type Millis } from '../time.ts';
import { callKey, connectionKey, realtime, type Connection } from './connection.ts';

/** Large enough never to repeat on a connection, small enough for the numbers of every client. */
const newCallId = () => randomInt(1, 2 ** 47);

export async function openCall({ connectionId }: Connection, timeoutSeconds: number, now: Millis): Promise<number> {
  const id = newCallId();
  await realtime.put({ ...callKey(connectionId, id), ttl: toSeconds(now) + timeoutSeconds + 60 });
  return id;
}

export const closeCall = ({ connectionId }: Connection, id: number) => realtime.delete(callKey(connectionId, id));

/** The connection is part of the key, so nobody can answer what somebody else was asked. The first answer counts. */
export async function answerCall(connectionId: string, id: number, value: unknown): Promise<void> {
  const isOpen = when('attribute_exists(pk) AND attribute_not_exists(#answer)');
  const answer = JSON.stringify(value ?? null);
  await realtime.swap(callKey(connectionId, id), { set: { answer } }, isOpen).catch((error: unknown) => {
    if (!(error instanceof ConditionFailed)) throw error;
  });
}

export type CallState =
  | { readonly kind: 'answered'; readonly value: unknown }
  | { readonly kind: 'waiting' }
  /** Nobody is left who could answer. */
  | { readonly kind: 'disconnected' };

const Answered = z.object({ answer: z.string() });

export async function readCall({ connectionId, member }: Connection, id: number): Promise<CallState> {
  const keys = [callKey(connectionId, id), connectionKey(member.userId, connectionId)];
  const [call, connection] = await batchGet(keys.map((key) => ({ table: realtime, key })));
  const answered = Answered.safeParse(call);
  if (answered.success) return { kind: 'answered', value: JSON.parse(answered.data.answer) as unknown };
  return { kind: connection ? 'waiting' : 'disconnected' };
}
