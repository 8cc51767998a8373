import http from 'node:http';
import { describe, expect, test } from 'vitest';
import { hashApiKey } from '../../shared/identity/api-key.ts';
import { apiKeyKey } from '../../shared/identity/rows.ts';
import { openTable } from '../../shared/store/table.ts';
import { atOnce, rowsOf } from '../support/accounts.ts';
import { call } from '../support/call.ts';
import { host } from '../support/host.ts';
import { awaitMail } from '../support/mailbox.ts';
import { anOrg, aUser, type Person } from '../support/people.ts';
import { spawnHost } from '../support/spawn-host.ts';
import { verifies } from '../support/verifies.ts';

const accounts = openTable('accounts');
const create = (token: string, body: object = {}) =>
  call('POST /api/auth/api-keys', { name: 'My key', ...body }, { token });
const get = (path: string, token: string) => call(`GET ${path}`, undefined, { token });

verifies(
  ['keys/create', 'keys/prefix', 'auth/bearer-api-key', 'keys/same-access'],
  'a user creates a key, sees its secret once, and it gives the same access as the token',
  async () => {
    const person = await aUser();
    const { status, body } = await create(person.token);
    expect(status).toBe(201);
    expect(body.key).toMatch(/^sk-[0-9A-Za-z]{38}$/);
    expect(body).toMatchObject({
      name: 'My key',
      start: body.key.slice(0, 8),
      last4: body.key.slice(-4),
      expiresAt: null,
    });
    const [byToken, byKey] = [await get('/api/auth/me', person.token), await get('/api/auth/me', body.key)];
    expect(byKey.status).toBe(200);
    expect(byKey.body).toEqual(byToken.body);
    const list = await get('/api/auth/api-keys', person.token);
    expect(list.body.data).toMatchObject([{ id: body.id, name: 'My key' }]);
    expect(JSON.stringify(list.body)).not.toContain(body.key);
    const stored = await accounts.get(apiKeyKey(hashApiKey(body.key)));
    expect(JSON.stringify([stored, await rowsOf(`USER#${person.userId}`)])).not.toContain(body.key.slice(10, 30));
    await awaitMail(person.email, /new API key/);
  },
);

verifies(
  ['keys/inherits-role', 'keys/inherits-groups'],
  'a key has the role and groups its owner has now',
  async () => {
    const { orgId, admin } = await anOrg();
    const { body } = await create(admin.token);
    expect(await get('/api/auth/me', body.key)).toMatchObject({ body: { role: 'ROLE_ORG_ADMIN', groups: [] } });
    await accounts.update({ pk: `USER#${admin.userId}`, sk: 'META' }, { set: { role: 'ROLE_USER', groups: ['g1'] } });
    const now = await get('/api/auth/me', body.key);
    expect(now.body).toMatchObject({ role: 'ROLE_USER', groups: ['g1'], organizationId: orgId });
  },
);

test('a revoked key, an expired one, a mistyped one and someone else’s are refused', async () => {
  const [person, stranger] = [await aUser(), await aUser()];
  const { body } = await create(person.token, { expiresInDays: 1 });
  expect(Date.parse(body.expiresAt)).toBeGreaterThan(Date.now());
  const typo = `${body.key.slice(0, -1)}${body.key.endsWith('0') ? '1' : '0'}`;
  expect(await get('/api/auth/me', typo)).toMatchObject({ status: 401 });
  expect(await call(`DELETE /api/auth/api-keys/${body.id}`, undefined, stranger)).toMatchObject({ status: 404 });
  expect(await get('/api/auth/me', body.key)).toMatchObject({ status: 200 });
  await accounts.update(apiKeyKey(hashApiKey(body.key)), { set: { expiresAt: Date.now() - 1 } });
  expect(await get('/api/auth/me', body.key)).toMatchObject({ status: 401 });
  const other = (await create(person.token)).body;
  expect(await call(`DELETE /api/auth/api-keys/${other.id}`, undefined, person)).toMatchObject({ status: 204 });
  expect(await get('/api/auth/me', other.key)).toMatchObject({ status: 401 });
  expect(await call(`DELETE /api/auth/api-keys/${other.id}`, undefined, person)).toMatchObject({ status: 404 });
});

test('rotation replaces the secret at once and keeps the rest; two at once cannot both win', async () => {
  const person = await aUser();
  const { body } = await create(person.token, { allowedRoutes: ['/api/auth/me'] });
  const rotate = () => call(`POST /api/auth/api-keys/${body.id}/rotate`, undefined, person);
  const fresh = await rotate();
  expect(fresh).toMatchObject({ status: 201, body: { id: body.id, name: 'My key', allowedRoutes: ['/api/auth/me'] } });
  expect(await get('/api/auth/me', body.key)).toMatchObject({ status: 401 });
  expect(await get('/api/auth/me', fresh.body.key)).toMatchObject({ status: 200 });
  const { answers } = await atOnce(5, rotate);
  const secrets = answers.filter(({ status }) => status === 201).map((answer) => answer.body.key as string);
  const working = (await Promise.all(secrets.map((key) => get('/api/auth/me', key)))).filter(
    ({ status }) => status === 200,
  );
  expect(working).toHaveLength(1);
  expect((await get('/api/auth/api-keys', person.token)).body.data).toHaveLength(1);
});

test('an account has at most twenty keys, also when thirty are asked for at once', async () => {
  const person = await aUser();
  const { statuses } = await atOnce(30, () => create(person.token));
  expect(statuses).toEqual({ 201: 20, 409: 10 });
  const { data } = (await get('/api/auth/api-keys', person.token)).body;
  expect(data).toHaveLength(20);
  await call(`DELETE /api/auth/api-keys/${data[0].id}`, undefined, person);
  expect(await create(person.token)).toMatchObject({ status: 201 });
});

describe('restricted keys', () => {
  const restricted = async (allowedRoutes: string[], extra: object = {}) => {
    const person = await aUser();
    return { person, ...(await create(person.token, { allowedRoutes, ...extra })).body } as {
      person: Person;
      key: string;
      id: string;
    };
  };

  /** As it stands on the wire: fetch would tidy the path before sending it. */
  const raw = (path: string, key: string, method = 'GET') =>
    new Promise<number>((resolve, reject) => {
      const { hostname, port } = new URL(host.url);
      const request = http.request(
        { hostname, port, path, method, headers: { authorization: `Bearer ${key}` } },
        (answer) => {
          answer.resume();
          resolve(answer.statusCode ?? 0);
        },
      );
      request.on('error', reject).end();
    });

  verifies('keys/route-restriction', 'reach their routes and nothing else, however the path is written', async () => {
    const { key } = await restricted(['GET /api/auth/me', '/api/org/me/']);
    expect(await raw('/api/auth/me', key)).toBe(200);
    expect(await raw('/api/auth/me/', key)).toBe(200);
    expect(await raw('/api/auth/me?x=/api/auth/sessions', key)).toBe(200);
    expect(await raw('/api/auth/me', key, 'HEAD')).toBe(200);
    expect(await raw('/api/auth/me', key, 'PUT')).toBe(403);
    const tricks = [
      '/api/auth/sessions',
      '/api/auth/api-keys',
      '/api/auth/me/../sessions',
      '/api/auth/me/%2e%2e/sessions',
      '/api/auth/me/%2E%2E/sessions',
      '/api/auth/me/.%2e/sessions',
      '/api/auth/me/..%2fsessions',
      '/api/auth/me%2f..%2fsessions',
      '/api/auth/me/..;/sessions',
      '/api/auth//sessions',
      '//api/auth/sessions',
      '/api/auth/me//../sessions',
      '/api/auth/me/%252e%252e/sessions',
      '/api/auth\\sessions',
      '/api/auth/SESSIONS',
      '/API/auth/sessions',
      '/api/auth/me/%2e%2e%5csessions',
      '/api/auth/sessions/api/auth/me',
    ];
    const statuses = await Promise.all(tricks.map(async (path) => [path, await raw(path, key)] as const));
    expect(statuses.filter(([, status]) => status !== 403 && status !== 404)).toEqual([]);
    const byHeader = await call('GET /api/auth/sessions', undefined, { headers: { 'x-api-key': key } });
    expect(byHeader).toMatchObject({ status: 403, body: { error: { code: 'api_key_route_forbidden' } } });
  });

  test('cannot make, widen or rotate keys beyond themselves, nor ones that outlive them', async () => {
    const { person, key, id } = await restricted(['/api/auth/api-keys', '/api/auth/me'], { expiresInDays: 10 });
    const wide = (await create(person.token)).body;
    const refusal = { status: 403, body: { error: { code: 'api_key_escalation' } } };
    const inside = { allowedRoutes: ['GET /api/auth/me'], expiresInDays: 1 };
    expect(await create(key, inside)).toMatchObject({ status: 201 });
    expect(await create(key, { expiresInDays: 1 })).toMatchObject(refusal);
    expect(await create(key, { ...inside, allowedRoutes: ['/api/auth'] })).toMatchObject(refusal);
    expect(await create(key, { ...inside, allowedRoutes: ['/api/auth/meadow'] })).toMatchObject(refusal);
    expect(await create(key, { ...inside, expiresInDays: 20 })).toMatchObject(refusal);
    expect(await create(key, { allowedRoutes: ['/api/auth/me'] })).toMatchObject(refusal);
    const byKey = { token: key };
    expect(await call(`POST /api/auth/api-keys/${wide.id}/rotate`, undefined, byKey)).toMatchObject(refusal);
    expect(await call(`PUT /api/auth/api-keys/${id}`, { allowedRoutes: null }, byKey)).toMatchObject(refusal);
    expect(await call(`PUT /api/auth/api-keys/${id}`, { name: 'Renamed' }, byKey)).toMatchObject({ status: 200 });
  });

  test('can be changed by their owner, with routes that can be read in one way only', async () => {
    const { person, key, id } = await restricted(['/api/auth/me']);
    const change = (allowedRoutes: unknown) => call(`PUT /api/auth/api-keys/${id}`, { allowedRoutes }, person);
    for (const bad of [[], ['api/auth'], ['/a//b'], ['/a/../b'], ['/a%2fb'], ['GO /a'], ['/a b'], ['/a/*/b'], ['']])
      expect(await change(bad)).toMatchObject({ status: 422 });
    expect(await change(['GET  /api/auth/sessions/*'])).toMatchObject({
      body: { allowedRoutes: ['GET /api/auth/sessions'] },
    });
    expect(await raw('/api/auth/me', key)).toBe(403);
    expect(await raw('/api/auth/sessions', key)).toBe(200);
    expect(await change(null)).toMatchObject({ status: 200, body: { allowedRoutes: null } });
    expect(await raw('/api/auth/me', key)).toBe(200);
  });
});

test('the list tells when a key was last used', async () => {
  const person = await aUser();
  const { body } = await create(person.token);
  const lastUsedAt = async () =>
    (await get('/api/auth/api-keys', person.token)).body.data[0].lastUsedAt as string | null;
  expect(await lastUsedAt()).toBeNull();
  await get('/api/auth/me', body.key);
  await expect.poll(lastUsedAt).not.toBeNull();
  const first = await lastUsedAt();
  await get('/api/auth/me', body.key);
  expect(await lastUsedAt()).toBe(first);
});

describe('headers', () => {
  verifies('keys/custom-header', 'a key is taken from x-api-key when Authorization belongs to a proxy', async () => {
    const person = await aUser();
    const { key } = (await create(person.token)).body;
    const ask = (headers: Record<string, string>) => call('GET /api/auth/me', undefined, { headers });
    expect(await ask({ 'x-api-key': key })).toMatchObject({ status: 200 });
    expect(await ask({ 'x-api-key': key, authorization: 'Basic dXNlcjpwYXNz' })).toMatchObject({ status: 200 });
    const foreign = 'Bearer eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJwcm94eSJ9.c2ln';
    expect(await ask({ 'x-api-key': key, authorization: foreign })).toMatchObject({ status: 200 });
    expect(await ask({ authorization: 'Basic dXNlcjpwYXNz' })).toMatchObject({ status: 401 });
    expect(await ask({ 'x-api-key': person.token })).toMatchObject({ status: 401 });
    expect(await ask({ 'x-api-key': key, authorization: `Bearer ${person.token}x` })).toMatchObject({ status: 401 });
  });

  verifies(
    'keys/custom-header-name',
    'CUSTOM_API_KEY_HEADER renames it, and keys can be limited or switched off',
    async () => {
      const env = {
        CUSTOM_API_KEY_HEADER: 'x-team-key',
        ENV: 'test',
        BCRYPT_COST: '4',
        ENABLE_API_KEYS_ENDPOINT_RESTRICTIONS: 'true',
      };
      const started = await spawnHost({ env: { ...env, API_KEYS_ALLOWED_ENDPOINTS: '/api/auth/me, /api/v1/auths' } });
      try {
        const at = { url: started.url };
        const signUp = { name: 'Ada', email: 'ada@example.test', password: 'correct horse battery staple' };
        const { token } = (await call('POST /api/v1/auths/signup', signUp, at)).body;
        const { key } = (await call('POST /api/auth/api-keys', { name: 'k' }, { ...at, token })).body;
        const ask = (path: string, header: string) =>
          call(`GET ${path}`, undefined, { ...at, headers: { [header]: key } });
        expect(await ask('/api/auth/me', 'x-team-key')).toMatchObject({ status: 200 });
        expect(await ask('/api/auth/me', 'x-api-key')).toMatchObject({ status: 401 });
        expect(await ask('/api/auth/sessions', 'x-team-key')).toMatchObject({ status: 403 });
        expect(await call('GET /api/auth/sessions', undefined, { ...at, token })).toMatchObject({ status: 200 });
      } finally {
        await started.stop();
      }
    },
  );
});
