import { describe, expect, test } from 'vitest';
import { localBucketName } from '../../infra/local/objects.ts';
import { createBucket } from '../../shared/aws/s3.ts';
import { chatFolder, chatPartition } from '../../shared/chat/keys.ts';
import { chats as table } from '../../shared/chat/header.ts';
import { createChatStore } from '../../shared/chat/store.ts';
import { call } from '../support/call.ts';
import { anOperator, aUser } from '../support/people.ts';
import { aChatOf, aReply, aStoredChat, aTurn, byId, getChat, saveChat } from './a-chat.ts';

describe('sharing', () => {
  test('a snapshot is read by anyone signed in, stays as it was, and is renewed or withdrawn by its owner', async () => {
    const [owner, reader] = [await aUser(), await aUser()];
    const { id, answer } = await aStoredChat(owner);
    const shared = await call(`POST /api/v1/chats/${id}/share`, undefined, owner);
    const path = `GET /api/v1/chats/share/${shared.body.share_id}`;
    const snapshot = await call(path, undefined, reader);
    expect(snapshot).toMatchObject({
      status: 200,
      body: { id: shared.body.share_id, title: 'Plan', chat: { currentId: answer.id } },
    });
    await saveChat(owner, id, { history: { messages: { [answer.id]: { content: 'secret later' } } } });
    expect((await call(path, undefined, await anOperator())).body).toEqual(snapshot.body);
    expect((await call(path)).status).toBe(401);
    const again = await call(`POST /api/v1/chats/${id}/share`, undefined, owner);
    expect(again.body.share_id).toBe(shared.body.share_id);
    expect((await call(path, undefined, reader)).body.chat.history.messages[answer.id].content).toBe('secret later');
    expect((await call('GET /api/v1/chats/shared', undefined, owner)).body).toMatchObject([{ id }]);
    expect((await call(`DELETE /api/v1/chats/${id}/share`, undefined, owner)).body).toBe(true);
    expect((await call(path, undefined, reader)).status).toBe(404);
    expect((await call(`DELETE /api/v1/chats/${id}/share`, undefined, owner)).body).toBe(false);
  });

  test('a shared snapshot can be copied into an own chat; deleting the original ends the link', async () => {
    const [owner, reader] = [await aUser(), await aUser()];
    const { id, question, answer } = await aStoredChat(owner, { custom: { a: 1 } });
    const { share_id: shareId } = (await call(`POST /api/v1/chats/${id}/share`, undefined, owner)).body;
    const copy = await call(`POST /api/v1/chats/${shareId}/clone/shared`, undefined, reader);
    expect(copy).toMatchObject({
      status: 200,
      body: { user_id: reader.userId, title: 'Clone of Plan', share_id: null },
    });
    expect(copy.body.chat).toMatchObject({ custom: { a: 1 }, currentId: answer.id });
    expect(Object.keys(copy.body.chat.history.messages).toSorted()).toEqual([question.id, answer.id].toSorted());
    await call(`DELETE /api/v1/chats/${id}`, undefined, owner);
    expect((await call(`GET /api/v1/chats/share/${shareId}`, undefined, reader)).status).toBe(404);
    expect((await getChat(reader, copy.body.id)).status).toBe(200);
  });

  test('sharing twice at once gives one link', async () => {
    const owner = await aUser();
    const { id } = await aStoredChat(owner);
    const shares = await Promise.all([1, 2, 3].map(() => call(`POST /api/v1/chats/${id}/share`, undefined, owner)));
    expect(new Set(shares.map(({ body }) => body.share_id)).size).toBe(1);
    const { status } = await call(`GET /api/v1/chats/share/${shares[0]?.body.share_id}`, undefined, owner);
    expect(status).toBe(200);
  });

  test('all links can be withdrawn at once', async () => {
    const owner = await aUser();
    for (let n = 0; n < 2; n += 1)
      await call(`POST /api/v1/chats/${(await aStoredChat(owner)).id}/share`, undefined, owner);
    expect((await call('DELETE /api/v1/chats/share/all', undefined, owner)).body).toBe(true);
    expect((await call('GET /api/v1/chats/shared', undefined, owner)).body).toEqual([]);
  });
});

describe('copies', () => {
  test('a copy is a chat of its own that remembers where it comes from', async () => {
    const person = await aUser();
    const { id, answer } = await aStoredChat(person, { note: 'x' });
    const text = 'long '.repeat(20_000);
    await saveChat(person, id, { history: { messages: { [answer.id]: { content: text } } } });
    await call(`POST /api/v1/chats/${id}/pin`, undefined, person);
    const copy = await call(`POST /api/v1/chats/${id}/clone`, { title: 'Second try' }, person);
    expect(copy.body).toMatchObject({
      title: 'Second try',
      pinned: false,
      chat: { originalChatId: id, branchPointMessageId: answer.id, note: 'x' },
    });
    await call(`DELETE /api/v1/chats/${id}`, undefined, person);
    expect((await getChat(person, copy.body.id)).body.chat.history.messages[answer.id].content).toBe(text);
    const unnamed = await call(`POST /api/v1/chats/${copy.body.id}/clone`, undefined, person);
    expect(unnamed.body.title).toBe('Clone of Second try');
  });

  test('what was exported can be imported, with times, tags and unknown fields', async () => {
    const [from, to] = [await aUser(), await aUser()];
    const { id } = await aStoredChat(from, { custom: [1] });
    await call(`POST /api/v1/chats/${id}/tags`, { name: 'Keep' }, from);
    await aStoredChat(from, { title: 'Other' });
    const exported = await call('GET /api/v1/chats/all', undefined, from);
    expect(exported.headers.get('content-type')).toBe('application/x-ndjson');
    const chats = String(exported.body)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(chats).toHaveLength(2);
    const imported = await call(
      'POST /api/v1/chats/import',
      { chats: chats.map((chat) => ({ ...chat, folder_id: 'unknown' })) },
      to,
    );
    expect(imported.status).toBe(200);
    const original = (await getChat(from, id)).body;
    const copyId = imported.body.find(({ title }: { title: string }) => title === 'Plan').id;
    const copy = (await getChat(to, copyId)).body;
    expect(copy).toEqual({ ...original, id: copyId, user_id: to.userId });
    expect((await call('GET /api/v1/chats/all/tags', undefined, to)).body).toHaveLength(1);
    expect(String((await call('GET /api/v1/chats/all/archived', undefined, from)).body)).toBe('');
  });

  test('a flat list from before there were trees becomes a thread; a message without an id is refused', async () => {
    const person = await aUser();
    const messages = [
      { id: 'a', role: 'user', content: '1' },
      { id: 'b', role: 'assistant', content: '2' },
    ];
    const imported = await call('POST /api/v1/chats/import', { chats: [{ chat: { messages } }] }, person);
    const { chat, title } = (await getChat(person, imported.body[0].id)).body;
    expect(title).toBe('New Chat');
    expect(chat.history).toMatchObject({
      currentId: 'b',
      messages: { a: { childrenIds: ['b'] }, b: { parentId: 'a' } },
    });
    const refused = await call(
      'POST /api/v1/chats/import',
      { chats: [{ chat: { messages } }, { chat: { messages: [{ role: 'user' }] } }] },
      person,
    );
    expect(refused.status).toBe(422);
    expect((await call('GET /api/v1/chats', undefined, person)).body).toHaveLength(1);
  });
});

describe('deleting', () => {
  test('a chat takes all its rows and objects along', async () => {
    const person = await aUser();
    const { id, answer } = await aStoredChat(person);
    const ref = { owner: person.userId, chatId: id };
    await saveChat(person, id, {
      big: 'b'.repeat(90_000),
      history: { messages: { [answer.id]: { content: 'c'.repeat(90_000) } } },
    });
    await createChatStore().appendToList({ ...ref, messageId: answer.id }, 'sources', [{ text: 's'.repeat(9000) }]);
    await call(`POST /api/v1/chats/${id}/share`, undefined, person);
    const bucket = createBucket(localBucketName('content'));
    expect(await Array.fromAsync(bucket.list(chatFolder(ref)))).toHaveLength(4);
    expect((await call(`DELETE /api/v1/chats/${id}`, undefined, person)).body).toBe(true);
    expect(await Array.fromAsync(bucket.list(chatFolder(ref)))).toEqual([]);
    expect((await table.query({ pk: chatPartition(ref) })).rows).toEqual([]);
    expect((await table.query({ pk: `CHAT#${id}` })).rows).toEqual([]);
    expect((await call(`DELETE /api/v1/chats/${id}`, undefined, person)).status).toBe(404);
  });

  test('a replaced value leaves no object behind', async () => {
    const person = await aUser();
    const { id, answer } = await aStoredChat(person);
    const ref = { owner: person.userId, chatId: id, messageId: answer.id };
    const store = createChatStore();
    for (let n = 1; n <= 4; n += 1) await store.saveReply(ref, { content: `${n}`.repeat(40_000 * n), done: n === 4 });
    const bucket = createBucket(localBucketName('content'));
    expect(await Array.fromAsync(bucket.list(chatFolder(ref)))).toHaveLength(1);
    await saveChat(person, id, { history: { messages: { [answer.id]: { content: 'short', done: true } } } });
    expect(await Array.fromAsync(bucket.list(chatFolder(ref)))).toEqual([]);
  });

  test('a deletion that stopped half-way is invisible and finished by the next', async () => {
    const person = await aUser();
    const { id } = await aStoredChat(person);
    const ref = { owner: person.userId, chatId: id };
    const half = { gsi1pk: `USER#${person.userId}#deleted`, gsi1sk: id, deletedAt: 1 };
    await table.update({ pk: chatPartition(ref), sk: 'HEAD' }, { set: half });
    expect((await getChat(person, id)).status).toBe(404);
    expect((await call('GET /api/v1/chats', undefined, person)).body).toEqual([]);
    expect((await saveChat(person, id, { title: 'x' })).status).toBe(404);
    await aStoredChat(person);
    expect((await call('DELETE /api/v1/chats', undefined, person)).body).toBe(true);
    expect((await call('GET /api/v1/chats', undefined, person)).body).toEqual([]);
    expect((await table.query({ pk: chatPartition(ref) })).rows).toEqual([]);
  });

  test('a message goes with its direct children, what is below moves up, and an old tab does not bring it back', async () => {
    const person = await aUser();
    const { id, question, answer } = await aStoredChat(person);
    const next = aTurn('Next', '', answer.id);
    await saveChat(person, id, {
      history: { currentId: next.answer.id, messages: byId([next.question, next.answer]) },
    });
    const other = aReply('other', question.id);
    await saveChat(person, id, { history: { messages: byId([other]) } });
    const stale = (await getChat(person, id)).body.chat;
    const path = `DELETE /api/v1/chats/${id}/messages/${answer.id}`;
    const { body } = await call(path, undefined, person);
    const { messages, currentId } = body.chat.history;
    expect(Object.keys(messages).toSorted()).toEqual([question.id, other.id, next.answer.id].toSorted());
    expect(messages[next.answer.id].parentId).toBe(question.id);
    expect(messages[question.id].childrenIds).toEqual(expect.arrayContaining([other.id, next.answer.id]));
    expect(currentId).toBe(next.answer.id);
    await saveChat(person, id, { history: { messages: stale.history.messages } });
    const after = (await getChat(person, id)).body.chat.history.messages;
    expect(Object.keys(after).toSorted()).toEqual(Object.keys(messages).toSorted());
    expect((await saveChat(person, id, { history: { currentId: answer.id } })).status).toBe(422);
    expect((await call(path, undefined, person)).status).toBe(404);
  });

  test('when the current message goes, the thread ends at what is left of it', async () => {
    const person = await aUser();
    const { id, question, answer } = await aStoredChat(person);
    const { body } = await call(`DELETE /api/v1/chats/${id}/messages/${answer.id}`, undefined, person);
    expect(body.chat.history.currentId).toBe(question.id);
    const last = await call(`DELETE /api/v1/chats/${id}/messages/${question.id}`, undefined, person);
    expect(last.body.chat).toMatchObject({ currentId: null, messages: [], history: { messages: {} } });
  });
});

test('a new chat with the flat list of a client that sends every field can be created and read by its id at once', async () => {
  const person = await aUser();
  const { question, answer } = aTurn('Hi', 'Hello');
  const created = await call('POST /api/v1/chats/new/', { chat: aChatOf([question, answer], { id: '' }) }, person);
  expect((await call(`GET /api/v1/chats/${created.body.id}/`, undefined, person)).body).toEqual(created.body);
});
