import { describe, expect, test } from 'vitest';
import { aUser } from '../support/people.ts';
import { verifies } from '../support/verifies.ts';
import { openTable } from '../../shared/store/table.ts';
import { triggerKey, workflowPartition } from '../../shared/workflow/keys.ts';
import { aPublishedWorkflow, as, aWorkflow, chain, edge, node, publish, simpleGraph, transform } from './making.ts';

describe('snapshots', () => {
  verifies(
    ['versions/manual-snapshot', 'versions/manual-keeps-status', 'versions/type', 'versions/timestamp-author'],
    'a manual snapshot can be made in any status and leaves it as it was',
    async () => {
      const person = await aUser();
      const me = as(person);
      const { id, revision } = await aWorkflow(person);
      for (const [move, status] of [
        ['', 'Draft'],
        ['stage', 'staged'],
        ['approve', 'Published'],
      ] as const) {
        if (move) expect((await me.call(`POST /${id}/${move}`, {})).status).toBe(200);
        const before = Date.now();
        const { body, status: code } = await me.call(`POST /${id}/snapshot`, { notes: `while ${status}` });
        expect({ code, body }).toMatchObject({
          code: 201,
          body: {
            type: 'Manual',
            notes: `while ${status}`,
            author: { user_id: person.userId, name: person.name },
            is_live: false,
          },
        });
        expect(body.timestamp).toBeGreaterThanOrEqual(before - 5);
        expect((await me.call(`GET /${id}`)).body.status).toBe(status);
      }
      expect((await me.call(`GET /${id}`)).body.revision).toBe(revision + 2);
    },
  );

  verifies(
    ['versions/number', 'versions/list', 'versions/kept', 'limits/snapshots-unlimited'],
    'fifty snapshots at the same moment get fifty consecutive numbers and all stay',
    async () => {
      const me = as(await aUser());
      const { id } = (await me.call('POST /', { name: 'Busy', graph: simpleGraph() })).body;
      const made = await Promise.all(Array.from({ length: 50 }, () => me.call(`POST /${id}/snapshot`, {})));
      expect(made.map(({ status }) => status)).toEqual(made.map(() => 201));
      const numbers = made.map(({ body }) => Number(body.version)).toSorted((a, b) => a - b);
      expect(numbers).toEqual(Array.from({ length: 50 }, (_, at) => at + 1));
      const first = await me.call(`GET /${id}/versions?limit=30`);
      const second = await me.call(`GET /${id}/versions?limit=30&cursor=${first.body.next_cursor}`);
      const listed = [...first.body.data, ...second.body.data].map(({ version }) => version);
      expect(listed).toEqual(numbers.toReversed());
      expect(second.body.next_cursor).toBeNull();
    },
  );

  verifies(
    ['versions/get', 'versions/full-graph'],
    'a snapshot is read by id or number, with its full graph',
    async () => {
      const person = await aUser();
      const me = as(person);
      const { id, graph } = await aWorkflow(person);
      const { body: made } = await me.call(`POST /${id}/snapshot`, {});
      for (const name of [made.version_id, String(made.version)]) {
        const { body } = await me.call(`GET /${id}/versions/${name}`);
        expect(body).toMatchObject({
          version_id: made.version_id,
          graph: { nodes: graph.nodes, edges: graph.edges, configs: graph.configs },
        });
      }
      for (const name of ['v99', '0', 'nonsense', 'v1%23x', 'live']) {
        expect((await me.call(`GET /${id}/versions/${name}`)).status).toBe(404);
      }
    },
  );

  test('a graph too large for a row is kept whole, in snapshots too', async () => {
    const person = await aUser();
    const me = as(person);
    const long = 'x'.repeat(90_000);
    const graph = chain(
      Object.fromEntries(
        ['a', 'b', 'c', 'd', 'e'].map((id) => [id, { kind: 'agent', config: { system_prompt: `${id}${long}` } }]),
      ),
    );
    const { id } = await aWorkflow(person, graph);
    const { body: snapshot } = await me.call(`POST /${id}/snapshot`, {});
    await me.call(`PUT /${id}`, { graph: simpleGraph() });
    await me.call(`PUT /${id}`, { graph: { ...graph, configs: { ...graph.configs, a: {} } } });
    const kept = await me.call(`GET /${id}/versions/${snapshot.version_id}`);
    expect(kept.body.graph.configs.e.system_prompt).toBe(`e${long}`);
    expect((await me.call(`GET /${id}`)).body.graph.configs.b.system_prompt).toBe(`b${long}`);
    const tooLarge = await me.call(`PUT /${id}`, {
      graph: { ...graph, configs: { a: { notes: 'x'.repeat(1_100_000) } } },
    });
    expect(tooLarge.status).toBe(413);
  });
});

describe('rollback', () => {
  verifies(
    ['versions/rollback', 'versions/rollback-saves-current', 'versions/rollback-draft', 'workflows/live-pointer'],
    'publish, edit, roll back and publish again: states, snapshots and the live pointer follow the table',
    async () => {
      const person = await aUser();
      const me = as(person);
      const first = await aPublishedWorkflow(person, simpleGraph('1'));
      const { id } = first;
      expect(first).toMatchObject({ status: 'Published', live_version: { version_id: 'v1', version: 1 } });

      const edited = await me.call(`PUT /${id}`, { graph: simpleGraph('2') });
      expect(edited.body).toMatchObject({ status: 'Draft', live_version: { version: 1 } });

      const { status, body } = await me.call(`POST /${id}/rollback`, { version_id: 'v1', notes: 'back to one' });
      expect({ status, body }).toMatchObject({
        status: 200,
        body: {
          workflow: {
            status: 'Draft',
            live_version: { version: 1 },
            graph: { configs: { work: { values: { value: '1' } } } },
          },
          saved_snapshot: { version: 2, type: 'Manual', notes: 'back to one', before_rollback_to: 'v1' },
          restored_from: { version: 1, type: 'Published', is_live: true },
        },
      });
      const saved = await me.call(`GET /${id}/versions/v2`);
      expect(saved.body.graph.configs.work.values.value).toBe('2');
      expect((await me.call(`GET /${id}/versions/v1/diff/draft`)).body.summary.nodes).toMatchObject({ changed: 0 });

      expect((await me.call(`POST /${id}/approve`, {})).status).toBe(409);
      const again = await publish(person, id);
      expect(again).toMatchObject({
        status: 'Published',
        live_version: { version: 3 },
        snapshot: { version: 3, type: 'Published' },
      });
      const { body: list } = await me.call(`GET /${id}/versions`);
      expect(list.live_version_id).toBe('v3');
      expect(list.data.map((one: { version: number; is_live: boolean }) => [one.version, one.is_live])).toEqual([
        [3, true],
        [2, false],
        [1, false],
      ]);
    },
  );

  verifies(
    'versions/rollback-draft',
    'a Published workflow becomes a Draft by rollback, a staged one refuses it',
    async () => {
      const person = await aUser();
      const me = as(person);
      const { id } = await aPublishedWorkflow(person);
      expect((await me.call(`POST /${id}/rollback`, { version_id: 'v1', notes: '' })).body.workflow.status).toBe(
        'Draft',
      );
      await me.call(`POST /${id}/stage`, {});
      expect((await me.call(`POST /${id}/rollback`, { version_id: 'v1', notes: '' })).status).toBe(409);
      expect((await me.call(`GET /${id}`)).body.status).toBe('staged');
    },
  );

  verifies('versions/rollback-missing', 'rolling back to a snapshot that does not exist changes nothing', async () => {
    const person = await aUser();
    const me = as(person);
    const { id } = await aPublishedWorkflow(person);
    const before = (await me.call(`GET /${id}`)).body;
    for (const version_id of ['v9', 'zebra']) {
      expect((await me.call(`POST /${id}/rollback`, { version_id, notes: 'x' })).status).toBe(404);
    }
    expect((await me.call(`POST /${id}/rollback`, { notes: 'x' })).status).toBe(422);
    expect((await me.call(`GET /${id}`)).body).toEqual(before);
    expect((await me.call(`GET /${id}/versions`)).body.data).toHaveLength(1);
  });

  test('a rollback and edits at the same moment leave one history without gaps', async () => {
    const person = await aUser();
    const me = as(person);
    const { id } = await aPublishedWorkflow(person);
    const results = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        at % 2
          ? me.call(`POST /${id}/rollback`, { version_id: 'v1', notes: '' })
          : me.call(`PUT /${id}`, { graph: simpleGraph(String(at)) }),
      ),
    );
    expect(results.map(({ status }) => status)).toEqual(results.map(() => 200));
    const { body } = await me.call(`GET /${id}/versions`);
    expect(body.data.map(({ version }: { version: number }) => version)).toEqual([7, 6, 5, 4, 3, 2, 1]);
    expect((await me.call(`GET /${id}`)).body.revision).toBe(3 + 12);
  });
});

describe('diff', () => {
  verifies(
    [
      'versions/diff',
      'versions/diff-added',
      'versions/diff-removed',
      'versions/diff-changed',
      'versions/diff-unchanged',
      'versions/diff-config-fields',
    ],
    'a diff marks what was added, removed and changed, with the fields of both sides',
    async () => {
      const person = await aUser();
      const me = as(person);
      const graph = chain({
        keep: transform({ a: '1' }),
        alter: transform({ a: '1', b: '2' }),
        drop: transform({ c: '3' }),
      });
      const { id } = await aWorkflow(person, graph);
      await me.call(`POST /${id}/snapshot`, {});
      await me.call(`PUT /${id}`, {
        graph: {
          ...graph,
          nodes: [...graph.nodes.filter((one) => one.id !== 'drop'), node('fresh', 'transform')],
          edges: [edge('start', 'keep'), edge('keep', 'alter'), edge('alter', 'fresh'), edge('fresh', 'end')],
          configs: {
            keep: { values: { a: '1' } },
            alter: { values: { a: '1', b: '22' } },
            fresh: { values: { d: '4' } },
          },
        },
      });
      const { body } = await me.call(`GET /${id}/versions/1/diff/draft`);
      const marks = Object.fromEntries(body.nodes.map((one: { id: string; mark: string }) => [one.id, one.mark]));
      expect(marks).toEqual({ start: null, keep: null, alter: 'yellow', fresh: 'green', drop: 'red', end: null });
      expect(body.nodes.find((one: { id: string }) => one.id === 'alter')).toMatchObject({
        status: 'changed',
        fields: [{ path: 'config.values.b', op: 'changed', before: '2', after: '22' }],
        before: { config: { values: { a: '1', b: '2' } } },
        after: { config: { values: { a: '1', b: '22' } } },
      });
      expect(body.edges).toEqual(
        expect.arrayContaining([
          { source: 'alter', source_handle: 'out', target: 'fresh', status: 'added', mark: 'green' },
          { source: 'drop', source_handle: 'out', target: 'end', status: 'removed', mark: 'red' },
          { source: 'start', source_handle: 'out', target: 'keep', status: 'unchanged', mark: null },
        ]),
      );
      expect(body.summary).toMatchObject({ nodes: { added: 1, removed: 1, changed: 1, unchanged: 3 } });
      expect({ a: body.a, b: body.b }).toMatchObject({
        a: { version_id: 'v1', type: 'Manual' },
        b: { version_id: 'draft', version: null },
      });
    },
  );

  test('a side that does not exist is not found', async () => {
    const person = await aUser();
    const { id } = await aWorkflow(person);
    for (const pair of ['draft/diff/live', '1/diff/draft', 'draft/diff/v5']) {
      expect((await as(person).call(`GET /${id}/versions/${pair}`)).status).toBe(404);
    }
  });
});

verifies(
  'limits/snapshots-deleted-with-workflow',
  'deleting a workflow deletes its snapshots, graphs, reviews and triggers',
  async () => {
    const person = await aUser();
    const me = as(person);
    const { id } = await aPublishedWorkflow(person);
    await Promise.all(Array.from({ length: 5 }, () => me.call(`POST /${id}/snapshot`, {})));
    const table = openTable('workflows');
    const tenant = `user:${person.userId}`;
    await table.put({ ...triggerKey(tenant, id, 't1'), name: 'a trigger' });
    const rows = async () => (await table.query({ pk: workflowPartition(tenant, id) })).rows;
    expect((await rows()).length).toBeGreaterThan(8);
    expect((await me.call(`DELETE /${id}`)).status).toBe(204);
    expect(await rows()).toEqual([]);
    for (const target of [`GET /${id}`, `GET /${id}/versions`, `GET /${id}/versions/v1`, `DELETE /${id}`]) {
      expect((await me.call(target)).status).toBe(404);
    }
    expect((await me.call('GET /')).body.data).toEqual([]);
  },
);
