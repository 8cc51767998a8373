import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { findSource, sweepSources } from '../../shared/plugins/source-store.ts';
import { createSources } from '../../shared/plugins/sources.ts';
import { readPlugin } from '../../shared/plugins/store.ts';
import type { Millis } from '../../shared/time.ts';
import { call } from '../support/call.ts';
import { anOperator, aUser } from '../support/people.ts';
import { aRecorder, type Recorder } from '../tools/support.ts';
import { example, remove, upload } from './support/plugin.ts';

const newId = () => `p_${randomUUID().replaceAll('-', '').slice(0, 12)}`;
const BASE = '/api/v1/functions';
const filter = (text: string) =>
  `export const plugin = definePlugin({ name: '${text}', valves: { tone: 'dry' }, inlet: (body) => body });`;

let token = '';
beforeAll(async () => void ({ token } = await anOperator()));
const exported = async () => (await call(`GET ${BASE}/export?include_valves=true`, undefined, { token })).body;
const sync = (functions: unknown) => call(`POST ${BASE}/sync`, { functions }, { token });
const idsOf = (list: readonly { id: string }[]) => list.map(({ id }) => id).toSorted();

describe('sync', () => {
  const [kept, changed, gone, added] = [newId(), newId(), newId(), newId()];
  beforeAll(async () => {
    for (const id of [kept, changed, gone]) await call(`POST ${BASE}/create`, { id, content: filter(id) }, { token });
    await call(`POST ${BASE}/id/${kept}/valves/update`, { tone: 'a secret tone' }, { token });
  });
  afterAll(async () => void (await sync([])));

  test('of what was exported changes nothing', async () => {
    const before = await exported();
    const answer = await sync(before);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(before);
    expect(await exported()).toEqual(before);
  });

  test('changes nothing at all when one of them is refused', async () => {
    const before = await exported();
    const answer = await sync([
      { id: added, content: filter('new') },
      { id: kept, content: 'export const plugin = {' },
    ]);
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'functions', 1, 'content'] }] } });
    const twice = await sync([
      { id: added, content: filter('new') },
      { id: added, content: filter('new') },
    ]);
    expect(twice).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'functions', 1, 'id'] }] } });
    expect(await exported()).toEqual(before);
  });

  test('adds, changes and deletes, keeps valves that are not named, and is the same the second time', async () => {
    const others = (await exported()).filter(({ id }: { id: string }) => ![kept, changed, gone].includes(id));
    const wanted = [
      ...others,
      { id: kept, content: filter(kept) },
      { id: changed, content: filter('another'), name: 'Other', is_active: true, valves: { tone: 'warm' } },
      { id: added, content: filter('new') },
    ];
    const { status, body } = await sync(wanted);
    expect(status).toBe(200);
    expect(idsOf(body)).toEqual(idsOf(wanted));
    const [first, second, third] = [kept, changed, added].map((id) =>
      body.find((one: { id: string }) => one.id === id),
    );
    expect(first).toMatchObject({ revision: 2, valves: { tone: 'a secret tone' } });
    expect(second).toMatchObject({ revision: 2, name: 'Other', is_active: true, valves: { tone: 'warm' } });
    expect(third).toMatchObject({ revision: 1, is_active: false, valves: {} });
    expect((await sync(wanted)).body).toEqual(body);
  });

  test('never touches tools', async () => {
    const tool = await upload(example('order-tool'), { registry: 'tools' });
    expect(await sync([{ id: tool.id, content: filter('x') }])).toMatchObject({ status: 409 });
    await sync([]);
    expect((await call(`GET /api/v1/tools/id/${tool.id}`, undefined, { token })).status).toBe(200);
    await remove(tool);
  });

  test('of two at once ends in one of the two wishes', async () => {
    const wishes = ['left', 'right'].map((text) => [
      { id: kept, content: filter(text) },
      { id: changed, content: filter(text) },
    ]);
    const answers = await Promise.all(wishes.map(sync));
    expect(answers.map(({ status }) => status)).toContain(200);
    const [one, two] = (await exported()).filter(({ id }: { id: string }) => [kept, changed].includes(id));
    expect(one.content).toBe(two.content);
  });
});

describe('what is set', () => {
  test('is exported only when that is asked for, and only to operators', async () => {
    const { id } = await upload(filter('valves'), { valves: { tone: 'secret' } });
    const plain = await call(`GET ${BASE}/export`, undefined, { token });
    expect(plain.body.find((one: { id: string }) => one.id === id)).not.toHaveProperty('valves');
    expect((await exported()).find((one: { id: string }) => one.id === id)).toMatchObject({
      valves: { tone: 'secret' },
    });
    const user = await aUser();
    expect((await call(`GET ${BASE}/export?include_valves=true`, undefined, { token: user.token })).status).toBe(403);
  });

  test('by users is not asked for while a function is switched off', async () => {
    const source = `export const plugin = definePlugin({ userValves: { tone: 'dry' }, inlet: (body) => body });`;
    const { id } = await upload(source);
    const user = await aUser();
    const as = { token: user.token };
    const at = `${BASE}/id/${id}/valves/user`;
    expect((await call(`POST ${at}/update`, { tone: 'warm' }, as)).body).toEqual({ tone: 'warm' });
    await call(`POST ${BASE}/id/${id}/toggle`, undefined, { token });
    expect((await call(`GET ${at}/spec`, undefined, as)).body).toBeNull();
    expect((await call(`POST ${at}/update`, { tone: 'x' }, as)).status).toBe(400);
    expect((await call(`GET ${at}`, undefined, as)).body).toEqual({ tone: 'warm' });
  });
});

describe('load/url', () => {
  let server: Recorder | undefined;
  afterEach(() => server?.stop());
  const load = (url: string) => call(`POST ${BASE}/load/url`, { url }, { token });

  test('answers with the source and the name of a file', async () => {
    server = await aRecorder(({ path }) =>
      path === '/a/polite.js'
        ? { body: filter('x') }
        : { status: 302, headers: { location: '/a/polite.js' }, body: '' },
    );
    expect((await load(`${server.url}/a/polite.js`)).body).toEqual({ name: 'polite', content: filter('x') });
    expect((await load(`${server.url}/shout/main.js`)).body).toEqual({ name: 'shout', content: filter('x') });
  });

  test.each([
    ['nothing', '/empty', 400],
    ['a page that is not there', '/missing', 400],
    ['more than a megabyte', '/large', 502],
  ])('refuses %s', async (_name, path, status) => {
    server = await aRecorder(({ path: asked }) => {
      if (asked === '/missing') return { status: 404, body: '' };
      return { body: asked === '/large' ? 'x'.repeat(1024 * 1024 + 1) : '' };
    });
    expect((await load(`${server.url}${path}`)).status).toBe(status);
  });

  test('reaches no inside address', async () => {
    expect(await load('http://169.254.169.254/latest/meta-data')).toMatchObject({
      status: 400,
      body: { error: { code: 'address_refused' } },
    });
    expect((await load('file:///etc/passwd')).status).toBe(422);
  });
});

describe('sources that a plugin no longer has', () => {
  const later = () => (Date.now() + 21 * 60_000) as Millis;
  const version = (n: number, size = 0) => `${filter(`v${n}`)} // ${'x'.repeat(size)}`;

  test('stay for those who still run them, and go a while later', async () => {
    const plugin = await upload(version(1, 400_000));
    const first = await readPlugin(plugin.id);
    await call(`POST ${BASE}/id/${plugin.id}/update`, { content: version(2) }, { token });
    const second = await readPlugin(plugin.id);
    if (!first || !second) throw new Error('The plugin is gone');
    await sweepSources(Date.now() as Millis, readPlugin);
    expect(await findSource(first)).toBe(version(1, 400_000));
    await sweepSources(later(), readPlugin);
    expect(await findSource(first)).toBeUndefined();
    expect(await findSource(second)).toBe(version(2));
    expect(await createSources()(first), 'whoever runs on goes on with the new one').toBe(version(2));
    await remove(plugin);
    expect(await findSource(second)).toBe(version(2));
    await sweepSources(later(), readPlugin);
    expect(await findSource(second)).toBeUndefined();
  });

  test('come back with whoever goes back to them', async () => {
    const plugin = await upload(version(1));
    for (const n of [2, 1]) await call(`POST ${BASE}/id/${plugin.id}/update`, { content: version(n) }, { token });
    await sweepSources(later(), readPlugin);
    expect((await call(`GET ${BASE}/id/${plugin.id}`, undefined, { token })).body.content).toBe(version(1));
    await remove(plugin);
  });
});
