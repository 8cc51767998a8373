import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aServer, completion, type TestServer } from '../runs/model-server.ts';
import { ended, stepsOf } from '../runs/running.ts';
import { call } from '../support/call.ts';
import { aUser, type Person } from '../support/people.ts';
import { verifies } from '../support/verifies.ts';
import { aPublishedWorkflow, deliveriesOf, eventually, triggers, type Row } from '../triggers/published.ts';
import { chain, transform } from '../workflows/making.ts';
import { openLive } from './live.ts';

/** A model that reads the event it is given and publishes what it decided, then says so. */
let model: TestServer;
beforeAll(async () => {
  model = await aServer(({ body }) => {
    const { messages } = body;
    if (messages.at(-1).role === 'tool') return completion('Published');
    const event = JSON.parse(messages.at(-1).content);
    return completion('', [
      {
        id: 'call_1',
        name: 'emit_event',
        args: {
          event_type: event.payload.next,
          payload: JSON.stringify({ approved: event.payload.amount < 100, amount: event.payload.amount }),
          correlation_id: event.correlation_id,
        },
      },
    ]);
  });
});
afterAll(() => model.stop());

const aType = () => `c_${randomUUID().replaceAll('-', '_')}`;
const create = async (user: Person, path: string, body: object): Promise<Row> => {
  const answer = await call(`POST ${path}`, body, user);
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body;
};
const runOf = (user: Person, { workflow_id, run_id }: Row) => ended(user, { workflow_id, run_id });

describe('a chain of workflows', () => {
  verifies(
    [
      'events/chain',
      'events/publish-emit',
      'events/source',
      'runs/event-state',
      'runs/first-input',
      'runs/emit-event-fields',
      'runs/emit-event-correlation',
      'subscriptions/catalog-id',
    ],
    'webhook → workflow A, whose agent calls emit_event → workflow B with a filter; one correlation_id runs through all of it',
    async () => {
      const user = await aUser();
      const [received, decided] = [aType(), aType()];
      const catalog = await create(user, '/api/v1/catalogs', {
        name: 'Test',
        base_url: `${model.url}/v1`,
        model: 'm-1',
      });
      const first = await aPublishedWorkflow(user, chain({ decide: { kind: 'agent', config: {} } }));
      const second = await aPublishedWorkflow(user, chain({ book: transform({ booked: 'payload["amount"]' }) }));
      const hook = await create(user, `${triggers(first)}/webhook`, {
        name: 'Orders',
        event_type: received,
        style: 'github',
        correlation_expr: 'f"order-{payload[\'order\']}"',
        catalog_id: catalog.id,
      });
      const other = await aPublishedWorkflow(user, chain({ book: transform({ booked: '0' }) }));
      await create(user, `${triggers(second)}/event`, {
        name: 'Approved',
        event_type: decided,
        filter_expr: 'payload["approved"]',
      });
      await create(user, `${triggers(other)}/event`, {
        name: 'Refused',
        event_type: decided,
        filter_expr: 'not payload["approved"]',
      });
      const order = randomUUID();
      const correlation_id = `order-${order}`;
      const live = await openLive(`/api/v1/events/stream?correlation_id=${correlation_id}`, user);

      const body = JSON.stringify({ order, amount: 40, next: decided });
      const signature = createHmac('sha256', hook.secret).update(body).digest('hex');
      const accepted = await call(`POST /api/v1/webhooks/${hook.hook_id}`, body, {
        headers: {
          'content-type': 'application/json',
          'x-hub-signature-256': `sha256=${signature}`,
          'x-github-delivery': '1',
        },
      });
      const [started] = await deliveriesOf(accepted.body.event_id, user.token);
      const runA = await runOf(user, started);
      expect(runA).toMatchObject({
        status: 'succeeded',
        correlation_id,
        depth: 0,
        trigger: { type: 'webhook', trigger_id: hook.id, event_id: accepted.body.event_id },
        state: {
          _event: {
            id: accepted.body.event_id,
            type: received,
            payload: JSON.parse(body),
            correlation_id,
            source: `webhook:${hook.hook_id}`,
            published_at: expect.any(Number),
          },
        },
      });
      const given = model.seen.find((request) => JSON.stringify(request.body).includes(order));
      expect(JSON.parse(given!.body.messages.at(-1).content)).toEqual(runA.state._event);

      const [emittedId] = (await stepsOf(user, runA))['decide'].emitted_event_ids;
      const outcomes = await deliveriesOf(emittedId, user.token);
      expect(Object.fromEntries(outcomes.map((one) => [one.workflow_id, one.outcome]))).toEqual({
        [second]: 'started',
        [other]: 'skipped_filter',
      });
      const runB = await runOf(
        user,
        outcomes.find(({ outcome }) => outcome === 'started'),
      );
      expect(runB).toMatchObject({
        status: 'succeeded',
        correlation_id,
        depth: 1,
        root_event_id: accepted.body.event_id,
        chain: [first],
      });

      const listed = await call(`GET /api/v1/events?correlation_id=${correlation_id}`, undefined, user);
      expect(listed.body.data.map((event: Row) => [event.event_id, event.event_type, event.source])).toEqual([
        [emittedId, decided, `workflow:${first}`],
        [accepted.body.event_id, received, `webhook:${hook.hook_id}`],
      ]);
      expect(listed.body.data[0].payload).toEqual({ approved: true, amount: 40 });
      const frames = await live.until(2);
      live.close();
      expect(frames.map(({ id }) => id)).toEqual([accepted.body.event_id, emittedId]);
      for (const { data } of frames) expect(data.correlation_id).toBe(correlation_id);
      const runs = await call(`GET /api/v1/agent-workflows/runs?correlation_id=${correlation_id}`, undefined, user);
      expect(runs.body.data.map((run: Row) => run.workflow_id).toReversed()).toEqual([first, second]);
    },
    60_000,
  );

  test('a workflow that publishes what starts it is stopped by the loop guard, and says so', async () => {
    const user = await aUser();
    const event_type = aType();
    const graph = chain({ again: { kind: 'emit_event', config: { event_type, payload: 'payload' } } });
    const workflowId = await aPublishedWorkflow(user, graph);
    await create(user, `${triggers(workflowId)}/event`, { name: 'Itself', event_type });
    const correlation_id = randomUUID();
    await call('POST /api/v1/events/publish', { event_type, payload: 1, correlation_id }, user);
    const runs = await eventually(async () => {
      const { body } = await call(
        `GET /api/v1/agent-workflows/${workflowId}/runs?correlation_id=${correlation_id}`,
        undefined,
        user,
      );
      return body.data.some(({ status }: Row) => status === 'failed') && body.data;
    }, 'the end of the loop');
    expect(runs.map(({ depth }: Row) => depth)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
    const last = await call(`GET /api/v1/agent-workflows/${workflowId}/runs/${runs[0].run_id}`, undefined, user);
    expect(last.body).toMatchObject({
      status: 'failed',
      error: { message: expect.stringContaining('may not publish another one') },
    });
  }, 60_000);

  test('loop policies stop it earlier', async () => {
    const user = await aUser();
    for (const loop_policy of ['avoid', 'external_only']) {
      const event_type = aType();
      const graph = chain({ again: { kind: 'emit_event', config: { event_type, payload: 'payload' } } });
      const workflowId = await aPublishedWorkflow(user, graph);
      const { id } = await create(user, `${triggers(workflowId)}/event`, { name: 'Itself', event_type, loop_policy });
      await call('POST /api/v1/events/publish', { event_type, payload: 1 }, user);
      const outcomes = await eventually(async () => {
        const { body } = await call(`GET ${triggers(workflowId)}/${id}/deliveries`, undefined, user);
        return body.data.length === 2 && body.data;
      });
      expect(outcomes.map(({ outcome }: Row) => outcome)).toEqual(['skipped_loop', 'started']);
    }
  });
});
