import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiKeyKey, orgKey, userKey } from '../../shared/identity/rows.ts';
import { hashApiKey } from '../../shared/identity/api-key.ts';
import { openTable } from '../../shared/store/table.ts';
import { call } from '../support/call.ts';
import { host } from '../support/host.ts';
import { anApiKey, anOrg, aUser } from '../support/people.ts';
import { spawnHost, type SpawnedHost } from '../support/spawn-host.ts';
import { useGateway } from './gateway.ts';
import { startModelServer, type ModelServer } from './model-server.ts';

const gateway = useGateway();
const accounts = openTable('accounts');

/** A second host on the same tables: it hears nothing of what others write, as functions in the cloud do not. */
let other: SpawnedHost;
let models: ModelServer;
beforeAll(async () => {
  models = await startModelServer();
  const { dynamodb, s3 } = host.endpoints;
  const tables = { AWS_ENDPOINT_URL_DYNAMODB: dynamodb, AWS_ENDPOINT_URL_S3: s3, SVC_URL: host.url };
  other = await spawnHost({ env: { ...tables, COMPAT_API_BASE_URLS: models.compat } });
});
afterAll(async () => {
  await other.stop();
  await models.stop();
});

const ask = (token: string, model: string, url: string) =>
  call('POST /api/chat/completions', { model, messages: [{ role: 'user', content: 'Hello' }] }, { token, url });
const complete = (token: string) => ask(token, gateway.chat('plain'), host.url);
const completeThere = (token: string, model = 'plain') => ask(token, model, other.url);

const timesAsked = () => gateway.server.asked('plain').length;

describe('a host that nobody writes beside', () => {
  test('asks no model for a key that was deleted a moment ago', async () => {
    const person = await aUser();
    const made = await call('POST /api/auth/api-keys', { name: 'mine' }, person);
    expect((await complete(made.body.key)).status).toBe(200);
    const before = timesAsked();
    const deleted = await call(`DELETE /api/auth/api-keys/${made.body.id}`, undefined, person);
    expect(deleted.status).toBeLessThan(300);
    expect((await complete(made.body.key)).status).toBe(401);
    expect(timesAsked()).toBe(before);
  });

  test('asks no model for a user who was switched off a moment ago', async () => {
    const { orgId, admin } = await anOrg();
    const member = await aUser({ orgId });
    const key = await anApiKey(member);
    expect((await complete(key)).status).toBe(200);
    const before = timesAsked();
    const off = await call(`POST /api/org/team/${member.userId}/deactivate`, {}, admin);
    expect(off.status).toBe(200);
    expect((await complete(key)).status).toBe(401);
    expect(timesAsked()).toBe(before);
  });
});

describe('a process that does not hear what others write', () => {
  test('answers nobody whose key is gone, and hangs up on the model', async () => {
    const key = await anApiKey(await aUser());
    expect((await completeThere(key)).status).toBe(200);
    await accounts.delete(apiKeyKey(hashApiKey(key)));
    const answer = await completeThere(key, 'held');
    expect(answer.status).toBe(401);
    // The model may have been asked meanwhile; then it is told to stop.
    await expect.poll(() => models.asked('held').every(({ isAbandoned }) => isAbandoned)).toBe(true);
  });

  test('refuses whoever was suspended meanwhile', async () => {
    const { orgId, admin } = await anOrg();
    const key = await anApiKey(admin);
    expect((await completeThere(key)).status).toBe(200);
    await accounts.update(orgKey(orgId), { set: { status: 'SUSPENDED' } });
    const answer = await completeThere(key);
    expect(answer).toMatchObject({ status: 403, body: { error: { code: 'organization_suspended' } } });
  });

  test('answers a caller of whom something has changed as they are now', async () => {
    const person = await aUser();
    const key = await anApiKey(person);
    await completeThere(key);
    await accounts.update(userKey(person.userId), { set: { name: 'Somebody Else' } });
    const answer = await completeThere(key);
    expect(answer.status).toBe(200);
  });

  test('tells a refused caller not even that the request is wrong', async () => {
    const key = await anApiKey(await aUser());
    await completeThere(key);
    await accounts.delete(apiKeyKey(hashApiKey(key)));
    const answer = await call('POST /api/chat/completions', { model: 7 }, { token: key, url: other.url });
    expect(answer.status).toBe(401);
  });

  test.each(['refuses', 'no-such-model'])('tells a refused caller nothing else: %s', async (model) => {
    const key = await anApiKey(await aUser());
    await completeThere(key);
    await accounts.delete(apiKeyKey(hashApiKey(key)));
    expect((await completeThere(key, model)).status).toBe(401);
  });
});
