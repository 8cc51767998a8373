import { randomUUID } from 'node:crypto';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { call } from '../support/call.ts';
import { host } from '../support/host.ts';
import { anApiKey, anOperator, anOrg, aUser, type Person } from '../support/people.ts';
import { verifies } from '../support/verifies.ts';
import { aConnection, aServer, listedIds } from './a-connection.ts';

const anId = () => `m-${randomUUID().slice(0, 8)}`;
const get = (caller: { token: string }, id: string) =>
  call(`GET /api/v1/models/model?id=${encodeURIComponent(id)}`, undefined, caller);
const create = (caller: { token: string }, form: object) => call('POST /api/v1/models/create', form, caller);

describe('the list', () => {
  verifies(
    ['models/list', 'models/list-item', 'models/list-authenticated'],
    'a fresh installation shows its built-in model to everyone who is signed in, and to nobody else',
    async () => {
      expect((await call('GET /api/models')).status).toBe(401);
      const person = await aUser();
      for (const token of [person.token, await anApiKey(person), (await anOperator()).token]) {
        const { status, body } = await call('GET /api/models', undefined, { token });
        expect(status).toBe(200);
        expect(body.object).toBe('list');
        for (const item of body.data)
          expect(item).toMatchObject({ id: expect.any(String), owned_by: expect.any(String) });
        expect(body.data).toContainEqual(expect.objectContaining({ id: 'demo', object: 'model', owned_by: 'svc' }));
      }
      expect(await listedIds(person, '/api/v1/models')).toContain('demo');
      expect(await listedIds(person, '/api/v1/models/')).toContain('demo');
    },
  );

  test('the official SDK lists and retrieves models, also ones with slashes in their id', async () => {
    const server = await aServer({ models: ['org/model:1'] });
    const { prefix } = await aConnection({ kind: 'compat', url: server.compatUrl });
    const apiKey = await anApiKey(await aUser());
    for (const base of ['/api', '/api/v1']) {
      const client = new OpenAI({ apiKey, baseURL: `${host.url}${base}` });
      const ids = (await Array.fromAsync(client.models.list())).map(({ id }) => id);
      expect(ids).toEqual(expect.arrayContaining(['demo', `${prefix}.org/model:1`]));
      expect(await client.models.retrieve(`${prefix}.org/model:1`)).toMatchObject({
        id: `${prefix}.org/model:1`,
        owned_by: 'compat',
      });
      await expect(client.models.retrieve('nothing')).rejects.toMatchObject({ status: 404, code: 'model_not_found' });
    }
  });
});

describe('one model', () => {
  verifies(
    ['models/get', 'models/shape', 'models/meta', 'models/params'],
    'has its names, what is known about it, its numbers and its times',
    async () => {
      const person = await aUser();
      const id = anId();
      const meta = {
        description: 'Brief answers',
        capabilities: ['vision'],
        context_length: 8192,
        max_output_tokens: 512,
        toolIds: ['t'],
      };
      const params = {
        temperature: 0.2,
        top_p: 0.9,
        frequency_penalty: 0.1,
        presence_penalty: 0.3,
        system: 'Be brief',
      };
      const created = await create(person, { id, base_model_id: 'demo', name: 'Brief', meta, params });
      expect(created.status).toBe(200);
      const { body } = await get(person, id);
      expect(body).toMatchObject({
        id,
        name: 'Brief',
        model: 'demo',
        base_model_id: 'demo',
        meta,
        params,
        user_id: person.userId,
        write_access: true,
        created_at: expect.any(Number),
        updated_at: expect.any(Number),
      });
      const plain = (await get(person, 'demo')).body;
      expect(plain).toMatchObject({
        id: 'demo',
        model: 'demo',
        base_model_id: null,
        meta: {
          description: expect.any(String),
          capabilities: expect.any(Array),
          context_length: expect.any(Number),
          max_output_tokens: expect.any(Number),
        },
        params: { temperature: 1, top_p: 1, frequency_penalty: 0, presence_penalty: 0 },
        write_access: false,
      });
      expect((await call('GET /api/v1/models/model', undefined, person)).status).toBe(422);
    },
  );

  test('a runtime tells about its models itself', async () => {
    const server = await aServer({ models: ['llama:7b'] });
    const { prefix } = await aConnection({ kind: 'runtime', url: server.url });
    const { body } = await get(await aUser(), `${prefix}.llama:7b`);
    expect(body.meta).toMatchObject({
      context_length: 8192,
      capabilities: ['completion', 'tools'],
      max_output_tokens: null,
    });
    expect(server.received.at(-1)).toMatchObject({ path: '/api/show', body: { model: 'llama:7b' } });
  });

  test('a runtime’s model is found without its tag when that is latest', async () => {
    const server = await aServer({ models: ['llama:latest'] });
    const { prefix } = await aConnection({ kind: 'runtime', url: server.url });
    expect((await get(await aUser(), `${prefix}.llama`)).status).toBe(200);
  });
});

describe('models of one’s own', () => {
  async function aModel(person: Person, form: object = {}) {
    const id = anId();
    const created = await create(person, {
      id,
      base_model_id: 'demo',
      name: 'Mine',
      params: { system: 'SECRET' },
      ...form,
    });
    expect(created.status).toBe(200);
    return id;
  }

  test('start private, can be shared within the organization, and never show their settings to readers', async () => {
    const { orgId, admin } = await anOrg();
    const [owner, member, grouped] = [
      await aUser({ orgId }),
      await aUser({ orgId }),
      await aUser({ orgId, groups: ['g1'] }),
    ];
    const stranger = await aUser();
    const id = await aModel(owner);
    const sees = async (person: Person) => (await listedIds(person)).includes(id);
    expect([await sees(owner), await sees(member), await sees(admin), await sees(stranger)]).toEqual([
      true,
      false,
      false,
      false,
    ]);
    const share = (access_grants: unknown) =>
      call('POST /api/v1/models/model/access/update', { id, access_grants }, owner);
    await share([{ principal_type: 'group', principal_id: 'g1', permission: 'read' }]);
    expect([await sees(grouped), await sees(member)]).toEqual([true, false]);
    expect((await share([{ principal_type: 'user', principal_id: '*' }])).body.access_grants).toMatchObject([
      { principal_id: '*', permission: 'read', resource_id: id },
    ]);
    expect([await sees(member), await sees(stranger)]).toEqual([true, false]);
    const read = (await get(member, id)).body;
    expect(read).toMatchObject({ write_access: false, params: { temperature: 1 } });
    const list = await call('GET /api/models', undefined, member);
    expect(JSON.stringify([read, list.body])).not.toContain('SECRET');
    expect((await get(owner, id)).body.params.system).toBe('SECRET');
    expect(list.body.data.find((item: { id: string }) => item.id === id)).toMatchObject({
      preset: true,
      owned_by: 'svc',
      info: { base_model_id: 'demo' },
    });
    expect((await get(stranger, id)).status).toBe(404);
  });

  test('are changed in part, switched off and deleted, by those who may', async () => {
    const { orgId, admin } = await anOrg();
    const [owner, member] = [await aUser({ orgId }), await aUser({ orgId })];
    const id = await aModel(owner, {
      meta: { tags: [{ name: 'work' }] },
      access_grants: [{ principal_type: 'user', principal_id: '*' }],
    });
    const update = (person: Person, form: object) => call('POST /api/v1/models/model/update', { id, ...form }, person);
    expect((await update(member, { name: 'Theirs' })).status).toBe(403);
    expect((await update(await aUser(), { name: 'Theirs' })).status).toBe(404);
    expect((await update(owner, { name: 'Renamed' })).body).toMatchObject({
      name: 'Renamed',
      params: { system: 'SECRET' },
      meta: { tags: [{ name: 'work' }] },
    });
    expect((await update(admin, { name: 'By the admin' })).body.name).toBe('By the admin');
    expect((await call('GET /api/v1/models/tags', undefined, member)).body).toContain('work');
    const toggled = await call(`POST /api/v1/models/model/toggle?id=${id}`, undefined, owner);
    expect(toggled.body.is_active).toBe(false);
    expect(await listedIds(member)).not.toContain(id);
    expect((await get(member, id)).status).toBe(404);
    await call(`POST /api/v1/models/model/toggle?id=${id}`, undefined, owner);
    expect((await call('POST /api/v1/models/model/delete', { id }, member)).status).toBe(403);
    expect((await call('POST /api/v1/models/model/delete', { id }, owner)).body).toBe(true);
    expect((await call(`DELETE /api/v1/models/model/delete?id=${id}`, undefined, owner)).status).toBe(404);
  });

  test('need a base model that exists and that their owner may use', async () => {
    const server = await aServer({ models: ['dear'] });
    const friend = await aUser();
    const grants = [{ principal_type: 'user', principal_id: friend.userId }];
    const {
      prefix,
      operator,
      id: connectionId,
    } = await aConnection({ kind: 'compat', url: server.compatUrl, access: 'restricted', access_grants: grants });
    const form = { id: anId(), base_model_id: `${prefix}.dear`, name: 'x' };
    const refused = await create(await aUser(), form);
    expect(refused).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'base_model_id'] }] } });
    expect((await create(await aUser(), { id: anId(), name: 'x' })).status).toBe(422);
    expect((await create(friend, form)).status).toBe(200);
    expect(await listedIds(friend)).toContain(form.id);
    await call(`PATCH /api/v1/connections/${connectionId}`, { access_grants: [] }, operator);
    expect(await listedIds(friend)).not.toContain(form.id);
    expect((await get(friend, form.id)).status).toBe(404);
  });

  test('ids are free per tenant and never shadow what others see', async () => {
    const [one, two] = [await aUser(), await aUser()];
    const id = await aModel(one, { name: 'First' });
    expect((await create(two, { id, base_model_id: 'demo', name: 'Second' })).status).toBe(200);
    expect([(await get(one, id)).body.name, (await get(two, id)).body.name]).toEqual(['First', 'Second']);
    expect((await create(one, { id, base_model_id: 'demo', name: 'Again' })).status).toBe(409);
    expect((await create(one, { id: 'demo', base_model_id: 'demo', name: 'Fake' })).status).toBe(409);
  });

  test('take the older way to say who may use them', async () => {
    const { orgId } = await anOrg();
    const [owner, member] = [await aUser({ orgId }), await aUser({ orgId })];
    const open = await aModel(owner, { access_control: null });
    const some = await aModel(owner, { access_control: { read: { user_ids: [member.userId], group_ids: [] } } });
    const closed = await aModel(owner, { access_control: {} });
    const ids = await listedIds(member);
    expect([open, some, closed].map((id) => ids.includes(id))).toEqual([true, true, false]);
  });

  test('are listed by pages, exported and imported', async () => {
    const [from, to] = [await aUser(), await aUser()];
    const id = await aModel(from, { meta: { description: 'd', knowledge: [{ id: 'k' }] } });
    const listed = await call('GET /api/v1/models/list?query=mine&view_option=created', undefined, from);
    expect(listed.body).toMatchObject({ total: 1, items: [{ id }] });
    expect((await call('GET /api/v1/models/list?page=2', undefined, from)).body).toMatchObject({ total: 1, items: [] });
    const { body: models } = await call('GET /api/v1/models/export', undefined, from);
    expect((await call('POST /api/v1/models/import', { models }, to)).body).toBe(true);
    expect((await get(to, id)).body).toMatchObject({
      params: { system: 'SECRET' },
      meta: { knowledge: [{ id: 'k' }] },
      user_id: to.userId,
    });
    const renamed = models.map((model: object) => ({ ...model, name: 'Twice' }));
    await call('POST /api/v1/models/import', { models: renamed }, to);
    expect((await get(to, id)).body.name).toBe('Twice');
  });

  test('may have a picture, which no list carries', async () => {
    const person = await aUser();
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const id = await aModel(person, { meta: { profile_image_url: `data:image/png;base64,${pixel}` } });
    const image = (caller: Person) => call(`GET /api/v1/models/model/profile/image?id=${id}`, undefined, caller);
    expect((await image(person)).headers.get('content-type')).toBe('image/png');
    expect((await image(await aUser())).status).toBe(404);
    expect(JSON.stringify((await call('GET /api/models', undefined, person)).body)).not.toContain(pixel);
    const script = await aModel(person, { meta: { profile_image_url: 'data:image/svg+xml;base64,PHN2Zy8+' } });
    expect((await call(`GET /api/v1/models/model/profile/image?id=${script}`, undefined, person)).status).toBe(404);
  });
});

describe('what operators describe', () => {
  test('a base model can be renamed, restricted and hidden', async () => {
    const server = await aServer({ models: ['base'] });
    const { prefix, operator } = await aConnection({ kind: 'compat', url: server.compatUrl });
    const id = `${prefix}.base`;
    const [friend, stranger] = [await aUser(), await aUser()];
    expect((await create(operator, { id, name: 'Friendly name', meta: { description: 'From us' } })).status).toBe(200);
    expect((await get(stranger, id)).body).toMatchObject({
      name: 'Friendly name',
      meta: { description: 'From us' },
      base_model_id: null,
    });
    const grants = [{ principal_type: 'user', principal_id: friend.userId }];
    await call('POST /api/v1/models/model/access/update', { id, access_grants: grants }, operator);
    expect([(await get(friend, id)).status, (await get(stranger, id)).status]).toEqual([200, 404]);
    await call(`POST /api/v1/models/model/toggle?id=${encodeURIComponent(id)}`, undefined, operator);
    expect((await get(friend, id)).status).toBe(404);
    expect((await call('POST /api/v1/models/model/delete', { id }, operator)).body).toBe(true);
    expect((await get(stranger, id)).status).toBe(200);
  });

  test('access to a bare base model is said without describing it first', async () => {
    const server = await aServer({ models: ['bare'] });
    const { prefix, operator } = await aConnection({ kind: 'compat', url: server.compatUrl });
    const id = `${prefix}.bare`;
    expect((await call('POST /api/v1/models/model/access/update', { id, access_grants: [] }, operator)).status).toBe(
      200,
    );
    expect((await get(await aUser(), id)).status).toBe(404);
    await call('POST /api/v1/models/model/delete', { id }, operator);
  });

  test('a model over a base model is for whoever may use that, unless it says otherwise', async () => {
    const server = await aServer({ models: ['inner'] });
    const { prefix, operator } = await aConnection({ kind: 'compat', url: server.compatUrl, access: 'restricted' });
    const [person, friend] = [await aUser(), await aUser()];
    const [inherits, open] = [anId(), anId()];
    const base_model_id = `${prefix}.inner`;
    await create(operator, { id: inherits, base_model_id, name: 'Inherits' });
    await create(operator, {
      id: open,
      base_model_id,
      name: 'Open',
      access_grants: [{ principal_type: 'user', principal_id: friend.userId }],
    });
    expect([(await get(person, inherits)).status, (await get(person, open)).status]).toEqual([404, 404]);
    expect([(await get(friend, inherits)).status, (await get(friend, open)).status]).toEqual([404, 200]);
    for (const id of [inherits, open]) await call('POST /api/v1/models/model/delete', { id }, operator);
  });
});
