import http from 'node:http';
import { randomUUID } from 'node:crypto';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { EVERYONE, upload } from '../plugins/support/plugin.ts';
import { aPendingReply, storedReply } from '../realtime/support/chat.ts';
import { eventually } from '../realtime/support/eventually.ts';
import { closeTabs, openTab } from '../realtime/support/tab.ts';
import { call } from '../support/call.ts';
import { aUser } from '../support/people.ts';
import { useScriptedModels, type Turn } from './scripted.ts';
import { connect, started, stopped } from './support.ts';

const PIXEL = 'iVBORw0KGgo=';

const CONTENTS: Readonly<Record<string, CallToolResult['content']>> = {
  picture: [{ type: 'image', data: PIXEL, mimeType: 'image/png' }],
  sound: [
    { type: 'text', text: 'Listen:' },
    { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' },
  ],
  places: [
    { type: 'resource', resource: { uri: 'file:///notes/plan.txt', text: 'The plan', mimeType: 'text/plain' } },
    { type: 'resource', resource: { uri: 'file:///notes/plan.pdf', blob: 'JVBERg==', mimeType: 'application/pdf' } },
    { type: 'resource_link', uri: 'https://a.test/page', name: 'A page', description: 'about it' },
  ],
  huge: [{ type: 'image', data: 'A'.repeat(3 * 1024 * 1024), mimeType: 'image/png' }],
};

/** An MCP server that gives back everything but plain text. */
const server = http.createServer((request, response) => {
  void (async () => {
    const mcp = new McpServer({ name: 'media', version: '1' });
    for (const [name, content] of Object.entries(CONTENTS))
      mcp.registerTool(name, { description: name }, async () => ({ content: [...content] }));
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    response.once('close', () => void mcp.close());
    await mcp.connect(transport);
    await transport.handleRequest(request, response);
  })();
});

const models = useScriptedModels();
const id = `s${randomUUID().slice(0, 8)}`;
let plugin = '';
beforeAll(async () => {
  await connect({ url: await started(server), type: 'mcp', info: { id }, config: { access_grants: EVERYONE } });
  const source = `export const plugin = definePlugin({ tools: { draw: { description: 'draws', run: () => 'data:image/png;base64,${PIXEL}' } } });`;
  plugin = (await upload(source, { registry: 'tools', access_grants: EVERYONE })).id;
});
afterEach(closeTabs);
afterAll(() => stopped(server));

const calling = (...names: string[]): Turn => ({ calls: names.map((name) => ({ name, arguments: '{}' })) });
const ofServer = (name: string) => `${id}_${name}`;

async function ask(turns: readonly Turn[], more: Record<string, unknown> = {}) {
  const person = await aUser();
  const reply = await aPendingReply(person);
  const question = models.question([...turns, { text: 'Seen.' }]);
  const body = {
    model: models.chat(),
    messages: [{ role: 'user', content: question }],
    tool_ids: [`server:mcp:${id}`, plugin],
    ...more,
  };
  const at = { chat_id: reply.chatId, id: reply.messageId };
  return {
    ask: (alone = false) =>
      call('POST /api/chat/completions', alone ? body : { ...body, ...at }, { token: person.token }),
    asked: () => models.asked(question),
    stored: () => storedReply(reply, person),
    person,
  };
}

describe('what tools bring besides text', () => {
  test('pictures become files of the message, round after round, and the model sees them', async () => {
    const { ask: complete, asked, stored, person } = await ask([calling(ofServer('picture')), calling('draw')]);
    const tab = await openTab({ token: person.token });
    await complete();
    const image = { type: 'image', url: `data:image/png;base64,${PIXEL}`, content_type: 'image/png' };
    expect((await stored()).files).toEqual([image, image]);
    await eventually(() => tab.events.filter(({ data }) => data.type === 'files').map(({ data }) => data.data)).toEqual(
      [{ files: [image] }, { files: [image, image] }],
    );
    expect(asked()[1]!['messages'].slice(-2)).toMatchObject([
      { role: 'tool', content: '[Picture: shown to the user]' },
      { role: 'user', content: [{ type: 'image_url', image_url: { url: image.url } }] },
    ]);
  });

  test('recordings and documents are kept as files, and the model is told of them', async () => {
    const { ask: complete, asked, stored } = await ask([calling(ofServer('sound'), ofServer('places'))]);
    await complete();
    const { files, sources } = await stored();
    expect(files).toEqual([
      { type: 'audio', url: 'data:audio/wav;base64,UklGRg==', content_type: 'audio/wav' },
      { type: 'file', name: 'plan.pdf', url: 'data:application/pdf;base64,JVBERg==', content_type: 'application/pdf' },
    ]);
    expect(asked()[1]!['messages'].slice(-2)).toMatchObject([
      { content: 'Listen:\n[Recording: shown to the user]' },
      { content: 'The plan\n[A page](https://a.test/page): about it\n[plan.pdf: shown to the user]' },
    ]);
    expect(sources.slice(2)).toMatchObject([
      { source: { name: 'plan.txt', url: 'file:///notes/plan.txt' }, document: ['The plan'] },
      { source: { name: 'A page', url: 'https://a.test/page' }, metadata: [{ source: 'https://a.test/page' }] },
    ]);
  });

  test('a file that is too large is left out, and the model is told so', async () => {
    const { ask: complete, asked, stored } = await ask([calling(ofServer('huge'), 'draw')]);
    await complete();
    expect((await stored()).files).toHaveLength(1);
    expect(asked()[1]!['messages'].at(-3).content).toContain('1 of 1 files were too large to be shown');
    expect(asked()[1]!['messages'].at(-1).content).toHaveLength(1);
  });

  test('a model that cannot see is only told of pictures', async () => {
    const { person, ask: complete, asked } = await ask([calling('draw')], { model: `blind${id}` });
    const created = { id: `blind${id}`, base_model_id: models.chat(), name: 'B', params: {} };
    const meta = { capabilities: { vision: false } };
    await call('POST /api/v1/models/create', { ...created, meta }, { token: person.token });
    expect((await complete()).status).toBe(200);
    expect(asked()[1]!['messages'].at(-1)).toMatchObject({ role: 'tool', content: '[Picture: shown to the user]' });
  });

  test('a caller without a chat finds files and sources beside the answer', async () => {
    const { ask: complete } = await ask([calling(ofServer('picture'), ofServer('places'))]);
    const { body } = await complete(true);
    expect(body.files).toHaveLength(2);
    expect(body.sources).toHaveLength(4);
  });
});
