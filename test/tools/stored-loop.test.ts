import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { useHost } from '../plugins/support/own-host.ts';
import { EVERYONE, upload } from '../plugins/support/plugin.ts';
import { aPendingReply, storedReply, type PendingReply } from '../realtime/support/chat.ts';
import { eventually } from '../realtime/support/eventually.ts';
import { closeTabs, openTab } from '../realtime/support/tab.ts';
import { call } from '../support/call.ts';
import { host } from '../support/host.ts';
import { aUser, type Person } from '../support/people.ts';
import { useScriptedModels, type Asked, type Turn } from './scripted.ts';
import { connect, started, stopped } from './support.ts';

const TOOLS = `export const plugin = definePlugin({ tools: {
  add: { description: 'adds', parameters: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } },
    run: ({ a, b }) => 'sum ' + (a + b) },
  fail: { description: 'fails', run() { throw new Error('no luck'); } },
  ask: { description: 'asks', run: (args, { ask }) => ask({ type: 'confirmation', data: { title: '?' } }) },
  wait: { description: 'waits', run: async (args, { emit }) => {
    for (;;) { await emit({ type: 'status', data: { description: 'still here' } }); await new Promise((done) => setTimeout(done, 50)); }
  } },
} });`;

/** An external tool that never answers, and knows who still waits for it. */
const waiting = new Set<http.ServerResponse>();
const hanging = http.createServer((request, response) => {
  const operation = { operationId: 'hang', parameters: [] };
  if (request.url === '/openapi.json')
    return void response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ openapi: '3.1.0', paths: { '/hang': { get: operation } } }));
  waiting.add(response);
  return void response.once('close', () => waiting.delete(response));
});

const models = useScriptedModels();
let tools = '';
let hang = '';
beforeAll(async () => {
  tools = (await upload(TOOLS, { registry: 'tools', access_grants: EVERYONE })).id;
  const id = `s${randomUUID().slice(0, 8)}`;
  await connect({ url: await started(hanging), info: { id }, config: { access_grants: EVERYONE } });
  hang = `server:${id}`;
});
afterEach(closeTabs);
afterAll(() => stopped(hanging));

const add = (a: number, b: number) => ({ name: 'add', arguments: JSON.stringify({ a, b }) });
const complete = (person: Person, body: Record<string, unknown>) =>
  call('POST /api/chat/completions', body, { token: person.token });

async function asking(turns: readonly Turn[], more: Record<string, unknown> = {}) {
  const person = await aUser();
  const reply = await aPendingReply(person);
  const question = models.question(turns);
  const at = { chat_id: reply.chatId, id: reply.messageId };
  const body = {
    model: models.chat(),
    messages: [{ role: 'user', content: question }],
    tool_ids: [tools],
    ...at,
    ...more,
  };
  return { person, reply, question, body, stored: () => storedReply(reply, person) };
}

const TURNS: readonly Turn[] = [
  { text: 'Adding.', calls: [add(1, 2), { name: 'fail', arguments: '{}' }] },
  { calls: [add(3, 4)] },
  { text: 'Done.' },
];

const ITEMS = [
  { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'Adding.' }] },
  { type: 'function_call', call_id: 'call_0', name: 'add', arguments: '{"a":1,"b":2}', status: 'completed' },
  { type: 'function_call', call_id: 'call_1', name: 'fail', arguments: '{}', status: 'completed' },
  { type: 'function_call_output', call_id: 'call_0', output: [{ type: 'input_text', text: 'sum 3' }] },
  { type: 'function_call_output', call_id: 'call_1', output: [{ type: 'input_text', text: 'Error: no luck' }] },
  { type: 'function_call', call_id: 'call_0', name: 'add', arguments: '{"a":3,"b":4}', status: 'completed' },
  { type: 'function_call_output', call_id: 'call_0', output: [{ type: 'input_text', text: 'sum 7' }] },
  { type: 'message', content: [{ type: 'output_text', text: 'Done.' }] },
];

describe('a stored reply', () => {
  test.each([
    ['whole', {}],
    ['streamed', { stream: true }],
    ['told by socket', { stream: true, session_id: randomUUID() }],
  ])('keeps what was said, called and answered, in this order (%s)', async (_, more) => {
    const { person, body, stored } = await asking(TURNS, more);
    expect((await complete(person, body)).status).toBe(200);
    await eventually(async () => (await stored()).done).toBe(true);
    const { content, output, sources, error } = await stored();
    expect({ content, error }).toEqual({ content: 'Adding.\n\nDone.', error: undefined });
    expect(output).toMatchObject(ITEMS);
    expect(new Set(output.map(({ id }: Asked) => id)).size).toBe(output.length);
    expect(sources).toHaveLength(2);
  });

  test('shows its tabs every step on the way', async () => {
    const { person, body, stored } = await asking(TURNS, { stream: true });
    const tab = await openTab({ token: person.token });
    await complete(person, { ...body, session_id: tab.socket.id });
    await eventually(() => tab.events.at(-1)?.data).toEqual({ type: 'chat:active', data: { active: false } });
    const told = tab.events
      .filter(({ data }) => data.type === 'chat:completion')
      .map(({ data }) => data.data as { content: string; output: { type: string; status: string }[]; done?: boolean });
    expect(told[0]).toMatchObject({
      content: 'Adding.',
      output: [{ type: 'message' }, { name: 'add', status: 'in_progress' }, { name: 'fail', status: 'in_progress' }],
    });
    expect(told.at(-1)).toMatchObject({ done: true, content: 'Adding.\n\nDone.', output: (await stored()).output });
    expect(told).toHaveLength(5);
  });

  test('goes on to its end when its caller leaves while a tool runs', async () => {
    const { person, body, stored } = await asking(
      [{ text: 'Wait.', calls: [{ name: 'hang', arguments: '{}' }] }, { text: 'Done.' }],
      {
        tool_ids: [hang],
        stream: true,
      },
    );
    const before = waiting.size;
    const leaving = new AbortController();
    const response = await fetch(`${host.url}/api/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: leaving.signal,
    });
    await response.body!.getReader().read();
    await eventually(() => waiting.size).toBe(before + 1);
    leaving.abort();
    for (const held of waiting) held.setHeader('content-type', 'application/json').end('{"ok":true}');
    await eventually(async () => (await stored()).done).toBe(true);
    expect(await stored()).toMatchObject({ content: 'Wait.\n\nDone.', sources: [{ tool_result: true }] });
  });
});

describe('the next question of a chat', () => {
  const link = (id: string, parentId: string, childrenIds: string[] = []) => ({ id, parentId, childrenIds });
  const BY_DEMO = { model: 'demo', modelName: 'Demo', modelIdx: 0 };

  /** Saves a further question below a reply and asks with nothing but its id. */
  async function askOn(person: Person, { chatId, messageId }: PendingReply, question: string) {
    const [user, assistant] = [randomUUID(), randomUUID()];
    const timestamp = Math.floor(Date.now() / 1000) + 1;
    const messages = {
      [user]: { ...link(user, messageId, [assistant]), role: 'user', content: question, timestamp, models: ['demo'] },
      [assistant]: { ...link(assistant, user), role: 'assistant', content: '', timestamp, ...BY_DEMO },
    };
    const chat = { history: { currentId: assistant, messages } };
    expect((await call(`POST /api/v1/chats/${chatId}`, { chat }, { token: person.token })).status).toBe(200);
    const asked = { model: models.chat(), messages: [{ role: 'system', content: 'Be brief.' }], chat_id: chatId };
    return (more: Record<string, unknown> = {}) =>
      complete(person, {
        ...asked,
        id: assistant,
        user_message: { id: user, role: 'user', content: question },
        ...more,
      });
  }

  test('shows the model its earlier calls and their results', async () => {
    const { person, reply, body } = await asking(TURNS);
    await complete(person, body);
    const question = models.question([{ text: 'Again.' }]);
    const { status } = await (await askOn(person, reply, question))();
    expect(status).toBe(200);
    expect(models.asked(question)[0]!['messages']).toMatchObject([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Adding.', tool_calls: [{ id: 'call_0' }, { id: 'call_1' }] },
      { role: 'tool', tool_call_id: 'call_0', content: 'sum 3' },
      { role: 'tool', tool_call_id: 'call_1', content: 'Error: no luck' },
      { role: 'assistant', tool_calls: [{ function: { name: 'add', arguments: '{"a":3,"b":4}' } }] },
      { role: 'tool', tool_call_id: 'call_0', content: 'sum 7' },
      { role: 'assistant', content: 'Done.' },
      { role: 'user', content: question },
    ]);
  });

  test('is refused when it was not saved, before any model hears of it', async () => {
    const { person, reply, body } = await asking([{ text: 'Hi.' }]);
    await complete(person, body);
    const question = models.question([{ text: 'Again.' }]);
    const answer = await (await askOn(person, reply, question))({ user_message: { id: randomUUID() } });
    expect(answer).toMatchObject({ status: 404, body: { detail: expect.stringContaining('save the question') } });
    expect(models.asked(question)).toEqual([]);
  });
});

describe('stopping a reply', () => {
  const stop = (person: Person, { chatId }: PendingReply) =>
    call(`POST /api/tasks/chat/${chatId}/stop`, undefined, { token: person.token });

  test.each([
    ['a plugin', 'wait'],
    ['an external tool', 'hang'],
  ])('ends the work of %s; what was said stays', async (_, name) => {
    const turns = [{ text: 'Wait.', calls: [{ name, arguments: '{}' }] }, { text: 'Never said.' }];
    const { person, reply, question, body, stored } = await asking(turns, { tool_ids: [tools, hang], session_id: 's' });
    const before = waiting.size;
    await complete(person, body);
    if (name === 'hang') await eventually(() => waiting.size).toBe(before + 1);
    else await eventually(async () => JSON.stringify((await stored()).statusHistory)).toContain('still here');
    expect((await stop(person, reply)).status).toBe(200);
    await eventually(async () => (await stored()).done).toBe(true);
    const { content, error, output, statusHistory } = await stored();
    expect({ content, error }).toEqual({ content: 'Wait.', error: undefined });
    expect(output).toMatchObject([{ type: 'message' }, { type: 'function_call', status: 'incomplete' }]);
    expect(statusHistory.at(-1)).toMatchObject({ description: `Using ${name}`, done: true });
    await eventually(() => waiting.size).toBe(before);
    expect(models.asked(question)).toHaveLength(1);
    expect((await stored()).statusHistory).toHaveLength(statusHistory.length);
  });

  test('ends a tool that waits for an answer of the user', async () => {
    const person = await aUser();
    const asked: unknown[] = [];
    const tab = await openTab({ token: person.token, onCall: ({ data }) => void asked.push(data) });
    const reply = await aPendingReply(person);
    const question = models.question([{ calls: [{ name: 'ask', arguments: '{}' }] }, { text: 'Never said.' }]);
    const messages = [{ role: 'user', content: question }];
    const at = { chat_id: reply.chatId, id: reply.messageId, session_id: tab.socket.id };
    await complete(person, { model: models.chat(), messages, tool_ids: [tools], ...at });
    await eventually(() => asked.length).toBe(1);
    await stop(person, reply);
    await eventually(async () => (await storedReply(reply, person)).done).toBe(true);
    expect(await storedReply(reply, person)).toMatchObject({ content: '', output: [{ status: 'incomplete' }] });
    expect(models.asked(question)).toHaveLength(1);
  });

  test('ends a pipe in the middle of its work', async () => {
    const pipe = `export const plugin = definePlugin({ async *pipe(body, { emit }) {
      yield 'Begun.';
      for (;;) { await emit({ type: 'status', data: { description: 'working' } }); await new Promise((done) => setTimeout(done, 50)); }
    } });`;
    const { id: model } = await upload(pipe);
    const { person, reply, body, stored } = await asking([], { model, tool_ids: [], session_id: 's' });
    await complete(person, body);
    await eventually(async () => (await stored()).statusHistory?.length ?? 0).toBeGreaterThan(2);
    await stop(person, reply);
    await eventually(async () => (await stored()).done).toBe(true);
    const { content, error, statusHistory } = await stored();
    expect({ content, error }).toEqual({ content: 'Begun.', error: undefined });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect((await stored()).statusHistory).toHaveLength(statusHistory.length);
  });

  test('ends a model in the middle of its second round', async () => {
    const { person, reply, question, body, stored } = await asking(
      [{ text: 'One.', calls: [add(1, 1)] }, { text: 'Two, three, four, five, six, seven, eight, nine, ten' }],
      { model: models.chat('+slow'), stream: true, session_id: 's' },
    );
    await complete(person, body);
    await eventually(() => models.asked(question).length).toBe(2);
    await stop(person, reply);
    await eventually(async () => (await stored()).done).toBe(true);
    const { content, output } = await stored();
    expect(content).toMatch(/^One\./);
    expect(content).not.toContain('ten');
    expect(output[2]).toMatchObject({ type: 'function_call_output', output: [{ text: 'sum 2' }] });
  });
});

describe('a caller for whom nothing is kept', () => {
  const own = useHost({ OUTBOUND_ALLOWED_HOSTS: '127.0.0.1' });

  async function leaveAfterFirstWord(url: string, body: Record<string, unknown>, ready: () => unknown) {
    const { token } = await aUser();
    const leaving = new AbortController();
    const response = await fetch(`${url}/api/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ stream: true, messages: [{ role: 'user', content: 'Hello' }], ...body }),
      signal: leaving.signal,
    });
    expect(response.status).toBe(200);
    await response.body!.getReader().read();
    await ready();
    leaving.abort();
  }

  test('ends the tool that runs for them by hanging up', async () => {
    const question = models.question([
      { text: 'Wait.', calls: [{ name: 'hang', arguments: '{}' }] },
      { text: 'Never.' },
    ]);
    const before = waiting.size;
    const messages = [{ role: 'user', content: question }];
    const body = { model: models.chat(), messages, tool_ids: [hang] };
    await leaveAfterFirstWord(host.url, body, () => eventually(() => waiting.size).toBe(before + 1));
    await eventually(() => waiting.size).toBe(before);
    expect(models.asked(question)).toHaveLength(1);
  });

  test('ends the pipe that answers them, and what it was waiting for, by hanging up', async () => {
    const address = `http://127.0.0.1:${(hanging.address() as { port: number }).port}/hang`;
    const pipe = `export const plugin = definePlugin({ async *pipe(body, { fetch }) { yield 'Begun.'; await fetch('${address}'); } });`;
    const { id: model } = await upload(pipe);
    const before = waiting.size;
    await leaveAfterFirstWord(own.url, { model }, () => eventually(() => waiting.size).toBe(before + 1));
    await eventually(() => waiting.size).toBe(before);
  });
});
