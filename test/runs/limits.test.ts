import { expect, test } from 'vitest';
import { MAX_DEPTH } from '../../shared/events/loop.ts';
import { createSpill } from '../../shared/store/spill.ts';
import { openTable } from '../../shared/store/table.ts';
import { transact } from '../../shared/store/transaction.ts';
import { workflowPartition } from '../../shared/workflow/keys.ts';
import { markDeleted } from '../../shared/workflow/purge.ts';
import { runIdOf } from '../../shared/workflow/run-record.ts';
import { runStart } from '../../shared/workflow/run-start.ts';
import { sweepDue } from '../../functions/runs/sweeper.ts';
import { call } from '../support/call.ts';
import '../support/host.ts';
import { aUser } from '../support/people.ts';
import { as, aPublishedWorkflow, chain, edge, node } from '../workflows/making.ts';
import { ended, runGraph } from './running.ts';

const spill = createSpill();

test('a run at the end of a long chain may not publish another event', async () => {
  const person = await aUser();
  const { id } = await aPublishedWorkflow(
    person,
    chain({ tell: { kind: 'emit_event', config: { event_type: 'on_and_on' } } }),
  );
  const run_id = runIdOf(id, 'deep');
  const start = {
    tenant: `user:${person.userId}`,
    run_id,
    workflow_id: id,
    version: 1,
    version_id: 'v1',
    trigger: { type: 'event' as const, trigger_id: 't', event_id: 'e', scheduled_for: null },
    correlation_id: 'c',
    user_id: person.userId,
    catalog_id: null,
    space_id: null,
    depth: MAX_DEPTH,
    root_event_id: 'evt_root',
    chain: [],
    event: null,
    input: {},
  };
  await transact(await runStart(spill, start, Date.now()));
  const run = await ended(person, { workflow_id: id, run_id });
  expect(run).toMatchObject({
    status: 'failed',
    error: { node_id: 'tell', message: expect.stringContaining('chain of runs') },
  });
  const { body } = await call('GET /api/v1/events?event_type=on_and_on', undefined, { token: person.token });
  expect(body.data).toEqual([]);
});

test('a run publishes fifty events and no more', async () => {
  const person = await aUser();
  const body = {
    nodes: [node('s', 'start'), node('tell', 'emit_event'), node('e', 'end')],
    edges: [edge('s', 'tell'), edge('tell', 'e')],
    configs: { tell: { event_type: 'many', payload: 'item' } },
  };
  const graph = chain({
    each: { kind: 'map', config: { list: 'list(range(60))', body, on_item_error: 'skip', concurrency: 10 } },
  });
  const { run } = await runGraph(person, graph);
  expect(run.output).toHaveLength(50);
  const events = await call('GET /api/v1/events?event_type=many&limit=100', undefined, { token: person.token });
  expect(events.body.data).toHaveLength(50);
});

test('a deletion that stopped half-way is finished by the sweeper', async () => {
  const person = await aUser();
  const { id } = await aPublishedWorkflow(person);
  const tenant = `user:${person.userId}`;
  await markDeleted({ tenant, workflowId: id }, Date.now() - 120_000);
  expect((await as(person).call(`GET /${id}`)).status).toBe(404);
  const rows = async () => (await openTable('workflows').query({ pk: workflowPartition(tenant, id) })).rows;
  expect((await rows()).length).toBeGreaterThan(2);
  await sweepDue(spill, Date.now());
  expect(await rows()).toEqual([]);
});
