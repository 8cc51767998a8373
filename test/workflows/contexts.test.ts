import { describe, expect, test } from 'vitest';
import { openTable } from '../../shared/store/table.ts';
import { aUser } from '../support/people.ts';
import { as, aTeam, aWorkflow } from './making.ts';

const CATALOGS = '/api/v1/catalogs';
const SPACES = '/api/v1/spaces';
const connection = {
  name: 'Main',
  base_url: 'https://models.example.com/v1/',
  model: 'm-1',
  api_key: 'sk-very-secret-1234',
};

describe('catalogs', () => {
  test('the key is sealed at rest and never shown again', async () => {
    const person = await aUser();
    const me = as(person);
    const { status, body } = await me.call(`POST ${CATALOGS}`, connection);
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { name: 'Main', base_url: 'https://models.example.com/v1', has_key: true, key_hint: '…1234' },
    });
    const row = await openTable('workflows').get({ pk: `CATALOGS#user:${person.userId}`, sk: body.id });
    expect(JSON.stringify(row)).not.toContain('very-secret');
    for (const answer of [await me.call(`GET ${CATALOGS}/${body.id}`), await me.call(`GET ${CATALOGS}`)]) {
      expect(JSON.stringify(answer.body)).not.toMatch(/very-secret|sealed/);
    }
  });

  test('a key does not follow its catalog to another address', async () => {
    const me = as(await aUser());
    const { id } = (await me.call(`POST ${CATALOGS}`, connection)).body;
    expect((await me.call(`PATCH ${CATALOGS}/${id}`, { model: 'm-2' })).body).toMatchObject({
      model: 'm-2',
      has_key: true,
    });
    const moved = await me.call(`PATCH ${CATALOGS}/${id}`, { base_url: 'https://elsewhere.example.com' });
    expect(moved.body).toMatchObject({ has_key: false, key_hint: null });
  });

  test('bad addresses are refused', async () => {
    const me = as(await aUser());
    for (const base_url of ['ftp://x', 'nonsense', 'https://user:pass@host']) {
      expect((await me.call(`POST ${CATALOGS}`, { ...connection, base_url })).status).toBe(422);
    }
  });

  test('a private catalog is hidden from colleagues; a shared one may be used but not changed by them', async () => {
    const { orgId, admin, member } = await aTeam();
    const other = await aUser({ orgId });
    const hidden = (await as(member).call(`POST ${CATALOGS}`, { ...connection, visibility: 'private' })).body;
    const shared = (await as(member).call(`POST ${CATALOGS}`, connection)).body;
    expect((await as(other).call(`GET ${CATALOGS}/${hidden.id}`)).status).toBe(404);
    expect((await as(other).call(`GET ${CATALOGS}`)).body.data).toHaveLength(1);
    expect((await as(other).call(`PATCH ${CATALOGS}/${shared.id}`, { name: 'Mine' })).status).toBe(403);
    expect((await as(other).call(`DELETE ${CATALOGS}/${shared.id}`)).status).toBe(403);
    expect((await as(admin).call(`DELETE ${CATALOGS}/${hidden.id}`)).status).toBe(204);
    expect((await as(await aUser()).call(`GET ${CATALOGS}/${shared.id}`)).status).toBe(404);
    const named = await as(other).call('POST /', { name: 'x', catalog_id: hidden.id });
    expect(named.status).toBe(422);
    expect((await as(other).call('POST /', { name: 'x', catalog_id: shared.id })).body.catalog_id).toBe(shared.id);
  });
});

describe('spaces', () => {
  test('a space keeps instructions, variables and members', async () => {
    const me = as(await aUser());
    const input = { name: 'Support', instructions: 'Be kind.', variables: { region: 'eu', limits: { max: 3 } } };
    const { status, body } = await me.call(`POST ${SPACES}`, input);
    expect({ status, body }).toMatchObject({ status: 201, body: { ...input, members: [], visibility: 'tenant' } });
    const changed = await me.call(`PATCH ${SPACES}/${body.id}`, { variables: { region: 'us' } });
    expect(changed.body).toMatchObject({ instructions: 'Be kind.', variables: { region: 'us' }, revision: 2 });
    expect((await me.call(`DELETE ${SPACES}/${body.id}`)).status).toBe(204);
    expect((await me.call(`GET ${SPACES}/${body.id}`)).status).toBe(404);
  });

  test('a space for its members is hidden from others; viewers look, editors change', async () => {
    const { orgId, member } = await aTeam();
    const [viewer, editor, outsider] = [await aUser({ orgId }), await aUser({ orgId }), await aUser({ orgId })];
    const members = [
      { user_id: viewer.userId, role: 'viewer' },
      { user_id: editor.userId, role: 'editor' },
    ];
    const { id } = (await as(member).call(`POST ${SPACES}`, { name: 'Closed', visibility: 'members', members })).body;
    const change = (person: typeof viewer) => as(person).call(`PATCH ${SPACES}/${id}`, { name: 'New' });
    expect((await as(outsider).call(`GET ${SPACES}/${id}`)).status).toBe(404);
    expect((await as(outsider).call('POST /', { name: 'x', space_id: id })).status).toBe(422);
    expect((await as(viewer).call(`GET ${SPACES}/${id}`)).status).toBe(200);
    expect((await change(viewer)).status).toBe(403);
    expect((await change(editor)).status).toBe(200);
    const { id: workflow } = await aWorkflow(viewer);
    expect((await as(viewer).call(`PATCH /${workflow}`, { space_id: id })).body.space_id).toBe(id);
  });

  test('knowledge that does not exist is refused', async () => {
    const answer = await as(await aUser()).call(`POST ${SPACES}`, {
      name: 'x',
      knowledge: [{ type: 'collection', id: 'k' }],
    });
    expect(answer.status).toBe(422);
  });
});
