import { describe, expect, test } from 'vitest';
import { openTable } from '../../shared/store/table.ts';
import { call } from '../support/call.ts';
import { host } from '../support/host.ts';
import { anOperator, anOrg, aUser } from '../support/people.ts';
import { spawnHost } from '../support/spawn-host.ts';
import { verifies } from '../support/verifies.ts';
import { aConnection, aServer, listedIds } from './a-connection.ts';

describe('managing connections', () => {
  test('a connection is created, shown without its key, changed and deleted', async () => {
    const server = await aServer({ key: 'secret-key', models: ['one', 'two'] });
    const { id, prefix, operator, created } = await aConnection({
      kind: 'compat',
      url: `${server.compatUrl}/`,
      key: 'secret-key',
    });
    expect(created.body).toMatchObject({
      kind: 'compat',
      url: server.compatUrl,
      enabled: true,
      auth_type: 'bearer',
      access: 'everyone',
      has_key: true,
      source: 'saved',
    });
    expect(JSON.stringify(created.body)).not.toContain('secret-key');
    const person = await aUser();
    expect(await listedIds(person)).toEqual(expect.arrayContaining([`${prefix}.one`, `${prefix}.two`]));
    const path = `/api/v1/connections/${id}`;
    const changed = await call(`PATCH ${path}`, { model_ids: ['two', 'three'], tags: ['fast'] }, operator);
    expect(changed.body).toMatchObject({ model_ids: ['two', 'three'], has_key: true, revision: 2 });
    const { data } = (await call('GET /api/models', undefined, person)).body;
    const own = data.filter(({ id: model }: { id: string }) => model.startsWith(prefix));
    expect(own.map((model: { id: string }) => model.id)).toEqual([`${prefix}.three`, `${prefix}.two`]);
    expect(own[0]).toMatchObject({ owned_by: 'compat', connection_type: 'external', tags: [{ name: 'fast' }] });
    await call(`PATCH ${path}`, { enabled: false }, operator);
    expect((await listedIds(person)).filter((model) => model.startsWith(prefix))).toEqual([]);
    expect((await call(`GET ${path}`, undefined, operator)).body).toMatchObject({ id, enabled: false });
    expect((await call(`DELETE ${path}`, undefined, operator)).body).toBe(true);
    expect((await call(`GET ${path}`, undefined, operator)).status).toBe(404);
    expect((await call(`DELETE ${path}`, undefined, operator)).status).toBe(404);
  });

  test('the key is sealed at rest and can be replaced or removed', async () => {
    const server = await aServer({ key: 'second' });
    const { id, operator } = await aConnection({ kind: 'compat', url: server.compatUrl, key: 'first' });
    const stored = await openTable('settings').get({ pk: 'CONNECTIONS', sk: `CONN#${id}` });
    expect(JSON.stringify(stored)).not.toContain('first');
    expect(stored?.['sealed_key']).toEqual(expect.stringMatching(/^v1\./));
    const verify = () => call(`POST /api/v1/connections/${id}/verify`, undefined, operator);
    expect(await verify()).toMatchObject({
      status: 502,
      body: { detail: expect.stringContaining('Incorrect API key') },
    });
    await call(`PATCH /api/v1/connections/${id}`, { key: 'second' }, operator);
    expect((await verify()).body).toEqual({ status: true, models: ['echo', 'tool-user'], version: null });
    expect((await call(`PATCH /api/v1/connections/${id}`, { key: null }, operator)).body.has_key).toBe(false);
    expect((await verify()).status).toBe(502);
  });

  test('a first key is sent the way that comes with it, or as a bearer token', async () => {
    for (const [auth_type, expected] of [
      ['x-api-key', 'x-api-key'],
      [undefined, 'bearer'],
    ]) {
      const { id, operator } = await aConnection({ kind: 'compat', url: 'http://127.0.0.1:9/v1' });
      const changed = await call(`PATCH /api/v1/connections/${id}`, { key: 'k', auth_type }, operator);
      expect(changed.body.auth_type).toBe(expected);
    }
  });

  test('an address can be tried before it is saved', async () => {
    const operator = await anOperator();
    const server = await aServer({ models: ['a:latest'] });
    const verify = (body: object) => call('POST /api/v1/connections/verify', body, operator);
    expect((await verify({ kind: 'runtime', url: server.url })).body).toEqual({
      status: true,
      models: ['a:latest'],
      version: '0.12.3',
    });
    await server.stop();
    expect((await verify({ kind: 'runtime', url: server.url })).body.error.code).toBe('upstream_failed');
  });

  const REFUSED = [
    { kind: 'other', url: 'http://x.example' },
    { kind: 'compat' },
    { kind: 'compat', url: 'ftp://x.example' },
    { kind: 'compat', url: 'nonsense' },
    { kind: 'compat', url: 'http://user:pass@x.example' },
    { kind: 'compat', url: 'http://x.example', prefix_id: 'a.b' },
    { kind: 'compat', url: 'http://x.example', headers: { 'content-length': '1' } },
    { kind: 'compat', url: 'http://x.example', headers: { 'x y': '1' } },
    { kind: 'compat', url: 'http://x.example', headers: { 'x-y': 'a\r\nb: c' } },
  ];
  test.each(REFUSED)('%o is refused', async (form) => {
    expect((await call('POST /api/v1/connections', form, await anOperator())).status).toBe(422);
  });

  test('of two operators who change a connection at once, both learn what became of it', async () => {
    const { id, operator } = await aConnection({ kind: 'compat', url: 'http://127.0.0.1:9/v1' });
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, n) => call(`PATCH /api/v1/connections/${id}`, { name: `n${n}` }, operator)),
    );
    const won = answers.filter(({ status }) => status === 200);
    expect(won.length).toBeGreaterThan(0);
    for (const { status, body } of answers) if (status !== 200) expect(body.error.code).toBe('stale_version');
    expect((await call(`GET /api/v1/connections/${id}`, undefined, operator)).body.revision).toBe(1 + won.length);
  });

  test('custom headers are sent along', async () => {
    const server = await aServer();
    const { id, operator } = await aConnection({
      kind: 'compat',
      url: server.compatUrl,
      headers: { 'X-Team': 'blue', 'x-user': '{{USER_ID}}' },
    });
    await call(`POST /api/v1/connections/${id}/verify`, undefined, operator);
    expect(server.received.at(-1)?.headers).toMatchObject({ 'x-team': 'blue', 'x-user': '{{USER_ID}}' });
  });

  test('a connection for the messages format sends its key and version as that API wants them', async () => {
    const server = await aServer();
    const { id, operator, created } = await aConnection({
      kind: 'compat',
      url: server.compatUrl,
      key: 'k',
      api_type: 'messages',
    });
    expect(created.body.auth_type).toBe('x-api-key');
    await call(`POST /api/v1/connections/${id}/verify`, undefined, operator);
    expect(server.received.at(-1)?.headers).toMatchObject({ 'x-api-key': 'k', 'anthropic-version': '2023-06-01' });
  });
});

describe('lists of models', () => {
  verifies(
    'limits/http-client-timeout-model-list',
    'a connection that is dead, broken or too slow hides only its own models, and only for its time-out',
    async () => {
      const good = await aServer({ models: ['fine'] });
      const silent = await aServer({ onList: () => {} });
      const broken = await aServer({ onList: (response) => void response.end('<html>') });
      const twin = await spawnTwin({
        HTTP_CLIENT_TIMEOUT_OPENAI_MODEL_LIST: '1',
        HTTP_CLIENT_TIMEOUT: '600',
        UPSTREAM_BASE_URL: `http://127.0.0.1:9;${good.url}`,
        COMPAT_API_BASE_URLS: `${silent.compatUrl};${broken.compatUrl};${good.compatUrl}`,
        COMPAT_API_KEYS: ';;sesame',
      });
      try {
        const { token } = await aUser();
        const from = performance.now();
        const answer = await call('GET /api/models', undefined, { token, url: twin.url });
        expect(performance.now() - from).toBeLessThan(10_000);
        expect(answer.status).toBe(200);
        const ids = namesOf(answer.body.data);
        expect(ids.toSorted()).toEqual(['demo', 'fine']);
        expect(good.received.find(({ path }) => path === '/v1/models')?.headers.authorization).toBe('Bearer sesame');
        expect(answer.body.data.find(({ id }: { id: string }) => id === 'fine')).toMatchObject({
          owned_by: 'upstream',
          upstream: { urls: [1] },
        });
      } finally {
        await twin.stop();
      }
    },
    40_000,
  );

  test('a list is fetched once for many who ask at the same time', async () => {
    const server = await aServer();
    await aConnection({ kind: 'compat', url: server.compatUrl });
    const person = await aUser();
    await Promise.all(Array.from({ length: 10 }, () => call('GET /api/models', undefined, person)));
    expect(server.received.filter(({ path }) => path === '/v1/models')).toHaveLength(1);
    await call('GET /api/models?refresh=true', undefined, person);
    expect(server.received.filter(({ path }) => path === '/v1/models')).toHaveLength(2);
  });

  test('two runtimes with the same model share it under one entry', async () => {
    const [one, two] = [
      await aServer({ models: ['same:latest'] }),
      await aServer({ models: ['same:latest', 'more:1b'] }),
    ];
    const { prefix } = await aConnection({ kind: 'runtime', url: one.url });
    await aConnection({ kind: 'runtime', url: two.url, prefix_id: prefix });
    const { data } = (await call('GET /api/models', undefined, await aUser())).body;
    const same = data.filter(({ id }: { id: string }) => id === `${prefix}.same:latest`);
    expect(same).toHaveLength(1);
    expect(same[0].upstream.urls).toHaveLength(2);
    expect(same[0]).toMatchObject({
      owned_by: 'upstream',
      connection_type: 'local',
      upstream: { details: { family: 'test' } },
    });
  });
});

describe('who may use what', () => {
  test('a restricted connection is for those it is granted to, and for operators', async () => {
    const { admin, orgId } = await anOrg();
    const [friend, member, stranger] = [await aUser(), await aUser({ orgId, groups: ['g-blue'] }), await aUser()];
    const server = await aServer({ models: ['m'] });
    const access_grants = [
      { principal_type: 'user', principal_id: friend.userId },
      { principal_type: 'group', principal_id: 'g-blue' },
    ];
    const { prefix, operator } = await aConnection({
      kind: 'compat',
      url: server.compatUrl,
      access: 'restricted',
      access_grants,
    });
    const id = `${prefix}.m`;
    const sees = async (caller: { token: string }) => (await listedIds(caller)).includes(id);
    expect([await sees(friend), await sees(member), await sees(operator)]).toEqual([true, true, true]);
    expect([await sees(stranger), await sees(admin)]).toEqual([false, false]);
    const get = (caller: { token: string }) => call(`GET /api/v1/models/model?id=${id}`, undefined, caller);
    expect((await get(friend)).status).toBe(200);
    const [hidden, missing] = [
      await get(stranger),
      await call('GET /api/v1/models/model?id=nothing', undefined, stranger),
    ];
    expect([hidden.status, hidden.body.error.code]).toEqual([404, 'model_not_found']);
    expect([missing.status, missing.body.detail]).toEqual([404, hidden.body.detail]);
  });

  test('nobody but operators manages connections', async () => {
    const { admin } = await anOrg();
    for (const caller of [await aUser(), admin]) {
      expect((await call('GET /api/v1/connections', undefined, caller)).status).toBe(403);
      expect((await call('GET /api/models/base', undefined, caller)).status).toBe(403);
    }
    const { data } = (await call('GET /api/models/base', undefined, await anOperator())).body;
    expect(data).toEqual(expect.arrayContaining([expect.objectContaining({ id: 'demo' })]));
  });
});

describe('connections of the environment', () => {
  test('need no row, are changed by saving one under their id, and come back when that is deleted', async () => {
    const server = await aServer({ key: 'env-key', models: ['x'] });
    const twin = await spawnTwin({
      COMPAT_API_BASE_URLS: server.compatUrl,
      COMPAT_API_KEYS: 'env-key',
      ENABLE_DEMO_MODEL: 'false',
    });
    try {
      const operator = { ...(await anOperator()), url: twin.url };
      const [connection] = (await call('GET /api/v1/connections', undefined, operator)).body;
      expect(connection).toMatchObject({ source: 'environment', has_key: true, revision: 0, url: server.compatUrl });
      const path = `/api/v1/connections/${connection.id}`;
      const saved = await call(`PATCH ${path}`, { prefix_id: 'env' }, operator);
      expect(saved.body).toMatchObject({ prefix_id: 'env', has_key: true, revision: 1 });
      const ids = async () => namesOf((await call('GET /api/models', undefined, operator)).body.data);
      expect(await ids()).toEqual(['env.x']);
      await call(`DELETE ${path}`, undefined, operator);
      expect(await ids()).toEqual(['x']);
    } finally {
      await twin.stop();
    }
  }, 40_000);
});

/** The models of connections and the built-in one; pipes that other tests have uploaded stand beside them. */
const namesOf = (models: { id: string; pipe?: unknown }[]) =>
  models.filter(({ id, pipe }) => id === 'demo' || pipe === undefined).map(({ id }) => id);

/** A second host over the same tables, with other settings: everybody who exists there exists here. */
const spawnTwin = (env: Record<string, string>) =>
  spawnHost({ env: { SVC_URL: host.url, AWS_ENDPOINT_URL_DYNAMODB: host.endpoints.dynamodb, ...env } });
