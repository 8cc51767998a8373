import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { useHost } from '../plugins/support/own-host.ts';
import { EVERYONE, example, upload } from '../plugins/support/plugin.ts';
import { aPendingReply, storedReply } from '../realtime/support/chat.ts';
import { eventually } from '../realtime/support/eventually.ts';
import { closeTabs, openTab } from '../realtime/support/tab.ts';
import { call } from '../support/call.ts';
import { anApiKey, anOperator, aUser, type Person } from '../support/people.ts';
import { verifies } from '../support/verifies.ts';
import { aRecorder, CALLING_MODEL, connect, freePort, started, stopped, type Recorder } from './support.ts';
// @ts-expect-error -- a program in plain JavaScript, as its authors write it
import { startWeather } from '../../functions/plugins/examples/external-tool.js';

/** One server plays the search provider, the image engine and an external tool. */
let outside: Recorder;
const port = await freePort();
const host = useHost({
  ENABLE_FORWARD_USER_INFO_HEADERS: 'True',
  FORWARD_SESSION_INFO_HEADER_MESSAGE_ID: 'X-My-Message',
  WEB_SEARCH_ENGINE: 'searxng',
  WEB_SEARCH_URL: `http://127.0.0.1:${port}/search`,
  IMAGES_COMPAT_API_BASE_URL: `http://127.0.0.1:${port}/v1`,
  CHAT_RESPONSE_MAX_TOOL_CALL_ITERATIONS: '2',
});
const forwarding = useHost({ ENABLE_FORWARD_USER_INFO_HEADERS: 'True' });

let model = '';
beforeAll(async () => {
  outside = await aRecorder(({ path }) => {
    if (path.startsWith('/search'))
      return { body: { results: [{ title: 'T', url: 'https://a.test', content: 'found it' }] } };
    if (path === '/v1/images/generations') return { body: { data: [{ b64_json: 'aGk=' }] } };
    const operation = { operationId: 'look', parameters: [] };
    if (path === '/openapi.json') return { body: { openapi: '3.1.0', paths: { '/look': { get: operation } } } };
    return { body: { looked: true } };
  }, port);
  model = (await upload(CALLING_MODEL, { url: host.url })).id;
});
afterEach(closeTabs);
afterAll(() => outside.stop());

const ask = (person: Person, wanted: unknown, body: Record<string, unknown>, url = host.url) =>
  call(
    'POST /api/chat/completions',
    {
      model,
      messages: [{ role: 'user', content: typeof wanted === 'string' ? wanted : JSON.stringify(wanted) }],
      ...body,
    },
    { token: person.token, url },
  );
const textOf = ({ body }: Awaited<ReturnType<typeof call>>) => body.choices?.[0]?.message?.content as string;

describe('features', () => {
  verifies('completions/web-search', 'web_search lets the model search with the configured provider', async () => {
    const wanted = { calls: [{ name: 'search_web', args: { query: 'atrium & co' } }] };
    const answer = await ask(await aUser(), wanted, { features: { web_search: true } });
    expect(textOf(answer)).toContain('found it');
    expect(outside.seen.at(-1)?.path).toBe('/search?q=atrium+%26+co&format=json');
    expect(answer.body.sources).toHaveLength(1);
  });

  verifies(
    'completions/image-generation',
    'image_generation shows a picture of the configured engine in the message',
    async () => {
      const person = await aUser();
      const reply = await aPendingReply(person);
      const wanted = { calls: [{ name: 'generate_image', args: { prompt: 'a hall' } }] };
      await ask(person, wanted, { features: { image_generation: true }, chat_id: reply.chatId, id: reply.messageId });
      expect((await storedReply(reply, person)).files).toEqual([{ type: 'image', url: 'data:image/png;base64,aGk=' }]);
    },
  );

  verifies('completions/code-interpreter', 'code_interpreter runs code in the browser of the session', async () => {
    const person = await aUser();
    const tab = await openTab({
      token: person.token,
      url: host.url,
      onCall: ({ data }, answer) => answer(`ran ${JSON.stringify(data.data)}`),
    });
    const reply = await aPendingReply(person);
    const wanted = { calls: [{ name: 'execute_code', args: { code: 'return 1' } }] };
    const at = { chat_id: reply.chatId, id: reply.messageId, session_id: tab.socket.id };
    await ask(person, wanted, { features: { code_interpreter: true }, ...at });
    await eventually(async () => (await storedReply(reply, person)).done).toBe(true);
    expect((await storedReply(reply, person)).content).toBe('ran {"code":"return 1"}');
    expect(await ask(person, wanted, { features: { code_interpreter: true } })).toMatchObject({ status: 501 });
  });

  verifies('completions/memory', 'memory lets the model remember and recall, for this user only', async () => {
    const [person, other] = await Promise.all([aUser(), aUser()]);
    const features = { memory: true };
    await ask(person, { calls: [{ name: 'add_memory', args: { content: 'likes tea' } }] }, { features });
    const recall = { calls: [{ name: 'recall_memories' }] };
    expect(textOf(await ask(person, recall, { features }))).toContain('likes tea');
    expect(textOf(await ask(other, recall, { features }))).not.toContain('likes tea');
    const as = { token: person.token };
    const { body } = await call('GET /api/v1/memories', undefined, as);
    expect(body).toMatchObject([{ content: 'likes tea' }]);
    expect((await call(`DELETE /api/v1/memories/${body[0].id}`, undefined, { token: other.token })).status).toBe(404);
    expect((await call(`DELETE /api/v1/memories/${body[0].id}`, undefined, as)).body).toBe(true);
    expect((await call('GET /api/v1/memories', undefined, as)).body).toEqual([]);
  });

  test('that are not configured are refused by name', async () => {
    const person = await aUser();
    const answer = await call(
      'POST /api/chat/completions',
      { model: 'demo', messages: [], features: { web_search: true } },
      { token: person.token },
    );
    expect(answer).toMatchObject({
      status: 501,
      body: { detail: '"web_search" is not available: WEB_SEARCH_ENGINE is not set' },
    });
    expect(await ask(person, 'list', { features: { flying: true } })).toMatchObject({ status: 501 });
    expect((await ask(person, 'list', { features: { flying: false } })).status).toBe(200);
  });
});

test('a model that never stops calling is stopped', async () => {
  const wanted = { calls: [{ name: 'recall_memories' }], rounds: 9 };
  const answer = await ask(await aUser(), wanted, { features: { memory: true } });
  expect(answer).toMatchObject({ status: 502, body: { detail: expect.stringContaining('more than 2 times') } });
});

describe('requests to external tools', () => {
  const serverAt = async (url: string, at: string) => {
    const id = `s${Math.random().toString(36).slice(2)}`;
    await connect({ url, info: { id }, config: { access_grants: EVERYONE } }, at);
    return `server:${id}`;
  };

  verifies(
    ['tools/identity-headers-only', 'tools/session-header-names', 'tools/no-credentials-forwarded'],
    'carry who asks and where, under the configured names, and no credential',
    async () => {
      const person = await aUser();
      const reply = await aPendingReply(person);
      const tool = await serverAt(outside.url, host.url);
      await ask(
        person,
        { calls: [{ name: 'look' }] },
        { tool_ids: [tool], chat_id: reply.chatId, id: reply.messageId },
      );
      const headers = outside.seen.findLast(({ path }) => path === '/look')?.headers ?? {};
      expect(headers).toMatchObject({
        'x-svc-user-id': person.userId,
        'x-svc-user-email': person.email,
        'x-svc-user-name': encodeURIComponent(person.name),
        'x-svc-user-role': 'ROLE_USER',
        'x-svc-chat-id': reply.chatId,
        'x-my-message': reply.messageId,
      });
      expect(headers['x-svc-message-id']).toBeUndefined();
      expect(JSON.stringify(headers)).not.toMatch(/bearer|authorization|cookie/i);
    },
  );

  verifies('tools/session-headers', 'let the external tool of the documentation report its progress', async () => {
    const person = await aUser();
    const weather = startWeather({ platform: forwarding.url, key: await anApiKey(person) });
    const tool = await serverAt(await started(weather), forwarding.url);
    const reply = await aPendingReply(person);
    const wanted = { calls: [{ name: 'weather', args: { city: 'Oslo' } }] };
    const answer = await ask(
      person,
      wanted,
      { tool_ids: [tool], chat_id: reply.chatId, id: reply.messageId },
      forwarding.url,
    );
    await stopped(weather);
    expect(textOf(answer)).toContain('"sky": "clear"');
    expect((await storedReply(reply, person)).statusHistory).toContainEqual({
      description: 'Looking up Oslo',
      done: true,
    });
  });
});

describe('an action', () => {
  const run = (id: string, token: string, body: Record<string, unknown> = {}) =>
    call(
      `POST /api/chat/actions/${id}`,
      { model: 'demo', messages: [{ role: 'assistant', content: 'a long answer' }], ...body },
      { token },
    );

  test('answers with what it returns, also one of several', async () => {
    const { id } = await upload(example('shorten-action'));
    const { token } = await aUser();
    expect(await run(`${id}.half`, token)).toMatchObject({ status: 200, body: { content: 'a long' } });
    expect(await run(id, token)).toMatchObject({ status: 200, body: { content: 'a long ans' } });
    expect((await run(`${id}.other`, token)).status).toBe(404);
    expect((await run('nothing', token)).status).toBe(404);
    const foreign = await aPendingReply(await aUser());
    expect((await run(id, token, { chat_id: foreign.chatId, id: foreign.messageId })).status).toBe(404);
    expect((await run(id, (await anOperator()).token)).status).toBe(403);
  });

  test('may return nothing, and tells the user what it did', async () => {
    const source = `export const plugin = definePlugin({ action: (body, { emit }) => void emit({ type: 'status', data: { description: 'did it', done: true } }) });`;
    const { id } = await upload(source);
    const person = await aUser();
    const reply = await aPendingReply(person);
    expect(await run(id, person.token, { chat_id: reply.chatId, id: reply.messageId })).toMatchObject({
      status: 200,
      body: null,
    });
    await eventually(async () => (await storedReply(reply, person)).statusHistory).toEqual([
      { description: 'did it', done: true },
    ]);
  });
});
