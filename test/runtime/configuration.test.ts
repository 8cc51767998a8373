import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { newConnection } from '../../shared/connections/draft.ts';
import { changeList, readListRevision } from '../../shared/connections/list-change.ts';
import { openTable } from '../../shared/store/table.ts';
import { systemClock } from '../../shared/time.ts';
import { call } from '../support/call.ts';
import { host } from '../support/host.ts';
import { startModelServer, type ModelServer, type ModelServerOptions } from '../support/model-server.ts';
import { anOperator, anOrg, aUser } from '../support/people.ts';
import { spawnHost } from '../support/spawn-host.ts';

const MASK = '********';
const DEAD = 'http://127.0.0.1:9';

const servers: ModelServer[] = [];
async function aRuntime(options?: ModelServerOptions) {
  const server = await startModelServer(options);
  servers.push(server);
  return server;
}

const configure = (body: object, by: { token: string; url?: string }) => call('POST /upstream/config/update', body, by);
const listOf = async (by: { token: string; url?: string }) => (await call('GET /upstream/config', undefined, by)).body;
const saved = async (by: { token: string; url?: string }): Promise<Record<string, unknown>[]> =>
  (await call('GET /api/v1/connections', undefined, by)).body.filter(
    ({ kind }: { kind: string }) => kind === 'runtime',
  );

/** The host has no other runtimes while this file runs. */
const clear = async () => configure({ UPSTREAM_BASE_URLS: [] }, await anOperator());
beforeEach(clear);
afterAll(async () => {
  await clear();
  for (const server of servers) await server.stop();
});

describe('the list of runtimes', () => {
  test('is put in place, shown with masked keys, and is the same that the connections show', async () => {
    const operator = await anOperator();
    const [one, two] = [await aRuntime({ models: ['a'] }), await aRuntime({ models: ['b', 'c'], key: 'sesame' })];
    const answer = await configure(
      {
        ENABLE_UPSTREAM_API: true,
        UPSTREAM_BASE_URLS: [`${one.url}/`, two.url],
        UPSTREAM_API_CONFIGS: {
          '0': { prefix_id: 'first', tags: ['fast'], connection_type: 'local' },
          '1': { key: 'sesame', model_ids: ['b'], prefix_id: 'second' },
          '2': { prefix_id: 'nowhere' },
        },
      },
      operator,
    );
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      ENABLE_UPSTREAM_API: true,
      UPSTREAM_BASE_URLS: [one.url, two.url],
      UPSTREAM_API_CONFIGS: {
        '0': { enable: true, key: '', tags: ['fast'], prefix_id: 'first', connection_type: 'local', auth_type: 'none' },
        '1': { enable: true, key: MASK, model_ids: ['b'], prefix_id: 'second', auth_type: 'bearer' },
      },
    });
    expect(Object.keys(answer.body.UPSTREAM_API_CONFIGS)).toEqual(['0', '1']);
    expect(await listOf(operator)).toEqual(answer.body);
    expect(await saved(operator)).toMatchObject([
      { url: one.url, prefix_id: 'first', has_key: false, access: 'everyone' },
      { url: two.url, prefix_id: 'second', has_key: true },
    ]);
    const { models } = (await call('GET /upstream/api/tags', undefined, await aUser())).body;
    expect(models.map(({ model }: { model: string }) => model).toSorted()).toEqual(['first.a', 'second.b']);
    expect(await rowsOf(operator)).not.toContain('sesame');
  });

  test('keeps what it does not mention of a runtime that stays, wherever it moves', async () => {
    const operator = await anOperator();
    const runtime = await aRuntime({ key: 'sesame', models: ['m'] });
    const access_grants = [{ principal_type: 'user', principal_id: 'somebody', permission: 'read' }];
    const form = { kind: 'runtime', url: runtime.url, key: 'sesame', access: 'restricted', access_grants, tags: ['x'] };
    const { id } = (await call('POST /api/v1/connections', form, operator)).body;
    const moved = await configure(
      { UPSTREAM_BASE_URLS: [DEAD, runtime.url], UPSTREAM_API_CONFIGS: { '1': { prefix_id: 'p', key: MASK } } },
      operator,
    );
    expect(moved.body).toMatchObject({ UPSTREAM_BASE_URLS: [DEAD, runtime.url] });
    const [other, kept] = await saved(operator);
    expect(kept).toMatchObject({ id, tags: ['x'], prefix_id: 'p', access: 'restricted', access_grants, has_key: true });
    expect(other).toMatchObject({ url: DEAD, revision: 1 });
    expect((await call(`POST /api/v1/connections/${id}/verify`, undefined, operator)).body.models).toEqual(['m']);
    await configure({ UPSTREAM_BASE_URLS: [runtime.url] }, operator);
    expect(await saved(operator)).toMatchObject([{ id, prefix_id: 'p', has_key: true }]);
  });

  test('that is sent as it was shown changes no row', async () => {
    const operator = await anOperator();
    await configure(
      {
        UPSTREAM_BASE_URLS: [DEAD, DEAD],
        UPSTREAM_API_CONFIGS: { '0': { prefix_id: 'a', key: 'k' }, '1': { enable: false } },
      },
      operator,
    );
    const before = await saved(operator);
    expect(before).toHaveLength(2);
    expect((await configure(await listOf(operator), operator)).status).toBe(200);
    expect(await saved(operator)).toEqual(before);
  });

  test('replaces and removes keys, and takes no mask for a key', async () => {
    const operator = await anOperator();
    const runtime = await aRuntime({ key: 'second' });
    const send = (key: unknown, url = runtime.url) =>
      configure({ UPSTREAM_BASE_URLS: [url], UPSTREAM_API_CONFIGS: { '0': { key } } }, operator);
    const verify = async () => {
      const [{ id } = { id: '' }] = await saved(operator);
      return (await call(`POST /api/v1/connections/${String(id)}/verify`, undefined, operator)).status;
    };
    expect((await send(MASK)).status).toBe(422);
    expect(await saved(operator)).toEqual([]);
    await send('first');
    expect(await verify()).toBe(502);
    await send('second');
    expect(await verify()).toBe(200);
    await send(MASK);
    expect(await verify()).toBe(200);
    // The key of one address is not the key of another.
    expect((await send(MASK, DEAD)).body.detail[0]).toMatchObject({
      loc: ['body', 'UPSTREAM_API_CONFIGS', '0', 'key'],
      msg: expect.stringContaining('send the key itself'),
    });
    expect((await send('')).body.UPSTREAM_API_CONFIGS['0'].key).toBe('');
    expect(await verify()).toBe(502);
  });

  test('leaves compatible APIs alone', async () => {
    const operator = await anOperator();
    const { id } = (await call('POST /api/v1/connections', { kind: 'compat', url: `${DEAD}/v1` }, operator)).body;
    await configure({ UPSTREAM_BASE_URLS: [DEAD] }, operator);
    await clear();
    expect((await call(`GET /api/v1/connections/${id}`, undefined, operator)).body.revision).toBe(1);
    await call(`DELETE /api/v1/connections/${id}`, undefined, operator);
  });

  const urls = (count: number) => Array.from({ length: count }, (_, n) => `${DEAD}/${n}`);

  test('is changed in one piece or not at all', async () => {
    const operator = await anOperator();
    const tooMany = await configure({ UPSTREAM_BASE_URLS: urls(100) }, operator);
    expect(tooMany).toMatchObject({ status: 400, body: { detail: expect.stringContaining('one update takes 99') } });
    expect(await saved(operator)).toEqual([]);
    expect((await configure({ UPSTREAM_BASE_URLS: urls(99) }, operator)).body.UPSTREAM_BASE_URLS).toEqual(urls(99));
    expect((await configure({ UPSTREAM_BASE_URLS: [] }, operator)).status).toBe(400);
    await configure({ UPSTREAM_BASE_URLS: urls(50) }, operator);
    const model_ids = Array.from({ length: 2000 }, (_, n) => `${n}`.padEnd(250, 'x'));
    const large = { UPSTREAM_BASE_URLS: [...urls(50), DEAD], UPSTREAM_API_CONFIGS: { '50': { model_ids } } };
    expect((await configure(large, operator)).status).toBe(413);
    expect(await saved(operator)).toHaveLength(50);
    await configure({ UPSTREAM_BASE_URLS: urls(1) }, operator);
    expect(await saved(operator)).toHaveLength(1);
  });

  test('of several who change it at once is the list that one of them sent', async () => {
    const operator = await anOperator();
    const lists = Array.from({ length: 6 }, (_, n) => [`${DEAD}/${n}`, `${DEAD}/${n}/too`]);
    const answers = await Promise.all(lists.map((UPSTREAM_BASE_URLS) => configure({ UPSTREAM_BASE_URLS }, operator)));
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    for (const { status, body } of answers) if (status !== 200) expect(body.error.code).toBe('stale_version');
    expect(lists).toContainEqual((await listOf(operator)).UPSTREAM_BASE_URLS);
  });

  test('is not changed by somebody who has read it before another change, even of other rows', async () => {
    const operator = await anOperator();
    const add = (url: string, seenRevision: number) => {
      const connection = newConnection({ kind: 'runtime', url }, randomUUID(), systemClock());
      return changeList({ saved: [connection], removed: [], seenRevision });
    };
    const seen = await readListRevision();
    await add(`${DEAD}/mine`, seen);
    await expect(add(`${DEAD}/yours`, seen)).rejects.toMatchObject({ code: 'stale_version' });
    expect(await saved(operator)).toMatchObject([{ url: `${DEAD}/mine` }]);
  });

  const REFUSED: [title: string, body: object, status: number, words: string][] = [
    ['another value of the switch', { ENABLE_UPSTREAM_API: false, UPSTREAM_BASE_URLS: [] }, 409, 'ENABLE_UPSTREAM_API'],
    ['no list', { UPSTREAM_API_CONFIGS: {} }, 422, 'UPSTREAM_BASE_URLS'],
    ['no address', { UPSTREAM_BASE_URLS: ['nonsense'] }, 422, 'UPSTREAM_BASE_URLS'],
    ['a name in an address', { UPSTREAM_BASE_URLS: ['http://me:secret@x.example'] }, 422, 'key'],
    [
      'models elsewhere',
      { UPSTREAM_BASE_URLS: [DEAD], UPSTREAM_API_CONFIGS: { '0': { connection_type: 'external' } } },
      422,
      'local',
    ],
  ];
  test.each(REFUSED)('refuses %s', async (_title, body, status, words) => {
    const operator = await anOperator();
    const answer = await configure(body, operator);
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([status, expect.stringContaining(words)]);
    expect(await saved(operator)).toEqual([]);
  });
});

describe('runtimes of the environment', () => {
  test('can be changed and moved but not removed, and with them alone nothing can be saved', async () => {
    const runtime = await aRuntime();
    const shared = { SVC_URL: host.url, AWS_ENDPOINT_URL_DYNAMODB: host.endpoints.dynamodb };
    const [twin, strict] = await Promise.all([
      spawnHost({ env: { ...shared, UPSTREAM_BASE_URL: runtime.url } }),
      spawnHost({ env: { ...shared, UPSTREAM_BASE_URL: runtime.url, ENABLE_PERSISTENT_CONFIG: 'false' } }),
    ]);
    try {
      const operator = { ...(await anOperator()), url: twin.url };
      const [seeded] = await saved(operator);
      const removed = await configure({ UPSTREAM_BASE_URLS: [DEAD] }, operator);
      expect(removed).toMatchObject({ status: 409, body: { detail: expect.stringContaining('UPSTREAM_BASE_URL') } });
      expect(await saved(operator)).toEqual([seeded]);
      const moved = { UPSTREAM_BASE_URLS: [DEAD, runtime.url], UPSTREAM_API_CONFIGS: { '1': { enable: false } } };
      expect((await configure(moved, operator)).body).toMatchObject(moved);
      expect((await saved(operator))[1]).toMatchObject({ id: seeded?.['id'], source: 'environment', revision: 1 });
      await call(`DELETE /api/v1/connections/${String(seeded?.['id'])}`, undefined, operator);
      expect((await configure({ UPSTREAM_BASE_URLS: [runtime.url] }, operator)).status).toBe(200);
      expect(await saved(operator)).toEqual([seeded]);
      const there = { ...operator, url: strict.url };
      expect(await listOf(there)).toMatchObject({ UPSTREAM_BASE_URLS: [runtime.url] });
      expect(await configure({ UPSTREAM_BASE_URLS: [runtime.url, DEAD] }, there)).toMatchObject({
        status: 409,
        body: { detail: expect.stringContaining('ENABLE_PERSISTENT_CONFIG') },
      });
    } finally {
      await Promise.all([twin.stop(), strict.stop()]);
    }
  }, 40_000);
});

describe('trying a runtime', () => {
  test('answers with its version, with a key when it wants one', async () => {
    const operator = await anOperator();
    const runtime = await aRuntime({ key: 'sesame' });
    const verify = (body: object) => call('POST /upstream/verify', body, operator);
    expect(await verify({ url: `${runtime.url}/`, key: 'sesame' })).toMatchObject({
      status: 200,
      body: { version: '0.12.3' },
    });
    expect(await verify({ url: runtime.url })).toMatchObject({
      status: 502,
      body: { detail: expect.stringContaining('Incorrect API key'), error: { code: 'upstream_failed' } },
    });
    expect((await verify({ url: runtime.url, key: MASK })).status).toBe(422);
    await configure({ UPSTREAM_BASE_URLS: [runtime.url], UPSTREAM_API_CONFIGS: { '0': { key: 'sesame' } } }, operator);
    expect((await verify({ url: runtime.url, key: MASK })).body).toEqual({ version: '0.12.3' });
    expect((await verify({ url: DEAD })).body.error.code).toBe('upstream_failed');
    expect((await verify({ url: `${runtime.url}/nothing`, key: 'sesame' })).status).toBe(502);
    expect((await verify({ url: 'file:///etc/passwd' })).status).toBe(422);
  });
});

test('the configuration is for operators, and is sent as JSON', async () => {
  const { admin } = await anOrg();
  for (const caller of [await aUser(), admin]) {
    expect((await call('GET /upstream/config', undefined, caller)).status).toBe(403);
    expect((await configure({ UPSTREAM_BASE_URLS: [] }, caller)).status).toBe(403);
    expect((await call('POST /upstream/verify', { url: DEAD }, caller)).status).toBe(403);
  }
  const { token } = await anOperator();
  const body = JSON.stringify({ UPSTREAM_BASE_URLS: [] });
  expect((await call('POST /upstream/config/update', body, { token })).status).toBe(415);
});

/** Everything that the table holds about the connections. */
async function rowsOf(operator: { token: string }): Promise<string> {
  const settings = openTable('settings');
  const rows = (await saved(operator)).map(({ id }) => settings.get({ pk: 'CONNECTIONS', sk: `CONN#${String(id)}` }));
  return JSON.stringify(await Promise.all(rows));
}
