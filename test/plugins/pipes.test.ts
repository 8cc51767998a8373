import { afterEach, describe, expect, test } from 'vitest';
import { aPendingReply, storedReply } from '../realtime/support/chat.ts';
import { closeTabs, openTab, typesOf } from '../realtime/support/tab.ts';
import { eventually } from '../realtime/support/eventually.ts';
import { call } from '../support/call.ts';
import { aUser, type Person } from '../support/people.ts';
import { verifies } from '../support/verifies.ts';
import { example, remove, upload, type Uploaded } from './support/plugin.ts';

const uploaded: Uploaded[] = [];
afterEach(async () => {
  closeTabs();
  await Promise.all(uploaded.splice(0).map(remove));
});

async function pipe(source: string) {
  const one = await upload(source);
  uploaded.push(one);
  return one.id;
}

const piping = (body: string) => `export const plugin = definePlugin({ name: 'Test', ${body} });`;
const ask = (person: Person, body: Record<string, unknown>) =>
  call(
    'POST /api/chat/completions',
    { messages: [{ role: 'user', content: 'hello' }], ...body },
    { token: person.token },
  );

describe('a pipe', () => {
  verifies('tools/function-models', 'is listed and answers as a model', async () => {
    const person = await aUser();
    const id = await pipe(piping('pipe: (body, { user }) => `${user.name}: ${body.messages.at(-1).content}`'));
    const { body } = await call('GET /api/models', undefined, { token: person.token });
    expect(body.data).toEqual(expect.arrayContaining([expect.objectContaining({ id, name: 'Test' })]));
    const answer = await ask(person, { model: id });
    expect(answer.body.choices[0].message.content).toBe(`${person.name}: hello`);
  });

  test('streams what it yields, text and chunks', async () => {
    const id = await pipe(
      piping(`async *pipe() { yield 'one '; yield { choices: [{ delta: { content: 'two' } }] }; }`),
    );
    const { body } = await ask(await aUser(), { model: id, stream: true });
    expect(body).toMatch(/"content":"one "[\s\S]*"content":"two"[\s\S]*"finish_reason":"stop"[\s\S]*\[DONE\]/);
  });

  test('may answer with a whole completion', async () => {
    const id = await pipe(
      piping(
        `pipe: () => ({ choices: [{ index: 0, message: { role: 'assistant', content: 'whole' }, finish_reason: 'stop' }] })`,
      ),
    );
    expect((await ask(await aUser(), { model: id })).body.choices[0].message.content).toBe('whole');
  });

  test('that throws at once refuses, and later breaks off', async () => {
    const person = await aUser();
    const id = await pipe(piping(`pipe() { throw new Error('Out of order'); }`));
    expect(await ask(person, { model: id })).toMatchObject({ status: 502, body: { detail: 'Out of order' } });
    const late = await pipe(piping(`async *pipe() { yield 'a'; throw new Error('Broken'); }`));
    expect((await ask(person, { model: late, stream: true })).body).toMatch(/"content":"a"[\s\S]*Broken/);
  });

  test('that is switched off is no model any more', async () => {
    const id = await pipe(piping(`pipe: () => 'x'`));
    await call(`POST /api/v1/functions/id/${id}/toggle`, undefined, { token: uploaded[0]?.operator });
    expect((await ask(await aUser(), { model: id })).status).toBe(404);
  });
});

describe('over the socket', () => {
  verifies(
    ['plugin-events/helpers-everywhere', 'plugin-events/pipe-content', 'plugin-events/pipe-side-events'],
    'a manifold asks for input and a confirmation, and uses the answers',
    async () => {
      const person = await aUser();
      const id = await pipe(example('travel-pipe'));
      const tab = await openTab({
        token: person.token,
        onCall: ({ data }, answer) => answer(data.type === 'input' ? 'Rome' : true),
      });
      const stranger = await openTab({ token: (await aUser()).token });
      const reply = await aPendingReply(person);
      const { body } = await ask(person, {
        model: `${id}.train`,
        chat_id: reply.chatId,
        id: reply.messageId,
        session_id: tab.socket.id,
      });
      expect(body).toMatchObject({ status: true });
      await eventually(async () => (await storedReply(reply, person)).done).toBe(true);
      const stored = await storedReply(reply, person);
      expect(stored.content).toBe('Go to Rome by train.');
      expect(stored.statusHistory).toMatchObject([{ done: false }, { description: 'Done', done: true }]);
      expect(typesOf(tab)).toEqual(expect.arrayContaining(['status', 'input', 'confirmation', 'chat:completion']));
      expect(stranger.events).toEqual([]);
    },
  );

  test('a no is a no, and nobody to ask is an error that the pipe can tell', async () => {
    const person = await aUser();
    const id = await pipe(example('travel-pipe'));
    const tab = await openTab({
      token: person.token,
      onCall: ({ data }, answer) => answer(data.type === 'input' ? 'Rome' : false),
    });
    const reply = await aPendingReply(person);
    const at = { chat_id: reply.chatId, id: reply.messageId, session_id: tab.socket.id };
    await ask(person, { model: `${id}.foot`, ...at });
    await eventually(async () => (await storedReply(reply, person)).done).toBe(true);
    expect((await storedReply(reply, person)).content).toBe('Then stay.');
    expect(await ask(person, { model: `${id}.foot` })).toMatchObject({
      status: 502,
      body: { detail: expect.stringMatching(/nobody to ask/) },
    });
  });

  verifies(
    'plugin-events/pipe-content-wins',
    'the returned text is the content, whatever events said before',
    async () => {
      const person = await aUser();
      const id = await pipe(
        piping(`async pipe(body, { emit }) { await emit({ type: 'message', data: { content: 'by event' } });
        await emit({ type: 'source', data: { source: { name: 's' }, document: ['d'], metadata: [{}] } }); return 'returned'; }`),
      );
      const reply = await aPendingReply(person);
      await ask(person, { model: id, chat_id: reply.chatId, id: reply.messageId });
      expect(await storedReply(reply, person)).toMatchObject({
        content: 'returned',
        sources: [{ source: { name: 's' } }],
      });
    },
  );
});
