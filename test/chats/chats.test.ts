import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { call } from '../support/call.ts';
import { anApiKey, anOperator, aUser } from '../support/people.ts';
import { verifies } from '../support/verifies.ts';
import { aChatOf, aQuestion, aReply, aStoredChat, aTurn, byId, getChat, saveChat } from './a-chat.ts';

describe('creating', () => {
  verifies(
    ['chats/create', 'chats/create-response', 'chats/get', 'chats/current-id-top-level', 'chats/get-assistant-content'],
    'a chat is stored as sent and comes back with an id, its owner and its times',
    async () => {
      const person = await aUser();
      const { question, answer } = aTurn('Hi', 'Hello!');
      const chat = aChatOf([question, answer], { timestamp: 1_700_000_000_123, custom: { deep: [1, null, 'ü'] } });
      const created = await call('POST /api/v1/chats/new', { chat }, person);
      expect(created).toMatchObject({
        status: 200,
        body: {
          id: expect.any(String),
          user_id: person.userId,
          title: 'Plan',
          created_at: expect.any(Number),
          updated_at: expect.any(Number),
          chat: {
            title: 'Plan',
            models: ['demo'],
            timestamp: 1_700_000_000_123,
            custom: { deep: [1, null, 'ü'] },
            currentId: answer.id,
            history: { currentId: answer.id },
          },
        },
      });
      const read = await getChat(person, created.body.id);
      expect(read.body).toEqual(created.body);
      expect(read.body.chat.history.messages[answer.id].content).toBe('Hello!');
      expect(read.body.chat.messages.map(({ id }: { id: string }) => id)).toEqual([question.id, answer.id]);
    },
  );

  verifies(
    ['chats/files-default', 'chats/tags-default', 'chats/params-default'],
    'files, tags and params are empty unless sent',
    async () => {
      const person = await aUser();
      const plain = await aStoredChat(person);
      expect(plain.created.body.chat).toMatchObject({ files: [], tags: [], params: {} });
      const sent = { files: [{ type: 'file', id: 'f' }], tags: ['a'], params: { temperature: 0.1 } };
      const full = await aStoredChat(person, sent);
      expect(full.created.body.chat).toMatchObject(sent);
    },
  );

  const REQUIRED = [
    ['chats/title-required', { title: undefined }, ['body', 'chat', 'title']],
    ['chats/title-required', { title: 7 }, ['body', 'chat', 'title']],
    ['chats/models-required', { models: undefined }, ['body', 'chat', 'models']],
    ['chats/models-required', { models: [1] }, ['body', 'chat', 'models', 0]],
    ['chats/messages-required', { messages: undefined }, ['body', 'chat', 'messages']],
    ['chats/history-required', { history: undefined }, ['body', 'chat', 'history']],
    ['chats/history-required', { history: { messages: {} } }, ['body', 'chat', 'history', 'currentId']],
    ['chats/history-required', { history: { currentId: null } }, ['body', 'chat', 'history', 'messages']],
    [
      'chat-messages/current-id-spelling',
      { history: { current_id: null, messages: {} } },
      ['body', 'chat', 'history', 'currentId'],
    ],
    ['chats/timestamp-milliseconds', { timestamp: 1.5 }, ['body', 'chat', 'timestamp']],
  ] as const;

  for (const [id, broken, loc] of REQUIRED) {
    verifies(id, `a chat with ${JSON.stringify(broken)} is refused and names the field`, async () => {
      const person = await aUser();
      const refused = await call('POST /api/v1/chats/new', { chat: { ...aChatOf([]), ...broken } }, person);
      expect(refused).toMatchObject({ status: 422, body: { detail: [{ loc }] } });
      expect((await call('GET /api/v1/chats/list', undefined, person)).body).toEqual([]);
    });
  }

  test('an empty chat needs no current message', async () => {
    const person = await aUser();
    const created = await call('POST /api/v1/chats/new', { chat: aChatOf([]) }, person);
    expect(created.body.chat).toMatchObject({
      currentId: null,
      messages: [],
      history: { currentId: null, messages: {} },
    });
  });

  verifies('chats/history-authoritative', 'where the flat list disagrees, the history counts', async () => {
    const person = await aUser();
    const { question, answer } = aTurn('right', 'right');
    const chat = {
      ...aChatOf([question, answer]),
      messages: [{ ...question, content: 'wrong' }, aQuestion('stranger')],
    };
    const { body } = await call('POST /api/v1/chats/new', { chat }, person);
    expect(body.chat.messages.map(({ content }: { content: string }) => content)).toEqual(['right', 'right']);
    expect(Object.keys(body.chat.history.messages).toSorted()).toEqual([question.id, answer.id].toSorted());
  });
});

describe('messages', () => {
  const MISSING = [
    ['chat-messages/user-fields', ['id', 'role', 'content', 'timestamp', 'models', 'childrenIds'], 'question'],
    [
      'chat-messages/assistant-fields',
      ['id', 'role', 'content', 'parentId', 'childrenIds', 'model', 'modelName', 'modelIdx', 'timestamp'],
      'answer',
    ],
  ] as const;

  for (const [id, fields, which] of MISSING) {
    verifies(id, `each of ${fields.join(', ')} is required`, async () => {
      const person = await aUser();
      for (const field of fields) {
        const turn = aTurn();
        const messages = byId([turn.question, turn.answer]);
        const broken = { ...turn[which], [field]: undefined };
        const history = { currentId: turn.answer.id, messages: { ...messages, [turn[which].id]: broken } };
        const refused = await call('POST /api/v1/chats/new', { chat: { ...aChatOf([]), history } }, person);
        expect(refused.status, field).toBe(422);
        expect(refused.body.detail[0].loc, field).toEqual([
          'body',
          'chat',
          'history',
          'messages',
          turn[which].id,
          field,
        ]);
      }
    });
  }

  verifies(
    [
      'chat-messages/first-without-parent',
      'chat-messages/assistant-empty-pending',
      'chat-messages/done-default',
      'chat-messages/pending-no-children',
    ],
    'the first message has no parent, a pending reply is empty, childless and not done',
    async () => {
      const person = await aUser();
      const { created, question, answer } = await aStoredChat(person);
      const { messages } = created.body.chat.history;
      expect(messages[question.id]).not.toHaveProperty('parentId');
      expect(messages[answer.id]).toMatchObject({ content: '', done: false, childrenIds: [] });
    },
  );

  verifies('chat-messages/caller-ids', 'ids are the caller’s UUIDs, and anything else is refused', async () => {
    const person = await aUser();
    const { question } = aTurn();
    const named = { ...question, id: 'message-1', childrenIds: [] };
    const chat = aChatOf([named]);
    expect((await call('POST /api/v1/chats/new', { chat }, person)).status).toBe(422);
    const { created, question: asked, answer } = await aStoredChat(person);
    expect(Object.keys(created.body.chat.history.messages).toSorted()).toEqual([asked.id, answer.id].toSorted());
  });

  verifies(
    'chat-messages/timestamp-seconds',
    'timestamps in milliseconds are refused, seconds come back as sent',
    async () => {
      const person = await aUser();
      const late = { ...aQuestion('x'), timestamp: Date.now() };
      const refused = await call('POST /api/v1/chats/new', { chat: aChatOf([late]) }, person);
      expect(refused).toMatchObject({ status: 422, body: { detail: [{ msg: expect.stringContaining('seconds') }] } });
      const { created, question } = await aStoredChat(person);
      expect(created.body.chat.history.messages[question.id].timestamp).toBe(question['timestamp']);
    },
  );

  test('a message under a name that is not its id is refused', async () => {
    const person = await aUser();
    const question = aQuestion('x');
    const history = { currentId: question.id, messages: { [randomUUID()]: question } };
    expect((await call('POST /api/v1/chats/new', { chat: { ...aChatOf([]), history } }, person)).status).toBe(422);
  });
});

describe('merging', () => {
  verifies(
    ['chats/merge', 'chats/merge-changed-fields', 'chats/merge-keeps-history', 'chat-messages/user-lists-replies'],
    'only what was sent changes: other fields and other messages stay',
    async () => {
      const person = await aUser();
      const { id, question, answer } = await aStoredChat(person, { custom: 'kept', params: { top_p: 1 } });
      const history = { messages: { [answer.id]: { content: 'Hello!', rating: 5 } } };
      const merged = await saveChat(person, id, { title: 'Renamed', params: { top_k: 2 }, history });
      expect(merged).toMatchObject({
        status: 200,
        body: { title: 'Renamed', chat: { title: 'Renamed', custom: 'kept', params: { top_k: 2 }, models: ['demo'] } },
      });
      const { messages, currentId } = merged.body.chat.history;
      expect(messages[answer.id]).toEqual({ ...answer, done: false, content: 'Hello!', rating: 5 });
      expect(messages[question.id]).toEqual(question);
      expect(messages[question.id].childrenIds).toEqual([answer.id]);
      expect(currentId).toBe(answer.id);
      expect((await getChat(person, id)).body).toEqual(merged.body);
    },
  );

  verifies(
    ['chat-messages/children-ids', 'chat-messages/linkage', 'chat-messages/current-id'],
    'a turn added with links, or with parentId alone, is linked both ways and becomes the active thread',
    async () => {
      const person = await aUser();
      const { id, question, answer } = await aStoredChat(person);
      const next = aTurn('And then?', '', answer.id);
      const linked = { ...byId([next.question, next.answer]), [answer.id]: { childrenIds: [next.question.id] } };
      await saveChat(person, id, { history: { currentId: next.answer.id, messages: linked } });
      const branch = aReply('Another try', question.id);
      await saveChat(person, id, { history: { messages: byId([branch]) } });
      const { chat } = (await getChat(person, id)).body;
      expect(chat.history.messages[answer.id]).toMatchObject({ content: '', childrenIds: [next.question.id] });
      expect(chat.history.messages[question.id].childrenIds).toEqual([answer.id, branch.id]);
      expect(chat.history.currentId).toBe(next.answer.id);
      expect(chat.currentId).toBe(next.answer.id);
      const thread = chat.messages.map((message: { id: string }) => message.id);
      expect(thread).toEqual([question.id, answer.id, next.question.id, next.answer.id]);
      for (const message of Object.values<{ childrenIds: unknown }>(chat.history.messages)) {
        expect(message.childrenIds).toBeInstanceOf(Array);
      }
    },
  );

  test('a list of children never shrinks, whoever sends an older one', async () => {
    const person = await aUser();
    const { id, question, answer } = await aStoredChat(person);
    const branch = aReply('b', question.id);
    await saveChat(person, id, { history: { messages: byId([branch]) } });
    const older = { [question.id]: { childrenIds: [answer.id] } };
    const { body } = await saveChat(person, id, { history: { messages: older } });
    expect(body.chat.history.messages[question.id].childrenIds).toEqual([answer.id, branch.id]);
  });

  test('an invalid message refuses the whole save, and nothing of it is stored', async () => {
    const person = await aUser();
    const { id, question } = await aStoredChat(person);
    const before = (await getChat(person, id)).body;
    const stranger = randomUUID();
    const messages = { [question.id]: { content: 'changed' }, [stranger]: { childrenIds: [] } };
    const refused = await saveChat(person, id, { title: 'New', history: { messages } });
    expect(refused).toMatchObject({ status: 422, body: { detail: expect.any(Array) } });
    expect(refused.body.detail[0]).toMatchObject({
      type: 'missing',
      loc: ['body', 'chat', 'history', 'messages', stranger, 'role'],
    });
    expect((await saveChat(person, id, { history: { currentId: stranger } })).status).toBe(422);
    expect((await getChat(person, id)).body).toEqual(before);
  });

  test('current_id is an unknown field like any other', async () => {
    const person = await aUser();
    const { id, question, answer } = await aStoredChat(person);
    const { body } = await saveChat(person, id, { history: { current_id: question.id } });
    expect(body.chat.history).toMatchObject({ current_id: question.id, currentId: answer.id });
  });

  test('field names and values that storage finds odd survive', async () => {
    const person = await aUser();
    const { id, answer } = await aStoredChat(person);
    const odd = {
      'token/s': 12.5,
      pk: 'x',
      ttl: 1,
      'ü b#:': null,
      big: 2 ** 80,
      tiny: 1e-300,
      deep: JSON.parse(`${'['.repeat(60)}${']'.repeat(60)}`),
      empty: '',
      list: [[], {}, false],
    };
    await saveChat(person, id, { 'odd/one': odd, history: { messages: { [answer.id]: odd } } });
    const { chat } = (await getChat(person, id)).body;
    expect(chat['odd/one']).toEqual(odd);
    expect(chat.history.messages[answer.id]).toMatchObject(odd);
  });

  test('with Prefer: return=minimal the chat itself is not sent back', async () => {
    const person = await aUser();
    const { id } = await aStoredChat(person);
    const headers = { prefer: 'respond-async, return=minimal' };
    const answer = await call(
      `POST /api/v1/chats/${id}`,
      { chat: { title: 'Short' } },
      { token: person.token, headers },
    );
    expect(answer.headers.get('preference-applied')).toBe('return=minimal');
    expect(answer.body).toMatchObject({ id, title: 'Short' });
    expect(answer.body).not.toHaveProperty('chat');
  });
});

describe('whose chat it is', () => {
  verifies('chats/owner-only', 'somebody else’s chat and a missing one get the same answer everywhere', async () => {
    const [owner, stranger] = [await aUser(), await aUser()];
    const { id, answer } = await aStoredChat(owner);
    const routes: [string, unknown?][] = [
      ['GET '],
      ['POST ', { chat: { title: 'Mine now' } }],
      ['DELETE '],
      [`POST /messages/${answer.id}`, { content: 'x' }],
      [`DELETE /messages/${answer.id}`],
      ['POST /pin'],
      ['GET /pinned'],
      ['POST /archive'],
      ['GET /tags'],
      ['POST /tags', { name: 'x' }],
      ['DELETE /tags', { name: 'x' }],
      ['DELETE /tags/all'],
      ['POST /share'],
      ['DELETE /share'],
      ['POST /clone', {}],
      ['POST /folder', { folder_id: null }],
    ];
    for (const [target, body] of routes) {
      const [method, path = ''] = target.split(' ');
      const ask = (chatId: string) => call(`${method} /api/v1/chats/${chatId}${path}`, body, stranger);
      const [foreign, missing] = [await ask(id), await ask(randomUUID())];
      expect(foreign.status, target).toBe(404);
      const plain = ({ body: { detail, error } }: typeof foreign) => ({ detail, code: error.code });
      expect(plain(foreign), target).toEqual(plain(missing));
    }
    expect((await getChat(owner, id)).status).toBe(200);
  });

  test('an API key reaches the chats of its owner; an operator is not a user', async () => {
    const person = await aUser();
    const { id } = await aStoredChat(person);
    expect((await call(`GET /api/v1/chats/${id}`, undefined, { token: await anApiKey(person) })).status).toBe(200);
    expect((await call(`GET /api/v1/chats/${id}`, undefined, await anOperator())).status).toBe(403);
  });

  test.each(['%00', 'a%23b', '..%2f..', 'x'.repeat(3000)])('an id like %s is simply not found', async (id) => {
    const person = await aUser();
    expect((await call(`GET /api/v1/chats/${id}`, undefined, person)).status).toBe(404);
  });
});
