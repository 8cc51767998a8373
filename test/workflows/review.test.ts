import { describe, expect, test } from 'vitest';
import { aUser } from '../support/people.ts';
import { verifies } from '../support/verifies.ts';
import { aPublishedWorkflow, as, aTeam, aWorkflow, chain, simpleGraph, transform } from './making.ts';

describe('review and publication', () => {
  verifies(
    ['workflows/statuses', 'workflows/publish', 'workflows/publish-snapshot', 'workflows/live-pointer'],
    'a Draft is staged, approved by a reviewer and Published with a snapshot that becomes the live version',
    async () => {
      const { admin, member } = await aTeam();
      const { id, status } = await aWorkflow(member);
      expect(status).toBe('Draft');
      const staged = await as(member).call(`POST /${id}/stage`, { notes: 'please look' });
      expect(staged.body).toMatchObject({
        status: 'staged',
        live_version: null,
        review: { state: 'pending', notes: 'please look', requested_by: { user_id: member.userId } },
      });
      const { body } = await as(admin).call(`POST /${id}/approve`, { notes: 'looks good' });
      expect(body).toMatchObject({
        status: 'Published',
        live_version: { version_id: 'v1', version: 1, published_by: { user_id: admin.userId } },
        review: { state: 'approved', decided_by: { user_id: admin.userId }, decision_notes: 'looks good' },
        snapshot: { version: 1, type: 'Published', is_live: true, author: { user_id: admin.userId } },
      });
      const versions = await as(member).call(`GET /${id}/versions`);
      expect(versions.body).toMatchObject({ live_version_id: 'v1', data: [{ version: 1, type: 'Published' }] });
      const history = await as(member).call(`GET /${id}/reviews`);
      expect(history.body.data).toMatchObject([
        { state: 'approved', notes: 'please look', decision_notes: 'looks good' },
      ]);
    },
  );

  verifies('workflows/publish-staged-only', 'only a staged workflow can be approved', async () => {
    const person = await aUser();
    const { id } = await aWorkflow(person);
    const me = as(person);
    const draft = await me.call(`POST /${id}/approve`, {});
    expect({ status: draft.status, code: draft.body.error.code }).toEqual({ status: 409, code: 'conflict' });
    await me.call(`POST /${id}/stage`, {});
    expect((await me.call(`POST /${id}/publish`, {})).status).toBe(200);
    expect((await me.call(`POST /${id}/publish`, {})).status).toBe(409);
    expect((await me.call(`GET /${id}/versions`)).body.data).toHaveLength(1);
  });

  verifies('workflows/live-pointer', 'two approvals at the same moment publish one version', async () => {
    const person = await aUser();
    const me = as(person);
    const { id } = await aWorkflow(person);
    await me.call(`POST /${id}/stage`, {});
    const both = await Promise.all([me.call(`POST /${id}/approve`, {}), me.call(`POST /${id}/approve`, {})]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect((await me.call(`GET /${id}/versions`)).body.data).toHaveLength(1);
  });

  test('a graph with errors cannot be staged, and every error is told', async () => {
    const person = await aUser();
    const graph = chain({ a: transform({ x: 'nope +' }), b: { kind: 'http', config: { colour: 1 } } });
    const { id, warnings } = await aWorkflow(person, graph);
    expect(warnings.map(({ code }: { code: string }) => code)).toEqual(
      expect.arrayContaining(['bad_expression', 'bad_config']),
    );
    const { status, body } = await as(person).call(`POST /${id}/stage`, {});
    expect(status).toBe(422);
    expect(body.error.problems.map((one: { node_id: string }) => one.node_id)).toEqual(
      expect.arrayContaining(['a', 'b']),
    );
    expect(body.detail).toEqual(expect.arrayContaining([expect.objectContaining({ type: 'bad_expression' })]));
    expect((await as(person).call(`GET /${id}`)).body.status).toBe('Draft');
  });

  test('editing a staged workflow supersedes its review and keeps the live version', async () => {
    const person = await aUser();
    const me = as(person);
    const { id } = await aPublishedWorkflow(person);
    await me.call(`PUT /${id}`, { graph: simpleGraph('2') });
    await me.call(`POST /${id}/stage`, {});
    const edited = await me.call(`PUT /${id}`, { graph: simpleGraph('3') });
    expect(edited.body).toMatchObject({ status: 'Draft', review: null, live_version: { version: 1 } });
    const { body } = await me.call(`GET /${id}/reviews`);
    expect(body.data.map(({ state }: { state: string }) => state)).toEqual(['superseded', 'approved']);
  });

  test('a new name or layout leaves a Published workflow Published', async () => {
    const person = await aUser();
    const me = as(person);
    const { id, graph } = await aPublishedWorkflow(person);
    const moved = { ...graph, nodes: graph.nodes.map((one: object) => ({ ...one, position: { x: 7, y: 7 } })) };
    const { body } = await me.call(`PATCH /${id}`, { name: 'Renamed', graph: moved });
    expect(body).toMatchObject({
      status: 'Published',
      name: 'Renamed',
      graph: { nodes: [{ position: { x: 7, y: 7 } }, {}, {}] },
    });
    const diff = await me.call(`GET /${id}/versions/live/diff/draft`);
    expect(
      diff.body.nodes.every((one: { status: string; moved: boolean }) => one.status === 'unchanged' && one.moved),
    ).toBe(true);
  });

  test('an approval names the graph it is about', async () => {
    const person = await aUser();
    const me = as(person);
    const { id, graph_hash } = await aWorkflow(person);
    await me.call(`POST /${id}/stage`, {});
    expect((await me.call(`POST /${id}/approve`, { graph_hash: 'of another graph' })).status).toBe(409);
    expect((await me.call(`POST /${id}/approve`, { graph_hash })).status).toBe(200);
  });

  test('withdrawing and rejecting lead back to Draft; a rejection says why', async () => {
    const { admin, member } = await aTeam();
    const { id } = await aWorkflow(member);
    await as(member).call(`POST /${id}/stage`, {});
    expect((await as(member).call(`POST /${id}/withdraw`)).body.status).toBe('Draft');
    await as(member).call(`POST /${id}/stage`, {});
    expect((await as(admin).call(`POST /${id}/reject`, {})).status).toBe(422);
    const { body } = await as(admin).call(`POST /${id}/reject`, { notes: 'too slow' });
    expect(body).toMatchObject({ status: 'Draft', review: { state: 'rejected', decision_notes: 'too slow' } });
  });
});

describe('who may review', () => {
  test('a member who is no reviewer may neither approve, reject nor unpublish', async () => {
    const { admin, member } = await aTeam();
    const { id } = await aWorkflow(member);
    await as(member).call(`POST /${id}/stage`, {});
    expect((await as(member).call(`POST /${id}/approve`, {})).status).toBe(403);
    expect((await as(member).call(`POST /${id}/reject`, { notes: 'x' })).status).toBe(403);
    await as(admin).call(`POST /${id}/approve`, {});
    expect((await as(member).call(`POST /${id}/unpublish`)).status).toBe(403);
    const { body } = await as(admin).call(`POST /${id}/unpublish`);
    expect(body).toMatchObject({ status: 'Draft', live_version: null });
  });

  test('where another reviewer exists, nobody approves their own work', async () => {
    const { admin, second } = await aTeam();
    const { id } = await aWorkflow(admin);
    await as(admin).call(`POST /${id}/stage`, {});
    expect((await as(admin).call(`POST /${id}/approve`, {})).status).toBe(403);
    expect((await as(second).call(`POST /${id}/approve`, {})).status).toBe(200);
  });

  test('a named reviewer may approve; strangers cannot be named', async () => {
    const { orgId, admin, member } = await aTeam();
    const reviewer = await aUser({ orgId });
    const { id } = await aWorkflow(admin);
    const stranger = await aUser();
    expect((await as(admin).call(`POST /${id}/stage`, { reviewer_ids: [stranger.userId] })).status).toBe(422);
    await as(admin).call(`POST /${id}/stage`, { reviewer_ids: [reviewer.userId] });
    const inbox = async (person: typeof member) => (await as(person).call('GET /reviews/inbox')).body.data.length;
    expect([await inbox(reviewer), await inbox(member)]).toEqual([1, 0]);
    expect((await as(reviewer).call(`POST /${id}/approve`, {})).status).toBe(200);
    expect(await inbox(reviewer)).toBe(0);
  });
});
