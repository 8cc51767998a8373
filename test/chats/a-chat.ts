import { randomUUID } from 'node:crypto';
import { call, type Answer } from '../support/call.ts';
import type { Person } from '../support/people.ts';

/** Chats and messages as a client builds them. */
export interface TestMessage extends Record<string, unknown> {
  readonly id: string;
  readonly childrenIds: string[];
}

let clock = 1_700_000_000;

export const aQuestion = (content: string, parentId?: string): TestMessage => ({
  id: randomUUID(),
  role: 'user',
  content,
  timestamp: (clock += 1),
  models: ['demo'],
  childrenIds: [],
  ...(parentId && { parentId }),
});

export const aReply = (content: string, parentId: string): TestMessage => ({
  id: randomUUID(),
  role: 'assistant',
  content,
  parentId,
  childrenIds: [],
  model: 'demo',
  modelName: 'Demo',
  modelIdx: 0,
  timestamp: (clock += 1),
});

/** A question and its pending reply, linked both ways. */
export function aTurn(text = 'Hello', reply = '', parentId?: string) {
  const question = aQuestion(text, parentId);
  const answer = aReply(reply, question.id);
  question.childrenIds.push(answer.id);
  return { question, answer };
}

export function aChatOf(messages: readonly TestMessage[], extra: Record<string, unknown> = {}) {
  return {
    title: 'Plan',
    models: ['demo'],
    messages: [...messages],
    history: { currentId: messages.at(-1)?.id ?? null, messages: byId(messages) },
    ...extra,
  };
}

export const byId = (messages: readonly TestMessage[]) =>
  Object.fromEntries(messages.map((message) => [message.id, message]));

export async function aStoredChat(person: Person, extra: Record<string, unknown> = {}) {
  const { question, answer } = aTurn();
  const created = await call('POST /api/v1/chats/new', { chat: aChatOf([question, answer], extra) }, person);
  if (created.status !== 200) throw new Error(JSON.stringify(created.body));
  return { id: String(created.body.id), question, answer, created };
}

export const getChat = (person: Person, id: string): Promise<Answer> =>
  call(`GET /api/v1/chats/${id}`, undefined, person);

export const saveChat = (person: Person, id: string, chat: unknown): Promise<Answer> =>
  call(`POST /api/v1/chats/${id}`, { chat }, person);

/** Questions and replies in turn, each under the one before. */
export function aLongThread(length: number, under: string): TestMessage[] {
  const messages: TestMessage[] = [];
  for (let n = 0; n < length; n += 1) {
    const parent = messages.at(-1);
    const content = `message ${n} `.repeat(8);
    const message = n % 2 === 0 ? aQuestion(content, parent?.id ?? under) : aReply(content, parent?.id ?? under);
    parent?.childrenIds.push(message.id);
    messages.push(message);
  }
  return messages;
}
