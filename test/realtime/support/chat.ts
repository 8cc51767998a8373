import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { call } from '../../support/call.ts';
import type { Person } from '../../support/people.ts';

export interface PendingReply {
  readonly userId: string;
  readonly chatId: string;
  readonly messageId: string;
}

/** A chat with a question and an empty reply, as a client creates it before it asks for a completion. */
export async function aPendingReply(
  person: Person,
  reply: Readonly<Record<string, unknown>> = {},
): Promise<PendingReply> {
  const [question, messageId] = [randomUUID(), randomUUID()];
  const timestamp = Math.floor(Date.now() / 1000);
  const messages = {
    [question]: { id: question, role: 'user', content: 'Hello', timestamp, models: ['demo'], childrenIds: [messageId] },
    [messageId]: {
      id: messageId,
      role: 'assistant',
      content: '',
      parentId: question,
      childrenIds: [],
      model: 'demo',
      modelName: 'Demo',
      modelIdx: 0,
      timestamp,
      ...reply,
    },
  };
  const chat = { title: 'Plan', models: ['demo'], messages: [], history: { currentId: messageId, messages } };
  const { status, body } = await call('POST /api/v1/chats/new', { chat }, { token: person.token });
  expect(status).toBe(200);
  return { userId: person.userId, chatId: body.id, messageId };
}

export async function storedChat({ chatId }: PendingReply, { token }: Person) {
  const { status, body } = await call(`GET /api/v1/chats/${chatId}`, undefined, { token });
  expect(status).toBe(200);
  return body;
}

export const storedReply = async (reply: PendingReply, person: Person) =>
  (await storedChat(reply, person)).chat.history.messages[reply.messageId];
