import { afterEach, describe, expect, test } from 'vitest';
import { call } from '../support/call.ts';
import { aUser, type Person } from '../support/people.ts';
import { createChatStore } from '../../shared/chat/store.ts';
import { eventually } from '../realtime/support/eventually.ts';
import { closeTabs, openTab } from '../realtime/support/tab.ts';
import { aReply, aStoredChat, aTurn, byId, getChat, saveChat } from './a-chat.ts';

const store = createChatStore();

afterEach(closeTabs);

async function aPendingReply() {
  const person = await aUser();
  const { id, question, answer } = await aStoredChat(person);
  const ref = { owner: person.userId, chatId: id, messageId: answer.id };
  const read = async () => (await getChat(person, id)).body.chat.history.messages[answer.id];
  const save = (patch: object) => saveChat(person, id, { history: { messages: { [answer.id]: patch } } });
  return { person, id, question, answer, ref, read, save };
}

describe('a reply that is being written', () => {
  test('is stored as it grows and ends with done, without touching the rest of the message', async () => {
    const { ref, read, answer } = await aPendingReply();
    await store.saveReply(ref, { content: 'Hel' });
    expect(await read()).toEqual({ ...answer, content: 'Hel', done: false });
    const usage = { total_tokens: 7, 'token/s': 3.5 };
    await store.saveReply(ref, { content: 'Hello', done: true, usage, output: [{ type: 'message' }] });
    expect(await read()).toEqual({ ...answer, content: 'Hello', done: true, usage, output: [{ type: 'message' }] });
  });

  test('keeps its text when it fails', async () => {
    const { ref, read } = await aPendingReply();
    await store.saveReply(ref, { content: 'Half a sent' });
    await store.saveReply(ref, { done: true, error: { content: 'The upstream closed the connection' } });
    expect(await read()).toMatchObject({ content: 'Half a sent', done: true, error: { content: expect.any(String) } });
  });

  test('brings the chat to the top of the list when it ends', async () => {
    const { person, id, ref } = await aPendingReply();
    const other = await aStoredChat(person);
    const order = async () =>
      (await call('GET /api/v1/chats/list', undefined, person)).body.map((chat: { id: string }) => chat.id);
    expect(await order()).toEqual([other.id, id]);
    await store.saveReply(ref, { content: 'a' });
    expect(await order()).toEqual([other.id, id]);
    await store.saveReply(ref, { content: 'ab', done: true });
    expect(await order()).toEqual([id, other.id]);
  });

  test('goes nowhere when the message or the chat is gone, and brings neither back', async () => {
    const { person, id, ref, answer } = await aPendingReply();
    await call(`DELETE /api/v1/chats/${id}/messages/${answer.id}`, undefined, person);
    expect(await store.saveReply(ref, { content: 'late', done: true })).toBe(false);
    await call(`DELETE /api/v1/chats/${id}`, undefined, person);
    expect(await store.saveReply(ref, { content: 'late', done: true })).toBe(false);
    expect((await getChat(person, id)).status).toBe(404);
    expect(await store.saveReply({ ...ref, chatId: 'nonsense' }, { content: 'x' })).toBe(false);
  });
});

describe('a client that saves what it knows', () => {
  const PLACEHOLDER = { content: '', role: 'assistant' };

  test('cannot touch a reply while it is written, but everything else', async () => {
    const { ref, read, save } = await aPendingReply();
    await store.saveReply(ref, { content: 'Hello wor' });
    await save({ ...PLACEHOLDER, done: true, rating: 1 });
    expect(await read()).toMatchObject({ content: 'Hello wor', done: false, rating: 1 });
  });

  test.each([
    ['the empty placeholder', PLACEHOLDER],
    ['the start of the reply', { content: 'Hello', done: false }],
    ['the start of the reply, silent about done', { content: 'Hel' }],
    ['another text that is not done', { content: 'Something', done: false }],
  ])('does not wipe a finished reply with %s', async (_, stale) => {
    const { ref, read, save } = await aPendingReply();
    await store.saveReply(ref, { content: 'Hello world', done: true, usage: { total_tokens: 1 } });
    await save({ ...stale, note: 'kept' });
    expect(await read()).toMatchObject({
      content: 'Hello world',
      done: true,
      usage: { total_tokens: 1 },
      note: 'kept',
    });
  });

  test.each([
    ['a changed text', { content: 'Edited' }, 'Edited'],
    ['a shorter text that is said to be complete', { content: 'Hello', done: true }, 'Hello'],
    ['an empty text that is said to be complete', { content: '', done: true }, ''],
  ])('may edit a finished reply with %s', async (_, edit, expected) => {
    const { ref, read, save } = await aPendingReply();
    await store.saveReply(ref, { content: 'Hello world', done: true });
    await save(edit);
    expect(await read()).toMatchObject({ content: expected, done: true });
  });

  test('edits one message by its own route, and every open tab sees it', async () => {
    const { person, id, ref, read } = await aPendingReply();
    const tab = await openTab({ token: person.token });
    await store.saveReply(ref, { content: 'Hello world', done: true });
    const path = `POST /api/v1/chats/${id}/messages/${ref.messageId}`;
    const edited = await call(path, { content: 'Hel' }, person);
    expect(edited).toMatchObject({ status: 200, body: { id } });
    expect(await read()).toMatchObject({ content: 'Hel', done: true });
    const data = { type: 'chat:message', data: { content: 'Hel' } };
    await eventually(() => tab.events).toEqual([{ chat_id: id, message_id: ref.messageId, data }]);
    expect((await call(path, {}, person)).status).toBe(422);
  });
});

describe('events', () => {
  test('append to lists and to the text atomically, whoever else writes', async () => {
    const { ref, read, save } = await aPendingReply();
    const statuses = Array.from({ length: 20 }, (_, n) => ({ description: `step ${n}`, done: false }));
    await Promise.all([
      ...statuses.map((status) => store.appendToList(ref, 'statusHistory', [status])),
      ...Array.from({ length: 20 }, () => store.appendToMessage(ref, 'x')),
      ...Array.from({ length: 10 }, (_, n) => save({ note: n, statusHistory: [] })),
    ]);
    const message = await read();
    expect(message.content).toBe('x'.repeat(20));
    expect(message.statusHistory).toHaveLength(20);
    expect(message.statusHistory).toEqual(expect.arrayContaining(statuses));
  });

  test('a client’s copy of a list neither doubles it nor takes anything away', async () => {
    const { ref, read, save } = await aPendingReply();
    const [one, two, own] = [{ description: '1' }, { description: '2' }, { description: 'mine' }];
    await store.appendToList(ref, 'statusHistory', [one, two, one]);
    await save({ statusHistory: [one, own] });
    expect((await read()).statusHistory).toEqual([one, own, two, one]);
    await save({ statusHistory: [one, two, one, own] });
    expect((await read()).statusHistory).toEqual([one, two, one, own]);
  });

  test('what is appended after a save or a replacement comes behind it', async () => {
    const { ref, read, save } = await aPendingReply();
    await save({ files: [{ name: 'saved' }] });
    await store.appendToList(ref, 'files', [{ name: 'appended' }]);
    expect((await read()).files).toEqual([{ name: 'saved' }, { name: 'appended' }]);
    await store.setMessageFields(ref, { embeds: ['a'] });
    await store.appendToList(ref, 'embeds', ['b']);
    expect((await read()).embeds).toEqual(['a', 'b']);
  });

  test('an item with an id replaces the one that was appended before', async () => {
    const { ref, read, save } = await aPendingReply();
    await store.appendToList(ref, 'code_executions', [{ id: 'a', code: '1+1' }]);
    await store.appendToList(ref, 'code_executions', [{ id: 'b', code: '2' }]);
    await store.appendToList(ref, 'code_executions', [{ id: 'a', code: '1+1', result: { output: '2' } }]);
    await save({ code_executions: [{ id: 'a', code: '1+1' }] });
    expect((await read()).code_executions).toEqual([
      { id: 'a', code: '1+1', result: { output: '2' } },
      { id: 'b', code: '2' },
    ]);
  });

  test('setting a list or the text replaces what was appended', async () => {
    const { ref, read } = await aPendingReply();
    await store.appendToList(ref, 'embeds', ['<p>a</p>']);
    await store.appendToMessage(ref, 'abc');
    await store.setMessageFields(ref, { embeds: [], content: 'whole' });
    await store.appendToMessage(ref, '!');
    expect(await read()).toMatchObject({ embeds: [], content: 'whole!' });
  });

  test('text and items far larger than a row are kept', async () => {
    const { ref, read } = await aPendingReply();
    const piece = 'é'.repeat(45_000);
    for (let n = 0; n < 8; n += 1) await store.appendToMessage(ref, piece);
    const sources = Array.from({ length: 6 }, (_, n) => ({ document: ['d'.repeat(100_000)], metadata: [{ n }] }));
    await store.appendToList(ref, 'sources', sources);
    const message = await read();
    expect(message.content).toBe(piece.repeat(8));
    expect(message.sources).toEqual(sources);
  });

  test('more pieces of text than a row can hold are joined on the way', async () => {
    const { ref, read } = await aPendingReply();
    for (let n = 0; n < 12; n += 1) await store.setMessageFields(ref, { [`filler ${n}`]: 'f'.repeat(30_000) });
    const piece = 'p'.repeat(1900);
    for (let n = 0; n < 30; n += 1) await store.appendToMessage(ref, piece);
    expect((await read()).content).toBe(piece.repeat(30));
  });
});

test('two tabs and a completion write the same chat for 100 rounds, and nothing is lost', async () => {
  const person = await aUser();
  const { id, answer } = await aStoredChat(person);
  let [left, right] = [answer.id, answer.id];
  const expected = new Map<string, string>();
  const save = (history: object) => saveQuietly(person, id, { history });
  for (let round = 0; round < 100; round += 1) {
    const [a, b] = [aTurn(`left ${round}`, '', left), aTurn(`right ${round}`, '', right)];
    await Promise.all([save(added(a, left)), save(added(b, right))]);
    const text = `reply ${round} `.repeat(3);
    await Promise.all([
      write({ owner: person.userId, chatId: id, messageId: a.answer.id }, text),
      // Both tabs save what they knew when the reply had just begun.
      save({ currentId: a.answer.id, messages: byId([a.question, a.answer]) }),
      save({ messages: byId([a.answer]) }),
      save({ currentId: b.answer.id, messages: { [b.answer.id]: { content: `own ${round}` } } }),
    ]);
    expected.set(a.answer.id, text).set(b.answer.id, `own ${round}`);
    [left, right] = [a.answer.id, b.answer.id];
  }
  const { chat } = (await getChat(person, id)).body;
  expect(Object.keys(chat.history.messages)).toHaveLength(2 + 400);
  for (const [messageId, text] of expected) expect(chat.history.messages[messageId].content).toBe(text);
  for (const [messageId, { parentId }] of Object.entries<{ parentId?: string }>(chat.history.messages)) {
    if (parentId) expect(chat.history.messages[parentId].childrenIds).toContain(messageId);
  }
  expect(chat.history.messages[left]).toMatchObject({ done: true });
  expect([left, right]).toContain(chat.history.currentId);
  expect(chat.messages).toHaveLength(2 + 200);
}, 60_000);

const added = ({ question, answer }: ReturnType<typeof aTurn>, parentId: string) => ({
  currentId: answer.id,
  messages: { ...byId([question, answer]), [parentId]: { childrenIds: [question.id] } },
});

async function saveQuietly(person: Person, id: string, chat: object) {
  const options = { token: person.token, headers: { prefer: 'return=minimal' } };
  expect((await call(`POST /api/v1/chats/${id}`, { chat }, options)).status).toBe(200);
}

async function write(ref: Parameters<typeof store.saveReply>[0], text: string) {
  for (let end = 8; end < text.length; end += 8) await store.saveReply(ref, { content: text.slice(0, end) });
  await store.saveReply(ref, { content: text, done: true });
}

test('two tabs that answer the same message at once both find their answer there', async () => {
  const person = await aUser();
  const { id, question } = await aStoredChat(person);
  const branches = Array.from({ length: 12 }, (_, n) => aReply(`branch ${n}`, question.id));
  await Promise.all(
    branches.map((branch) =>
      saveChat(person, id, {
        history: { messages: { ...byId([branch]), [question.id]: { childrenIds: [branch.id] } } },
      }),
    ),
  );
  const { childrenIds } = (await getChat(person, id)).body.chat.history.messages[question.id];
  expect(childrenIds).toHaveLength(13);
  expect(childrenIds).toEqual(expect.arrayContaining(branches.map((branch) => branch.id)));
});
