import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { EVERYONE, example, upload } from '../plugins/support/plugin.ts';
import { aPendingReply, storedReply } from '../realtime/support/chat.ts';
import { eventually } from '../realtime/support/eventually.ts';
import { closeTabs, openTab, typesOf } from '../realtime/support/tab.ts';
import { call } from '../support/call.ts';
import { anOperator, aUser, type Person } from '../support/people.ts';
import { verifies } from '../support/verifies.ts';
import { aProxyTo, aRecorder, CALLING_MODEL, connect, startEverything, type Recorder } from './support.ts';

const MATH = `export const plugin = definePlugin({ tools: {
  add: { description: 'adds', parameters: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } },
    run: (args) => ({ sum: args.a + args.b, names: Object.keys(args) }) },
  fail: { description: 'fails', run() { throw new Error('no luck'); } },
} });`;

let model = '';
let math = '';
beforeAll(async () => {
  model = (await upload(CALLING_MODEL)).id;
  math = (await upload(MATH, { registry: 'tools', access_grants: EVERYONE })).id;
});
afterEach(closeTabs);

const ask = (person: Person, wanted: unknown, body: Record<string, unknown>) =>
  call(
    'POST /api/chat/completions',
    {
      model,
      messages: [{ role: 'user', content: typeof wanted === 'string' ? wanted : JSON.stringify(wanted) }],
      ...body,
    },
    { token: person.token },
  );
const textOf = ({ body }: Awaited<ReturnType<typeof call>>) => body.choices?.[0]?.message?.content as string;
const newServerId = () => `s${randomUUID().slice(0, 8)}`;

describe('tools of a plugin', () => {
  verifies(
    'tools/tool-ids',
    'are offered to the model and carried out, several at once, only with what they declare',
    async () => {
      const person = await aUser();
      expect(textOf(await ask(person, 'list', { tool_ids: [math] }))).toBe('add fail');
      expect(textOf(await ask(person, 'list', { tool_ids: [`${math}|fail`] }))).toBe('fail');
      const calls = [
        { name: 'add', args: { a: 1, b: 2, evil: true } },
        { name: 'add', args: { a: 3, b: 4 } },
      ];
      const answer = await ask(person, { calls }, { tool_ids: [math] });
      expect(textOf(answer).replaceAll(/\s+/g, '')).toBe('{"sum":3,"names":["a","b"]}|{"sum":7,"names":["a","b"]}');
      expect(answer.body.sources).toHaveLength(2);
      expect(answer.body.sources[0]).toMatchObject({ source: { name: `${math}/add` }, tool_result: true });
    },
  );

  test('that fail, are unknown or are called with nonsense tell the model so', async () => {
    const calls = [{ name: 'fail' }, { name: 'nothing' }, { name: 'add', args: '{broken' }];
    const text = textOf(await ask(await aUser(), { calls }, { tool_ids: [math] }));
    expect(text).toMatch(/no luck \| .*There is no tool "nothing" \| .*not a JSON object/);
  });

  test('are carried out round after round, streamed as well', async () => {
    const wanted = { calls: [{ name: 'add', args: { a: 1, b: 1 } }], rounds: 3 };
    const { body } = await ask(await aUser(), wanted, { tool_ids: [math], stream: true });
    expect(body).toMatch(/sum[\s\S]*sum[\s\S]*sum[\s\S]*"finish_reason":"stop"/);
    expect(body).not.toContain('tool_calls');
  });

  test('that the caller may not use are refused like those that are not there', async () => {
    const { id } = await upload(MATH, { registry: 'tools' });
    const person = await aUser();
    const [closed, missing] = await Promise.all([
      ask(person, 'list', { tool_ids: [id] }),
      ask(person, 'list', { tool_ids: ['nothing'] }),
    ]);
    expect(closed).toMatchObject({ status: 404, body: { detail: `There is no tool "${id}"` } });
    expect(missing.status).toBe(404);
  });

  verifies('tools/caller-tools-win', 'are not resolved when the caller brings tools along, be it none', async () => {
    const own = { type: 'function', function: { name: 'mine', parameters: { type: 'object' } } };
    const person = await aUser();
    expect(textOf(await ask(person, 'list', { tools: [own], tool_ids: ['nothing', math] }))).toBe('mine');
    expect(textOf(await ask(person, 'list', { tools: [], tool_ids: ['nothing', math] }))).toBe('');
  });

  verifies('plugin-events/helpers-everywhere', 'ask the user, who may agree, and tell what they do', async () => {
    const person = await aUser();
    const { id } = await upload(example('order-tool'), { registry: 'tools', access_grants: EVERYONE });
    const asked: unknown[] = [];
    const tab = await openTab({
      token: person.token,
      onCall({ data }, answer) {
        asked.push(data);
        answer(true);
      },
    });
    const reply = await aPendingReply(person);
    const calls = [{ name: 'order', args: { article: 'tea', price: 4 } }];
    await ask(
      person,
      { calls },
      { tool_ids: [id], chat_id: reply.chatId, id: reply.messageId, session_id: tab.socket.id },
    );
    await eventually(async () => (await storedReply(reply, person)).done).toBe(true);
    const stored = await storedReply(reply, person);
    expect(stored.content.replaceAll(/\s+/g, '')).toBe('{"ordered":"tea","price":4}');
    expect(stored.sources).toMatchObject([{ source: { name: `${id}/order` } }]);
    expect(stored.statusHistory).toMatchObject([{ done: false }, { description: 'Using order', done: true }]);
    expect(asked).toMatchObject([{ type: 'confirmation', data: { message: 'Order tea for 4?' } }]);
    expect(typesOf(tab)).toContain('notification');
  });
});

describe('an OpenAPI server', () => {
  const document = {
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1' },
    paths: {
      '/items/{id}': {
        post: {
          operationId: 'change_item',
          summary: 'Changes an item',
          parameters: [
            { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
            { name: 'dry', in: 'query', schema: { type: 'boolean' } },
          ],
          requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Item' } } } },
        },
      },
      '/page': { get: { operationId: 'page' } },
      '/broken': { get: { operationId: 'broken' } },
      '/hidden': { get: {} },
    },
    components: { schemas: { Item: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } } },
  };
  let shop: Recorder;
  beforeAll(async () => {
    shop = await aRecorder(({ path, body }) => {
      if (path === '/openapi.json') return { body: document };
      if (path === '/page')
        return { body: '<b>hi</b>', headers: { 'content-type': 'text/html', 'content-disposition': 'inline' } };
      if (path === '/broken') return { status: 500, body: { detail: 'oh' } };
      return body === '' ? { status: 404, body: {} } : { body: { path, body: JSON.parse(body) } };
    });
  });
  afterAll(() => shop.stop());

  const connected = async (access_grants: unknown[] = EVERYONE, more: Record<string, unknown> = {}) => {
    const id = newServerId();
    await connect({ url: shop.url, info: { id }, config: { access_grants }, ...more });
    return id;
  };

  test('gives its operations as tools: path, query and body side by side', async () => {
    const id = await connected(EVERYONE, { auth_type: 'bearer', key: 'shop-key' });
    const person = await aUser();
    expect(textOf(await ask(person, 'list', { tool_ids: [`server:${id}`] }))).toBe('change_item page broken');
    const calls = [
      { name: 'change_item', args: { id: 'a/b', dry: true, name: 'x' } },
      { name: 'change_item', args: { id: '..', name: 'x' } },
      { name: 'page' },
      { name: 'broken' },
    ];
    const text = textOf(await ask(person, { calls }, { tool_ids: [`server:openapi:${id}`] }));
    expect(text).toContain('"path": "/items/a%2Fb?dry=true"');
    expect(text).toContain('"name": "x"');
    expect(text).toMatch(/cannot be "\.\."/);
    expect(text).toMatch(/shown to the user.*The tool answered 500/s);
    expect(shop.seen.at(-1)?.headers.authorization).toBe('Bearer shop-key');
  });

  verifies(
    ['tools/access-checked', 'tools/no-credentials-forwarded', 'tools/identity-headers-only'],
    'is not even contacted for whoever has no grant, and never sees a credential of the user',
    async () => {
      const [friend, other] = await Promise.all([aUser(), aUser()]);
      const id = await connected([{ principal_type: 'user', principal_id: friend.userId, permission: 'read' }]);
      const before = shop.seen.length;
      expect((await ask(other, 'list', { tool_ids: [`server:${id}`] })).status).toBe(404);
      expect(shop.seen.length).toBe(before);
      expect((await ask(friend, { calls: [{ name: 'page' }] }, { tool_ids: [`server:${id}`] })).status).toBe(200);
      const seen = JSON.stringify(shop.seen.slice(before));
      expect(seen).toContain('/page');
      expect(seen).not.toContain(friend.token);
      expect(seen).not.toMatch(/authorization|cookie|x-svc-/i);
    },
  );

  test('is verified, listed without its key and removed by operators', async () => {
    const id = await connected(EVERYONE, { auth_type: 'bearer', key: 'secret-key' });
    const { token } = await anOperator();
    const { body: list } = await call('GET /api/v1/configs/tool_servers', undefined, { token });
    expect(list.TOOL_SERVER_CONNECTIONS).toContainEqual(expect.objectContaining({ key: '', has_key: true }));
    expect(JSON.stringify(list)).not.toContain('secret-key');
    const verified = await call('POST /api/v1/configs/tool_servers/verify', { url: shop.url, info: { id } }, { token });
    expect(verified.body.info.title).toBe('Shop');
    const wrong = { url: `${shop.url}/elsewhere`, path: 'nothing', info: { id: 'x' } };
    expect((await call('POST /api/v1/configs/tool_servers/verify', wrong, { token })).status).toBe(400);
    const person = await aUser();
    const { body: tools } = await call('GET /api/v1/tools', undefined, { token: person.token });
    expect(tools.map((tool: { id: string }) => tool.id)).toContain(`server:${id}`);
    expect((await call(`DELETE /api/v1/configs/tool_servers/${id}`, undefined, { token })).body).toBe(true);
    expect((await ask(person, 'list', { tool_ids: [`server:${id}`] })).status).toBe(404);
  });
});

describe('an MCP server', () => {
  let everything: Awaited<ReturnType<typeof startEverything>>;
  let proxy: Recorder;
  beforeAll(async () => {
    everything = await startEverything();
    proxy = await aProxyTo(everything.port);
  }, 40_000);
  afterAll(async () => {
    await proxy.stop();
    await everything.stop();
  });

  verifies(
    ['tools/mcp-ids', 'tools/mcp-header-templates'],
    'lends its tools, and its headers say who asks where',
    async () => {
      const person = await aUser();
      const id = newServerId();
      const headers = {
        'X-Who': '{{USER_ID}}/{{USER_NAME}}/{{USER_EMAIL}}/{{USER_ROLE}}',
        'X-Where': '{{CHAT_ID}}/{{MESSAGE_ID}}',
      };
      await connect({
        url: `${proxy.url}/mcp`,
        type: 'mcp',
        info: { id },
        headers,
        config: { access_grants: EVERYONE },
      });
      const reply = await aPendingReply(person);
      const calls = [
        { name: `${id}_echo`, args: { message: 'over MCP' } },
        { name: `${id}_get-sum`, args: { a: 20, b: 22 } },
      ];
      const answer = await ask(
        person,
        { calls },
        { tool_ids: [`server:mcp:${id}`], chat_id: reply.chatId, id: reply.messageId },
      );
      expect(textOf(answer)).toMatch(/Echo: over MCP \| .*42/);
      const sent = proxy.seen.find(({ headers: seen }) => seen['x-who'] !== undefined)?.headers;
      expect(sent?.['x-who']).toBe(`${person.userId}/${person.name}/${person.email}/ROLE_USER`);
      expect(sent?.['x-where']).toBe(`${reply.chatId}/${reply.messageId}`);
      expect((await storedReply(reply, person)).sources).toHaveLength(2);
    },
    30_000,
  );

  test('is contacted again only when the model calls it, and told when that is over', async () => {
    const person = await aUser();
    const id = newServerId();
    await connect({ url: `${proxy.url}/mcp`, type: 'mcp', info: { id }, config: { access_grants: EVERYONE } });
    const tool_ids = [`server:mcp:${id}`];
    expect(textOf(await ask(person, 'list', { tool_ids }))).toContain(`${id}_echo`);
    await eventually(async () => proxy.seen.at(-1)?.method).toBe('DELETE');
    const before = proxy.seen.length;
    expect(textOf(await ask(person, 'list', { tool_ids }))).toContain(`${id}_echo`);
    expect(proxy.seen.length).toBe(before);
    const calls = [{ name: `${id}_echo`, args: { message: 'late' } }];
    expect(textOf(await ask(person, { calls }, { tool_ids }))).toBe('Echo: late');
    expect(proxy.seen.length).toBeGreaterThan(before);
  });

  test('without a grant is not contacted; under the wrong kind it is not there', async () => {
    const id = newServerId();
    await connect({ url: `${proxy.url}/mcp`, type: 'mcp', info: { id }, config: { access_grants: [] } });
    const before = proxy.seen.length;
    const person = await aUser();
    expect((await ask(person, 'list', { tool_ids: [`server:mcp:${id}`] })).status).toBe(404);
    expect((await ask(person, 'list', { tool_ids: [`server:${id}`] })).status).toBe(404);
    expect(proxy.seen.length).toBe(before);
  });

  verifies('tools/mcp-no-secret-placeholder', 'has no placeholder for a key or token', async () => {
    const { token } = await anOperator();
    for (const name of ['USER_TOKEN', 'API_KEY', 'SESSION_ID', 'USER_ID }}{{X']) {
      const input = { url: `${proxy.url}/mcp`, type: 'mcp', info: { id: 'x' }, headers: { 'X-A': `{{${name}}}` } };
      expect((await call('PUT /api/v1/configs/tool_servers/x', input, { token })).status).toBe(422);
    }
  });

  test('that cannot be reached fails the request that wanted it, by name', async () => {
    const id = newServerId();
    await connect({
      url: 'http://127.0.0.1:9/mcp',
      type: 'mcp',
      info: { id, name: 'Nowhere' },
      config: { access_grants: EVERYONE },
    });
    const answer = await ask(await aUser(), 'list', { tool_ids: [`server:mcp:${id}`] });
    expect(answer).toMatchObject({ status: 502, body: { detail: expect.stringContaining('Nowhere') } });
  });

  test('is verified by its list of tools', async () => {
    const { token } = await anOperator();
    const input = { url: `${proxy.url}/mcp`, type: 'mcp', info: { id: 'v' } };
    const { body } = await call('POST /api/v1/configs/tool_servers/verify', input, { token });
    expect(body.status).toBe(true);
    expect(body.specs.map(({ name }: { name: string }) => name)).toContain('v_echo');
  });
});
