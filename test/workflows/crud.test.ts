import { describe, expect, test } from 'vitest';
import { aUser } from '../support/people.ts';
import { aPublishedWorkflow, as, aTeam, aWorkflow, simpleGraph } from './making.ts';

describe('workflows', () => {
  test('a new workflow is a Draft with a start and an end', async () => {
    const person = await aUser();
    const { status, body } = await as(person).call('POST /', { name: ' Orders ' });
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { name: 'Orders', status: 'Draft', revision: 1, live_version: null, user_id: person.userId, warnings: [] },
    });
    expect(body.graph.nodes.map((one: { id: string }) => one.id)).toEqual(['start', 'end']);
    expect((await as(person).call(`GET /${body.id}`)).body).toEqual(body);
  });

  test('what belongs to others is not found, whatever is tried', async () => {
    const [owner, stranger] = [await aUser(), await aUser()];
    const { id } = await aPublishedWorkflow(owner);
    const tried = [
      [`GET /${id}`],
      [`PUT /${id}`, { name: 'x' }],
      [`DELETE /${id}`],
      [`POST /${id}/stage`, {}],
      [`POST /${id}/approve`, {}],
      [`POST /${id}/snapshot`, {}],
      [`POST /${id}/rollback`, { version_id: 'v1', notes: '' }],
      [`POST /${id}/duplicate`],
      [`GET /${id}/versions`],
      [`GET /${id}/versions/v1`],
      [`GET /${id}/versions/v1/diff/draft`],
      [`GET /${id}/reviews`],
      [`POST /${id}/validate`, {}],
    ] as const;
    for (const [target, body] of tried) expect((await as(stranger).call(target, body)).status).toBe(404);
    expect((await as(stranger).call('GET /')).body.data).toEqual([]);
    expect((await as(owner).call(`GET /${id}`)).body.status).toBe('Published');
  });

  test('members of an organization share its workflows; only the creator and administrators delete', async () => {
    const { orgId, admin, member } = await aTeam();
    const other = await aUser({ orgId });
    const { id } = await aWorkflow(member);
    expect((await as(other).call(`PUT /${id}`, { name: 'Shared' })).body.updated_by.user_id).toBe(other.userId);
    expect((await as(other).call(`DELETE /${id}`)).status).toBe(403);
    expect((await as(admin).call(`DELETE /${id}`)).status).toBe(204);
  });

  test('If-Match keeps the change of somebody else from being overwritten', async () => {
    const person = await aUser();
    const me = as(person);
    const { id, revision } = await aWorkflow(person);
    const first = await me.call(`PUT /${id}`, { name: 'One' }, { 'if-match': `"${revision}"` });
    expect(first.headers.get('etag')).toBe(`"${revision + 1}"`);
    const second = await me.call(`PUT /${id}`, { name: 'Two' }, { 'if-match': String(revision) });
    expect(second).toMatchObject({ status: 409, body: { error: { code: 'stale_version', revision: revision + 1 } } });
    expect((await me.call(`PUT /${id}`, { name: 'Two' }, { 'if-match': 'soon' })).status).toBe(422);
    expect((await me.call(`GET /${id}`)).body.name).toBe('One');
  });

  test('settings that are not sent stay, wherever they were given', async () => {
    const person = await aUser();
    const me = as(person);
    const { id } = await aWorkflow(person);
    await me.call(`PATCH /${id}`, { settings: { timeout_s: 60 } });
    const { body } = await me.call(`PUT /${id}`, { graph: { ...simpleGraph('2'), settings: { max_steps: 9 } } });
    expect(body.graph.settings).toMatchObject({ timeout_s: 60, max_steps: 9, retention_days: 30 });
  });

  test('the list is newest first, filtered and paged', async () => {
    const person = await aUser();
    const me = as(person);
    for (const name of ['Alpha one', 'Beta', 'alpha two', 'Gamma']) await me.call('POST /', { name });
    const names = async (query: string) =>
      (await me.call(`GET /?${query}`)).body.data.map((one: { name: string }) => one.name);
    expect(await names('q=ALPHA')).toEqual(['alpha two', 'Alpha one']);
    expect(await names('status=staged')).toEqual([]);
    const first = (await me.call('GET /?limit=3')).body;
    expect(first.data.map((one: { name: string }) => one.name)).toEqual(['Gamma', 'alpha two', 'Beta']);
    expect(first.data[0]).not.toHaveProperty('graph');
    expect(await names(`limit=3&cursor=${first.next_cursor}`)).toEqual(['Alpha one']);
    expect((await me.call('GET /?cursor=nonsense')).status).toBe(400);
  });

  test('discarding a draft returns to the published graph', async () => {
    const person = await aUser();
    const me = as(person);
    const { id } = await aPublishedWorkflow(person, simpleGraph('1'));
    await me.call(`PUT /${id}`, { graph: simpleGraph('2') });
    const { body } = await me.call(`POST /${id}/discard-draft`);
    expect(body).toMatchObject({ status: 'Published', graph: { configs: { work: { values: { value: '1' } } } } });
    const fresh = await aWorkflow(person);
    expect((await me.call(`POST /${fresh.id}/discard-draft`)).status).toBe(409);
  });

  test('a duplicate is a Draft of its own', async () => {
    const person = await aUser();
    const { id } = await aPublishedWorkflow(person);
    const { status, body } = await as(person).call(`POST /${id}/duplicate`);
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { name: 'Orders (copy)', status: 'Draft', live_version: null },
    });
    expect(body.id).not.toBe(id);
  });

  test('pausing, archiving and taking back are flags beside the status', async () => {
    const person = await aUser();
    const me = as(person);
    const { id } = await aPublishedWorkflow(person);
    expect((await me.call(`POST /${id}/pause`)).body).toMatchObject({ paused: true, status: 'Published' });
    expect((await me.call(`POST /${id}/resume`)).body).toMatchObject({ paused: false, status: 'Published' });
    expect((await me.call(`POST /${id}/archive`)).body).toMatchObject({ archived: true, status: 'Draft' });
    expect((await me.call(`PUT /${id}`, { name: 'x' })).status).toBe(409);
    expect((await me.call('GET /')).body.data).toEqual([]);
    expect((await me.call('GET /?archived=true')).body.data).toHaveLength(1);
    expect((await me.call(`POST /${id}/unarchive`)).body).toMatchObject({ archived: false, status: 'Draft' });
  });

  test('a graph can be checked without saving it', async () => {
    const person = await aUser();
    const me = as(person);
    const { id, revision } = await aWorkflow(person);
    expect((await me.call(`POST /${id}/validate`)).body).toMatchObject({ valid: true, errors: [] });
    const { body } = await me.call(`POST /${id}/validate`, { graph: { nodes: [] } });
    expect(body).toMatchObject({ valid: false, errors: [{ code: 'no_start' }, { code: 'no_end' }] });
    expect((await me.call(`GET /${id}`)).body.revision).toBe(revision);
  });

  test('hostile graphs are refused before anything walks them', async () => {
    const person = await aUser();
    const deep = '['.repeat(50_000) + ']'.repeat(50_000);
    const { id } = await aWorkflow(person);
    const body = `{"graph":{"nodes":[{"id":"a","kind":"tool"}],"configs":{"a":{"arguments":{"x":${deep}}}}}}`;
    const answer = await as(person).call(`PUT /${id}`, body, { 'content-type': 'application/json' });
    expect(answer.status).toBe(422);
    expect((await as(person).call(`PUT /${id}`, { graph: { nodes: 'none' } })).status).toBe(422);
  });

  test('the kinds of nodes come with their schemas', async () => {
    const { body } = await as(await aUser()).call('GET /node-kinds');
    expect(body.data.find((one: { kind: string }) => one.kind === 'http').config_schema.properties).toHaveProperty(
      'url',
    );
  });
});
