import { afterEach, describe, expect, test } from 'vitest';
import { selectFilters } from '../../shared/plugins/selection.ts';
import type { PluginRow } from '../../shared/plugins/plugin.ts';
import { call } from '../support/call.ts';
import { aUser } from '../support/people.ts';
import { verifies } from '../support/verifies.ts';
import { example, remove, upload, type UploadOptions, type Uploaded } from './support/plugin.ts';

const uploaded: Uploaded[] = [];
afterEach(async () => void (await Promise.all(uploaded.splice(0).map(remove))));

async function filter(source: string, options: UploadOptions = {}) {
  const one = await upload(source, options);
  uploaded.push(one);
  return one.id;
}

const ask = async (body: Record<string, unknown>, token?: string) =>
  call(
    'POST /api/chat/completions',
    { model: 'demo', messages: [{ role: 'user', content: 'hello' }], ...body },
    { token: token ?? (await aUser()).token },
  );
const textOf = ({ body }: Awaited<ReturnType<typeof call>>) => body.choices[0].message.content as string;
const inletTo = (text: string) =>
  `export const plugin = definePlugin({ inlet: (body) => ({ ...body, messages: [{ role: 'user', content: '${text}' }] }) });`;

describe('an inlet filter', () => {
  verifies(
    ['filters/inlet', 'filters/filter-ids'],
    'changes the request of whoever names it in filter_ids',
    async () => {
      const id = await filter(inletTo('changed'));
      expect(textOf(await ask({ filter_ids: [id] }))).toContain('You said: "changed"');
      expect(textOf(await ask({}))).toContain('You said: "hello"');
    },
  );

  test('refuses a request with its own words', async () => {
    const id = await filter(`export const plugin = definePlugin({ inlet() { throw new Error('Not on Sundays'); } });`);
    expect(await ask({ filter_ids: [id] })).toMatchObject({ status: 400, body: { detail: 'Not on Sundays' } });
  });

  test('that is unknown or switched off is a clear error, not an answer without it', async () => {
    const id = await filter(inletTo('x'));
    const [one] = uploaded;
    await call(`POST /api/v1/functions/id/${id}/toggle`, undefined, { token: one?.operator });
    expect(await ask({ filter_ids: [id] })).toMatchObject({
      status: 404,
      body: { detail: `There is no filter "${id}"` },
    });
    expect((await ask({ filter_ids: ['nobody'] })).status).toBe(404);
  });

  test('sees who asks for what, its valves, and cannot break the request', async () => {
    const source = `export const plugin = definePlugin({ valves: { word: 'a' }, inlet: (body, { user, valves, model, metadata }) =>
      ({ ...body, messages: [{ role: 'user', content: [user.email, valves.word, model.id, metadata.variables.x].join(' ') }] }) });`;
    const id = await filter(source, { valves: { word: 'b' } });
    const person = await aUser();
    const answer = await ask({ filter_ids: [id], variables: { x: 'y' } }, person.token);
    expect(textOf(answer)).toContain(`"${person.email} b demo y"`);
    const broken = await filter('export const plugin = definePlugin({ inlet: () => ({ model: 4 }) });');
    expect((await ask({ filter_ids: [broken] })).status).toBe(422);
  });
});

test('a valve called priority decides the order, as set by operators', async () => {
  const appending = (letter: string, priority: number) =>
    filter(`export const plugin = definePlugin({ priority: 50, valves: { priority: ${priority} }, inlet(body) {
      body.messages.at(-1).content += '${letter}'; return body; } });`);
  const [first, second] = [await appending('a', 1), await appending('b', 2)];
  const filter_ids = [second, first];
  expect(textOf(await ask({ filter_ids }))).toContain('"helloab"');
  const [one] = uploaded;
  await call(`POST /api/v1/functions/id/${first}/valves/update`, { priority: 3 }, { token: one?.operator });
  expect(textOf(await ask({ filter_ids }))).toContain('"helloba"');
});

test('files are for a filter that handles them, and refused when there is none', async () => {
  const source = (flag: string) => `export const plugin = definePlugin({ ${flag} inlet: (body, { metadata }) =>
    ({ ...body, messages: [{ role: 'user', content: 'files: ' + metadata.files.map(({ name }) => name).join() }] }) });`;
  const files = [{ type: 'file', id: 'f1', name: 'plan.txt' }];
  const handling = await filter(source('file_handler: true,'));
  expect(textOf(await ask({ files, filter_ids: [handling] }))).toContain('"files: plan.txt"');
  const other = await filter(source(''));
  expect(await ask({ files, filter_ids: [other] })).toMatchObject({ status: 501, body: { error: { param: 'files' } } });
  expect(await ask({ files })).toMatchObject({ status: 501 });
  expect((await ask({ files: [] })).status).toBe(200);
});

verifies('filters/stream', 'a stream filter changes the chunks of a streamed reply and may drop some', async () => {
  const id = await filter(`export const plugin = definePlugin({ stream(chunk) {
    const delta = chunk.choices?.[0]?.delta;
    if (delta?.content?.includes('demo')) return null;
    if (delta?.content) delta.content = delta.content.toUpperCase();
    return chunk;
  } });`);
  const { body } = await ask({ stream: true, filter_ids: [id] });
  expect(body).toContain('"SAID: ');
  expect(body).not.toContain('demo model');
  expect(body.trimEnd().endsWith('data: [DONE]')).toBe(true);
});

test('a stream filter that fails ends the answer of a caller alone with its words', async () => {
  const id = await filter(`export const plugin = definePlugin({ stream() { throw new Error('Enough'); } });`);
  const { status, body } = await ask({ stream: true, filter_ids: [id] });
  expect(status).toBe(200);
  expect(body).toContain('Enough');
});

verifies('filters/messages-format', 'a messages-format request passes the same inlet and stream filters', async () => {
  const marker = `only-${Math.random().toString(36).slice(2)}`;
  await filter(
    `export const plugin = definePlugin({
      inlet: (body) => (JSON.stringify(body).includes('${marker}') ? { ...body, messages: [{ role: 'user', content: 'inlet ${marker}' }] } : body),
      stream: (chunk) => JSON.parse(JSON.stringify(chunk).replaceAll('${marker}', 'filtered')),
    });`,
    { isGlobal: true },
  );
  const request = { model: 'demo', max_tokens: 50, stream: true, messages: [{ role: 'user', content: marker }] };
  const { token } = await aUser();
  const { body } = await call('POST /api/v1/messages', request, { token });
  expect(body).toContain('inlet');
  expect(body).toContain('filtered');
  expect(body).not.toContain(marker);
});

describe('an outlet filter', () => {
  verifies(
    ['filters/outlet', 'completed/runs-outlet', 'completed/body'],
    'changes the finished conversation that is sent to it',
    async () => {
      const id = await filter(example('polite-filter'), { valves: { signature: 'Bye' } });
      const messages = [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: 'hello' },
      ];
      const { token } = await aUser();
      const { status, body } = await call(
        'POST /api/chat/completed',
        { model: 'demo', messages, filter_ids: [id] },
        { token },
      );
      expect(status).toBe(200);
      expect(body.messages.at(-1).content).toBe('hello\n\nBye');
    },
  );

  test('that fails refuses with its words', async () => {
    const id = await filter(`export const plugin = definePlugin({ outlet() { throw new Error('No'); } });`);
    const { token } = await aUser();
    const body = { model: 'demo', messages: [], filter_ids: [id] };
    expect(await call('POST /api/chat/completed', body, { token })).toMatchObject({
      status: 400,
      body: { detail: 'No' },
    });
  });
});

test('filters are selected by model, by request and globally, toggles only by request, and run by priority', () => {
  const row = (id: string, more: object = {}, definition: object = {}) =>
    ({
      id,
      kind: 'filter',
      is_active: true,
      is_global: false,
      definition: { priority: 0, toggle: false, ...definition },
      ...more,
    }) as PluginRow;
  const rows = [
    row('late', { is_global: true }, { priority: 5 }),
    row('b', { is_global: true }),
    row('a', { is_global: true }),
    row('model'),
    row('asked'),
    row('toggle', { is_global: true }, { toggle: true }),
    row('wanted', { is_global: true }, { toggle: true, priority: -1 }),
    row('off', { is_global: true, is_active: false }),
    row('elsewhere'),
  ];
  const chosen = selectFilters(rows, { ofModel: new Set(['model', 'off']), asked: new Set(['asked', 'wanted']) });
  expect(chosen.map(({ id }) => id)).toEqual(['wanted', 'a', 'asked', 'b', 'model', 'late']);
});
