import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createConnections } from '../../shared/connections/connections.ts';
import type { UserActor } from '../../shared/identity/actor.ts';
import { createModels } from '../../shared/models/models.ts';
import { forgetPlatform } from '../../shared/models/directory.ts';
import { createFresh } from '../../shared/models/fresh.ts';
import { createOutbound } from '../../shared/net/outbound.ts';
import { createSeal } from '../../shared/seal/seal.ts';
import { parseSettings } from '../../shared/settings/load.ts';
import type { Millis } from '../../shared/time.ts';
import { call } from '../support/call.ts';
import { host } from '../support/host.ts';
import { aUser, type Person } from '../support/people.ts';
import { TEST_ENVIRONMENT } from '../support/spawn-host.ts';
import { aConnection, aServer } from './a-connection.ts';

/** Counts the calls to the database between two looks. */
const counter = { calls: 0, server: http.createServer(), url: '' };

beforeAll(async () => {
  const target = new URL(host.endpoints.dynamodb);
  counter.server.on('request', (incoming, outgoing) => {
    counter.calls += 1;
    const { method, headers } = incoming;
    const onward = http.request(target, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => counter.server.listen(0, '127.0.0.1', resolve));
  process.env['AWS_ENDPOINT_URL_DYNAMODB'] = `http://127.0.0.1:${(counter.server.address() as AddressInfo).port}`;
});
afterAll(() => {
  counter.server.closeAllConnections();
  counter.server.close();
});

const settings = parseSettings((name) => Object.entries(TEST_ENVIRONMENT).find(([key]) => key === name)?.[1]);

/** What the completions do in a process of their own. */
function aCatalogue(random?: () => number) {
  const outbound = createOutbound({ allowedHosts: settings.OUTBOUND_ALLOWED_HOSTS });
  const connections = createConnections({ settings, outbound, seal: createSeal() });
  return { connections, models: createModels({ settings, connections, random }) };
}

const actorOf = ({ userId, orgId, name, email }: Person): UserActor => ({
  kind: 'user',
  userId,
  orgId,
  name,
  email,
  role: 'ROLE_USER',
  groups: [],
  via: 'jwt',
  credentialId: 'c',
  credentialExpiresAt: null,
  allowedRoutes: null,
  plan: { id: 'personal', trialEndsAt: null },
});

describe('finding the model of a completion', () => {
  test('tells where to send it, under which name and with what', async () => {
    const server = await aServer({ models: ['gpt'], key: 'k' });
    const headers = { 'x-user': '{{USER_ID}}' };
    const { prefix } = await aConnection({ kind: 'compat', url: server.compatUrl, key: 'k', headers });
    const person = await aUser();
    const form = {
      id: 'brief',
      base_model_id: `${prefix}.gpt`,
      name: 'Brief',
      params: { system: 'Be brief', temperature: 0 },
      meta: { toolIds: ['t'] },
    };
    await call('POST /api/v1/models/create', form, person);
    forgetPlatform();
    const { models, connections } = aCatalogue();
    const model = await models.resolve(actorOf(person), 'brief');
    expect(model).toMatchObject({
      id: 'brief',
      name: 'Brief',
      kind: 'compat',
      upstreamId: 'gpt',
      isCustom: true,
      baseModelId: `${prefix}.gpt`,
      params: { system: 'Be brief', temperature: 0 },
      meta: { toolIds: ['t'] },
      connection: { url: server.compatUrl },
    });
    if (!model.connection) throw new Error('No connection');
    expect(await connections.headers(model.connection, { USER_ID: 'u\r\n1' })).toEqual({
      authorization: 'Bearer k',
      'x-user': 'u  1',
    });
    expect(await models.resolve(actorOf(person), 'demo')).toMatchObject({
      kind: 'function',
      upstreamId: 'demo',
      isCustom: false,
      connection: undefined,
    });
    await expect(models.resolve(actorOf(await aUser()), 'brief')).rejects.toMatchObject({
      code: 'model_not_found',
      status: 404,
    });
  });

  test('needs one look at the tables in a cold process, none in a warm one, and no question to the upstream', async () => {
    const server = await aServer({ models: ['known'] });
    const { prefix } = await aConnection({ kind: 'compat', url: server.compatUrl });
    const person = await aUser();
    await call('GET /api/models', undefined, person);
    const asked = server.received.length;
    forgetPlatform();
    const { models } = aCatalogue();
    counter.calls = 0;
    await models.resolve(actorOf(person), `${prefix}.known`);
    expect(counter.calls).toBe(3); // side by side: connections, the platform's models, the tenant's models
    counter.calls = 0;
    for (let n = 0; n < 20; n += 1) await models.resolve(actorOf(person), `${prefix}.known`);
    expect(counter.calls).toBe(0);
    expect(server.received).toHaveLength(asked);
  });

  test('asks the upstream for a model nobody has heard of, once', async () => {
    const server = await aServer({ models: ['fresh'] });
    const { prefix } = await aConnection({ kind: 'compat', url: server.compatUrl });
    forgetPlatform();
    const { models } = aCatalogue();
    const actor = actorOf(await aUser());
    expect((await models.resolve(actor, `${prefix}.fresh`)).upstreamId).toBe('fresh');
    for (const id of ['x', 'y', 'z'])
      await expect(models.resolve(actor, `${prefix}.${id}`)).rejects.toThrow('Model not found');
    expect(server.received.filter(({ path }) => path === '/v1/models')).toHaveLength(1);
  });

  test('an upstream that died is still known, so that its failure is told as what it is', async () => {
    const server = await aServer({ models: ['old'] });
    const { prefix } = await aConnection({ kind: 'compat', url: server.compatUrl });
    const person = await aUser();
    await call('GET /api/models', undefined, person);
    await server.stop();
    forgetPlatform();
    expect((await aCatalogue().models.resolve(actorOf(person), `${prefix}.old`)).connection?.url).toBe(
      server.compatUrl,
    );
  });

  test('of several runtimes each gets its share, but only those that are open to the caller', async () => {
    const [one, two] = [await aServer({ models: ['m:1'] }), await aServer({ models: ['m:1'] })];
    const { prefix } = await aConnection({ kind: 'runtime', url: one.url });
    await aConnection({ kind: 'runtime', url: two.url, prefix_id: prefix, access: 'restricted' });
    const person = await aUser();
    forgetPlatform();
    for (const at of [0, 0.99]) {
      const { models } = aCatalogue(() => at);
      expect((await models.resolve(actorOf(person), `${prefix}.m:1`)).connection?.url).toBe(one.url);
      const own = await models.resolve('service', `${prefix}.m:1`);
      expect(own.connection?.url).toBe(at === 0 ? one.url : two.url);
      expect(own.hosts).toHaveLength(2);
    }
  });
});

describe('a value that is read again now and then', () => {
  const clock = { at: 0 };
  const ages = { freshMs: 5, staleMs: 15, now: () => clock.at as Millis };

  test('is shared while fresh, shown while the next is read, and never shown past its limit', async () => {
    let reads = 0;
    const value = createFresh(async () => (reads += 1), ages);
    expect(await Promise.all([value.get(), value.get()])).toEqual([1, 1]);
    clock.at += 4;
    expect(await value.get()).toBe(1);
    clock.at += 6;
    expect(await value.get()).toBe(1);
    await Promise.resolve();
    expect(await value.get()).toBe(2);
    clock.at += 100;
    expect(await value.get()).toBe(3);
    value.forget();
    expect(await value.get()).toBe(4);
  });

  test('a failure is told to those who wait, and the next one tries again', async () => {
    let isBroken = true;
    const value = createFresh(() => (isBroken ? Promise.reject(new Error('down')) : Promise.resolve('up')), ages);
    await expect(value.get()).rejects.toThrow('down');
    isBroken = false;
    expect(await value.get()).toBe('up');
    isBroken = true;
    clock.at += 10;
    expect(await value.get()).toBe('up');
    clock.at += 10;
    await expect(value.get()).rejects.toThrow('down');
  });

  test('what was read while somebody changed it is not kept', async () => {
    const gates: ((value: string) => void)[] = [];
    const value = createFresh(() => new Promise<string>((resolve) => gates.push(resolve)), ages);
    const early = value.get();
    value.forget();
    const late = value.get();
    gates[1]?.('new');
    gates[0]?.('old');
    expect(await Promise.all([early, late])).toEqual(['old', 'new']);
    expect(await value.get()).toBe('new');
  });
});
