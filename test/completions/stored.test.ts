import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { endInterrupted } from '../../functions/completions/interrupted.ts';
import { createChatStore } from '../../shared/chat/store.ts';
import { createTaskRows } from '../../shared/completion/task-rows.ts';
import { systemClock, type Millis } from '../../shared/time.ts';
import { aStoredChat, aTurn, getChat, saveChat } from '../chats/a-chat.ts';
import { call } from '../support/call.ts';
import { host } from '../support/host.ts';
import { anApiKey, aUser, type Person } from '../support/people.ts';
import { verifies } from '../support/verifies.ts';
import { useGateway } from './gateway.ts';
import { TEXT } from './model-server.ts';
import { framesOf, textIn } from './sse.ts';

const gateway = useGateway();
const messages = [{ role: 'user', content: 'Hello' }];
const complete = (body: Record<string, unknown>, person: { token: string }) =>
  call('POST /api/chat/completions', { messages, ...body }, person);

const replyIn = async (person: Person, chatId: string, id: string) =>
  (await getChat(person, chatId)).body.chat.history.messages[id];

const untilDone = (person: Person, chatId: string, id: string) =>
  expect.poll(async () => (await replyIn(person, chatId, id)).done, { timeout: 10_000 }).toBe(true);

/** A chat with an empty reply in it, and the ids that a completion for it needs. */
async function pending() {
  const person = await aUser();
  const { id: chat_id, answer, question } = await aStoredChat(person);
  return { person, question, ids: { chat_id, id: answer.id }, reply: () => replyIn(person, chat_id, answer.id) };
}

describe('a reply that belongs to a chat', () => {
  verifies(
    [
      'completions/chat-id',
      'completions/message-id',
      'chat-messages/done-on-finish',
      'chat-messages/placeholder-first',
    ],
    'stands there when the caller has the whole answer',
    async () => {
      for (const model of [gateway.chat('plain'), gateway.messages('plain'), gateway.runtime('plain'), 'demo']) {
        const { person, ids, reply } = await pending();
        const { status, body } = await complete({ model, ...ids }, person);
        expect(status).toBe(200);
        const { content } = body.choices[0].message;
        expect(await reply()).toMatchObject({ content, done: true, usage: { total_tokens: expect.any(Number) } });
      }
    },
  );

  verifies(
    ['chats/recommended-sequence', 'chats/get-assistant-content'],
    'stands there when the caller reads the end of the stream',
    async () => {
      for (const model of ['plain', 'awkward', 'crlf']
        .map((name) => gateway.chat(name))
        .concat(gateway.runtime('plain'))) {
        const { person, ids, reply } = await pending();
        const { body } = await complete({ model, ...ids, stream: true }, person);
        expect(textIn(body)).toBe(TEXT);
        expect(framesOf(body).at(-1)).toBe('[DONE]');
        expect(await reply()).toMatchObject({ content: TEXT, done: true });
      }
    },
  );

  verifies('completions/session-id', 'is acknowledged at once when a session waits for it', async () => {
    for (const stream of [true, false]) {
      const { person, ids } = await pending();
      const asked = { model: gateway.chat('plain'), ...ids, session_id: randomUUID(), stream };
      const { status, body } = await complete(asked, person);
      expect({ status, body }).toEqual({
        status: 200,
        body: { status: true, task_id: body.task_ids[0], task_ids: [expect.any(String)], chat_id: ids.chat_id },
      });
      await untilDone(person, ids.chat_id, ids.id);
      expect(await replyIn(person, ids.chat_id, ids.id)).toMatchObject({ content: TEXT, done: true });
    }
  });

  test('keeps what the model thought and which tools it called', async () => {
    const { person, ids, reply } = await pending();
    await complete({ model: gateway.messages('thinking'), ...ids }, person);
    expect(await reply()).toMatchObject({
      content: 'Four.',
      output: [{ type: 'reasoning', content: [{ text: 'Two and two.' }] }, { type: 'message' }],
    });
    const called = await pending();
    await complete({ model: gateway.chat('tools'), ...called.ids, stream: true, tools: [] }, called.person);
    expect(await called.reply()).toMatchObject({
      done: true,
      output: [{ type: 'function_call', name: 'weather', arguments: '{"city":"Zürich"}' }, { name: 'now' }],
    });
  });

  verifies('chats/multi-turn', 'may be the second one in its chat', async () => {
    const { person, ids } = await pending();
    await complete({ model: gateway.chat('plain'), ...ids }, person);
    const { question, answer } = aTurn('And then?', '', ids.id);
    const history = {
      currentId: answer.id,
      messages: { [ids.id]: { childrenIds: [question.id] }, [question.id]: question, [answer.id]: answer },
    };
    await saveChat(person, ids.chat_id, { history });
    await complete({ model: gateway.chat('plain'), chat_id: ids.chat_id, id: answer.id, stream: true }, person);
    const { chat } = (await getChat(person, ids.chat_id)).body;
    expect(chat.messages.map(({ content, done }: { content: string; done?: boolean }) => [content, done])).toEqual([
      ['Hello', undefined],
      [TEXT, true],
      ['And then?', undefined],
      [TEXT, true],
    ]);
  });
});

describe('nothing reaches a model', () => {
  verifies('outlet/foreign-chat', 'for a chat that is not the caller’s, or for none', async () => {
    const { ids } = await pending();
    const stranger = await aUser();
    const before = gateway.server.seen.length;
    for (const chat_id of [ids.chat_id, randomUUID(), 'no such chat!']) {
      for (const more of [{ id: ids.id }, { id: ids.id, session_id: 's' }, { id: ids.id, stream: true }, {}]) {
        const { status, body } = await complete({ model: gateway.chat('plain'), chat_id, ...more }, stranger);
        expect({ status, detail: body.detail }).toEqual({ status: 404, detail: 'Chat not found' });
      }
    }
    expect(gateway.server.seen.length).toBe(before);
  });

  test('for a message that is not in the chat', async () => {
    const { person, ids } = await pending();
    const before = gateway.server.seen.length;
    const answer = await complete({ model: gateway.chat('plain'), ...ids, id: randomUUID() }, person);
    expect(answer).toMatchObject({ status: 404, body: { detail: expect.stringContaining('Message not found') } });
    expect(gateway.server.seen.length).toBe(before);
  });
});

describe('a reply goes on without its caller', () => {
  verifies('completions/background', 'who has left after the first word', async () => {
    const { person, ids, reply } = await pending();
    const leaving = new AbortController();
    const response = await fetch(`${host.url}/api/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await anApiKey(person)}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: gateway.chat('held'), messages, ...ids, stream: true }),
      signal: leaving.signal,
    });
    const first = await response.body!.getReader().read();
    expect(Buffer.from(first.value!).toString()).toContain('data:');
    leaving.abort();
    await expect.poll(async () => (await reply()).content, { timeout: 5000 }).toMatch(/^Grüße/);
    expect((await reply()).done).toBe(false);
    gateway.server.release();
    await untilDone(person, ids.chat_id, ids.id);
    expect(await reply()).toMatchObject({ content: TEXT, done: true });
    expect(gateway.server.asked('held').at(-1)!.isAbandoned).toBe(false);
  });
});

describe('a reply that fails', () => {
  test.each(['breaks', 'cut'])('in the middle is done, with an error and what was said before (%s)', async (how) => {
    for (const model of [gateway.chat(how), gateway.runtime(how)]) {
      for (const mode of [{ stream: true }, { stream: true, session_id: randomUUID() }]) {
        const { person, ids, reply } = await pending();
        await complete({ model, ...ids, ...mode }, person);
        await untilDone(person, ids.chat_id, ids.id);
        expect(await reply()).toMatchObject({ done: true, error: { content: expect.any(String) } });
        expect((await reply()).content).toMatch(/^Grüße/);
        expect((await reply()).content).not.toBe(TEXT);
      }
    }
  });

  test('before the first word is done, with the words of the server', async () => {
    for (const mode of [{}, { stream: true }, { session_id: randomUUID() }]) {
      const { person, ids, reply } = await pending();
      const { status } = await complete({ model: gateway.chat('refuses'), ...ids, ...mode }, person);
      expect(status).toBe('session_id' in mode ? 200 : 429);
      await untilDone(person, ids.chat_id, ids.id);
      expect(await reply()).toMatchObject({ content: '', done: true, error: { content: 'Too many tokens today' } });
    }
  });
});

test('a reply whose process has died is ended, with what it had said', async () => {
  const { person, ids, reply } = await pending();
  const [chats, running] = [createChatStore(), createTaskRows(systemClock, 1000)];
  const dead = createTaskRows(() => (Date.now() - 120_000) as Millis, 3_600_000);
  const ref = { owner: person.userId, chatId: ids.chat_id, messageId: ids.id };
  await chats.saveReply(ref, { content: 'Half an ans' });
  await dead.add({ taskId: randomUUID(), ...ref, startedAt: Date.now() - 120_000 });
  const parts = { chats, tasks: running };
  const ended = await Promise.all([endInterrupted(parts), endInterrupted(parts)]);
  expect(ended[0]! + ended[1]!).toBeLessThanOrEqual(1);
  await untilDone(person, ids.chat_id, ids.id);
  expect(await reply()).toMatchObject({ content: 'Half an ans', done: true, error: { content: expect.any(String) } });
  expect(await running.silentFor(60_000)).not.toContainEqual(expect.objectContaining(ref));
});

describe('running replies', () => {
  const tasksOf = async (person: Person, chatId: string) =>
    (await call(`GET /api/tasks/chat/${chatId}`, undefined, person)).body.task_ids as string[];

  test('are listed for their owner and for operators, and for nobody else', async () => {
    const { person, ids } = await pending();
    const { body } = await complete({ model: gateway.chat('held'), ...ids, session_id: 's', stream: true }, person);
    expect(await tasksOf(person, ids.chat_id)).toEqual(body.task_ids);
    expect(await tasksOf(await aUser(), ids.chat_id)).toEqual([]);
    expect((await call('GET /api/tasks', undefined, gateway.operator)).body.tasks).toContain(body.task_id);
    gateway.server.release();
    await untilDone(person, ids.chat_id, ids.id);
    expect(await tasksOf(person, ids.chat_id)).toEqual([]);
  });

  test.each([
    ['by chat', (ids: { chat_id: string }) => `POST /api/tasks/chat/${ids.chat_id}/stop`],
    ['by id', (_: unknown, taskId: string) => `POST /api/tasks/stop/${taskId}`],
  ])('stop when their owner says so, %s; what was said stays', async (_, route) => {
    const { person, ids, reply } = await pending();
    const { body } = await complete({ model: gateway.chat('endless'), ...ids, session_id: 's', stream: true }, person);
    await expect.poll(async () => (await reply()).content, { timeout: 5000 }).toMatch(/^Grüße/);
    const stranger = await aUser();
    expect((await call(route(ids, body.task_id), undefined, stranger)).status).toBe(404);
    expect(await call(route(ids, body.task_id), undefined, person)).toMatchObject({
      status: 200,
      body: { status: true },
    });
    await untilDone(person, ids.chat_id, ids.id);
    const { error, content } = await reply();
    expect(error).toBeUndefined();
    expect(content).toMatch(/^Grüße/);
    await expect.poll(() => gateway.server.asked('endless').at(-1)!.isAbandoned).toBe(true);
    expect((await call(route(ids, body.task_id), undefined, person)).status).toBe(404);
  });

  test('stop when their chat is deleted', async () => {
    const { person, ids } = await pending();
    await complete({ model: gateway.chat('endless'), ...ids, session_id: 's', stream: true }, person);
    const [request] = gateway.server.asked('endless').slice(-1);
    await call(`DELETE /api/v1/chats/${ids.chat_id}`, undefined, person);
    await expect.poll(() => request!.isAbandoned, { timeout: 5000 }).toBe(true);
    expect((await getChat(person, ids.chat_id)).status).toBe(404);
  });

  test('of a chat that lives only in the browser are told and stopped, but not stored', async () => {
    const person = await aUser();
    const ids = { chat_id: `local:${randomUUID()}`, id: randomUUID() };
    const { body } = await complete({ model: gateway.chat('endless'), ...ids, session_id: 's', stream: true }, person);
    expect(body).toMatchObject({ status: true, chat_id: ids.chat_id });
    expect((await call(`POST /api/tasks/stop/${body.task_id}`, undefined, person)).status).toBe(200);
    await expect.poll(() => gateway.server.asked('endless').at(-1)!.isAbandoned).toBe(true);
    const whole = await complete({ model: gateway.chat('plain'), ...ids }, person);
    expect(whole.body.choices[0].message.content).toBe(TEXT);
  });

  test('stop when an operator says so', async () => {
    const { person, ids } = await pending();
    const { body } = await complete({ model: gateway.chat('endless'), ...ids, session_id: 's', stream: true }, person);
    expect((await call(`POST /api/tasks/stop/${body.task_id}`, undefined, gateway.operator)).status).toBe(200);
    await untilDone(person, ids.chat_id, ids.id);
  });

  test('of a stranger’s invention are not there', async () => {
    const person = await aUser();
    for (const id of ['nonsense', randomUUID(), '../x']) {
      expect((await call(`POST /api/tasks/stop/${encodeURIComponent(id)}`, undefined, person)).status).toBe(404);
    }
  });
});

describe('after its reply', () => {
  verifies(
    ['completions/title-generation', 'completions/tags-generation', 'completions/follow-up-generation'],
    'a chat gets a title, tags and questions that may follow',
    async () => {
      const { person, ids, reply } = await pending();
      const background_tasks = { title_generation: true, tags_generation: true, follow_up_generation: true };
      await complete({ model: gateway.chat('title'), ...ids, stream: true, background_tasks }, person);
      await expect.poll(async () => (await getChat(person, ids.chat_id)).body.title).toBe('A fine title');
      await expect.poll(async () => (await getChat(person, ids.chat_id)).body.meta.tags).toEqual(['one', 'two']);
      await expect.poll(async () => (await reply()).followUps).toEqual(['Why?']);
    },
  );

  test('nothing is done that was not asked for', async () => {
    const { person, ids, reply } = await pending();
    const before = gateway.server.asked('title').length;
    await complete({ model: gateway.chat('title'), ...ids, background_tasks: { title_generation: false } }, person);
    expect(gateway.server.asked('title').length).toBe(before + 1);
    expect((await getChat(person, ids.chat_id)).body.title).toBe('Plan');
    expect(await reply()).not.toHaveProperty('followUps');
  });

  test('the same tasks can be asked for directly', async () => {
    const { token } = await aUser();
    for (const task of ['title', 'tags', 'follow_up']) {
      const asked = { model: gateway.chat('title'), messages };
      const { body } = await call(`POST /api/v1/tasks/${task}/completions`, asked, { token });
      expect(JSON.parse(body.choices[0].message.content)).toMatchObject({ title: 'A fine title' });
    }
    const demo = await call('POST /api/v1/tasks/title/completions', { model: 'demo', messages }, { token });
    expect(JSON.parse(demo.body.choices[0].message.content)).toEqual({ title: 'Hello' });
  });
});
