import { expect, test } from 'vitest';
import { call } from '../support/call.ts';
import { aUser } from '../support/people.ts';
import { chats } from '../../shared/chat/header.ts';
import { messageKey } from '../../shared/chat/keys.ts';
import { putting, transact } from '../../shared/store/transaction.ts';
import { aLongThread, aStoredChat, aTurn, byId, getChat, saveChat } from './a-chat.ts';

test('a message of 2 MB, and one whose every field is large, come back the same', async () => {
  const person = await aUser();
  const { id, question, answer } = await aStoredChat(person);
  const text = 'ä€😀"\\\n'.repeat(170_000);
  expect(Buffer.byteLength(text)).toBeGreaterThan(2_000_000);
  const saved = await saveChat(person, id, { history: { messages: { [question.id]: { content: text } } } });
  expect(saved.status).toBe(200);
  const large = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`field ${n}`, `${n}`.repeat(20_000)]));
  await saveChat(person, id, { ...large, history: { messages: { [answer.id]: large } } });
  const { chat } = (await getChat(person, id)).body;
  expect(chat.history.messages[question.id].content).toBe(text);
  expect(chat.messages[0].content).toBe(text);
  expect(chat.history.messages[answer.id]).toMatchObject(large);
  expect(chat).toMatchObject(large);
  const small = await saveChat(person, id, { history: { messages: { [question.id]: { content: 'short' } } } });
  expect(small.body.chat.history.messages[question.id].content).toBe('short');
});

test('a chat of 20,000 messages is read in one answer, larger than a buffered one may be', async () => {
  const person = await aUser();
  const { id, answer } = await aStoredChat(person);
  const ref = { owner: person.userId, chatId: id };
  const messages = aLongThread(20_000, answer.id);
  for (let at = 0; at < messages.length; at += 100) {
    const rows = messages.slice(at, at + 100).map((message) => {
      const fields = Object.entries(message).map(([name, value]) => [`f_${name}`, JSON.stringify(value)]);
      return putting(message.id, chats, { ...messageKey(ref, message.id), ...Object.fromEntries(fields) });
    });
    await transact(rows);
  }
  const turn = aTurn('One more', '', messages.at(-1)?.id);
  const history = { currentId: turn.answer.id, messages: byId([turn.question, turn.answer]) };
  const quietly = { token: person.token, headers: { prefer: 'return=minimal' } };
  expect((await call(`POST /api/v1/chats/${id}`, { chat: { history } }, quietly)).status).toBe(200);
  const { status, headers, body } = await getChat(person, id);
  expect(status).toBe(200);
  expect(headers.get('content-length')).toBeNull();
  expect(JSON.stringify(body).length).toBeGreaterThan(10 * 1024 * 1024);
  expect(Object.keys(body.chat.history.messages)).toHaveLength(20_004);
  expect(body.chat.messages).toHaveLength(20_004);
  expect(body.chat.messages.at(-3)).toEqual({ ...messages.at(-1), childrenIds: [turn.question.id] });
}, 60_000);
