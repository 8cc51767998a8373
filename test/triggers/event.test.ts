import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { call } from '../support/call.ts';
import { anOrg, aUser } from '../support/people.ts';
import { TEST_ENVIRONMENT } from '../support/spawn-host.ts';
import { verifies } from '../support/verifies.ts';
import { aPublishedWorkflow, deliveriesOf, eventually, triggers, type Row } from './published.ts';

const KEY = { 'x-api-key': TEST_ENVIRONMENT.SVC_EVENT_API_KEY };
const aType = () => `t_${randomUUID().replaceAll('-', '_')}`;

const subscribe = async (token: string, workflowId: string, fields: Record<string, unknown>): Promise<Row> => {
  const answer = await call(`POST ${triggers(workflowId)}/event`, { name: 'Test', ...fields }, { token });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body;
};
const publish = async (token: string, event: Record<string, unknown>): Promise<string> =>
  (await call('POST /api/v1/events/publish', { payload: {}, ...event }, { token })).body.event_id;
const ingest = async (event: Record<string, unknown>): Promise<string> =>
  (
    await call(
      'POST /api/v1/events/ingest',
      { source: 'test', correlation_id: randomUUID(), payload: {}, ...event },
      { headers: KEY },
    )
  ).body.event_id;

describe('an event trigger', () => {
  verifies(
    ['subscriptions/create', 'subscriptions/name', 'subscriptions/filter-optional'],
    'subscribes a published workflow with the fields of the interface and their defaults',
    async () => {
      const user = await aUser();
      const workflowId = await aPublishedWorkflow(user);
      const answer = await call(
        `POST ${triggers(workflowId)}/event`,
        { name: 'New orders', event_type: 'order_created' },
        user,
      );
      expect(answer.status).toBe(201);
      expect(answer.body).toEqual({
        id: expect.stringMatching(/^trg_/),
        workflow_id: workflowId,
        type: 'event',
        name: 'New orders',
        enabled: true,
        event_type: 'order_created',
        filter_expr: null,
        concurrency: 'parallel',
        catalog_id: null,
        space_id: null,
        loop_policy: 'bounded',
        revision: 1,
        created_by: user.userId,
        created_at: expect.any(Number),
        updated_at: expect.any(Number),
        warnings: [],
      });
      const path = `${triggers(workflowId)}/${answer.body.id}`;
      expect((await call(`GET ${path}`, undefined, user)).body).toEqual(answer.body);
      expect((await call(`GET ${triggers(workflowId)}`, undefined, user)).body.data).toEqual([answer.body]);
    },
  );

  verifies('subscriptions/published-first', 'is refused for a workflow that is not published', async () => {
    const user = await aUser();
    const { body: draft } = await call('POST /api/v1/agent-workflows', { name: 'Draft' }, user);
    for (const [kind, more] of [
      ['event', { event_type: 'x' }],
      ['cron', { cron: '* * * * *' }],
      ['webhook', {}],
    ] as const) {
      const answer = await call(`POST ${triggers(draft.id)}/${kind}`, { name: 'n', ...more }, user);
      expect(answer).toMatchObject({ status: 409, body: { error: { code: 'workflow_not_published' } } });
    }
    expect((await call(`GET ${triggers(draft.id)}`, undefined, user)).body.data).toEqual([]);
  });

  verifies('subscriptions/bearer', 'needs a bearer token of somebody who has the workflow', async () => {
    const [user, stranger] = [await aUser(), await aUser()];
    const workflowId = await aPublishedWorkflow(user);
    const body = { name: 'n', event_type: 'x' };
    expect((await call(`POST ${triggers(workflowId)}/event`, body)).status).toBe(401);
    expect((await call(`POST ${triggers(workflowId)}/event`, body, { headers: KEY })).status).toBe(401);
    expect((await call(`POST ${triggers(workflowId)}/event`, body, stranger)).status).toBe(404);
    const mine = await subscribe(user.token, workflowId, { event_type: 'x' });
    const path = `${triggers(workflowId)}/${mine.id}`;
    for (const [target, sent] of [[`GET ${path}`], [`PATCH ${path}`, {}], [`DELETE ${path}`]] as const)
      expect((await call(target, sent, stranger)).status).toBe(404);
  });

  test('checks its filter when it is saved and says where it is wrong', async () => {
    const user = await aUser();
    const workflowId = await aPublishedWorkflow(user);
    const create = (filter_expr: string) =>
      call(`POST ${triggers(workflowId)}/event`, { name: 'n', event_type: 'x', filter_expr }, user);
    const broken = await create('payload["a"] >');
    expect(broken).toMatchObject({
      status: 422,
      body: {
        detail: [{ type: 'filter_syntax', loc: ['body', 'filter_expr'] }],
        error: {
          code: 'validation_failed',
          position: { line: 1, column: expect.any(Number), offset: expect.any(Number) },
        },
      },
    });
    expect((await create('order["a"]')).body.detail).toEqual([
      {
        type: 'filter_name',
        loc: ['body', 'filter_expr'],
        msg: 'There is no variable called "order"; there are payload and event',
      },
    ]);
    expect((await create('a'.repeat(5000))).status).toBe(422);
    const saved = await subscribe(user.token, workflowId, { event_type: 'x' });
    const path = `PATCH ${triggers(workflowId)}/${saved.id}`;
    expect((await call(path, { filter_expr: '(' }, user)).status).toBe(422);
    expect((await call(path, { cron: '* * * * *' }, user)).status).toBe(422);
    expect((await call(path, { catalog_id: 'none' }, user)).status).toBe(422);
  });

  test('can be changed, moved to another type, paused, resumed and deleted', async () => {
    const user = await aUser();
    const workflowId = await aPublishedWorkflow(user);
    const [before, after] = [aType(), aType()];
    const made = await subscribe(user.token, workflowId, { event_type: before });
    const path = `${triggers(workflowId)}/${made.id}`;
    const moved = await call(`PATCH ${path}`, { event_type: after, name: 'Moved' }, user);
    expect(moved.body).toMatchObject({ event_type: after, name: 'Moved', revision: 2 });
    expect(await deliveriesOf(await publish(user.token, { event_type: before }), user.token)).toEqual([]);
    expect(await deliveriesOf(await publish(user.token, { event_type: after }), user.token)).toHaveLength(1);
    expect((await call(`POST ${path}/pause`, undefined, user)).body.enabled).toBe(false);
    expect(await deliveriesOf(await publish(user.token, { event_type: after }), user.token)).toMatchObject([
      { outcome: 'paused', reason: 'The trigger is paused', run_id: null },
    ]);
    expect((await call(`POST ${path}/resume`, undefined, user)).body.enabled).toBe(true);
    expect((await call(`DELETE ${path}`, undefined, user)).status).toBe(204);
    expect((await call(`GET ${path}`, undefined, user)).status).toBe(404);
    expect((await call(`DELETE ${path}`, undefined, user)).status).toBe(404);
    expect(await deliveriesOf(await publish(user.token, { event_type: after }), user.token)).toEqual([]);
  });

  test('warns when its workflow publishes what starts it', async () => {
    const user = await aUser();
    const event_type = aType();
    const graph = {
      nodes: [
        { id: 'start', kind: 'start' },
        { id: 'again', kind: 'emit_event' },
        { id: 'end', kind: 'end' },
      ],
      edges: [
        { source: 'start', target: 'again' },
        { source: 'again', target: 'end' },
      ],
      configs: { again: { event_type, payload: 'payload' } },
    };
    const made = await subscribe(user.token, await aPublishedWorkflow(user, graph), { event_type });
    expect(made.warnings).toEqual([expect.stringContaining('"again" publishes')]);
  });
});

describe('dispatch', () => {
  verifies(
    ['events/publish-ingest', 'events/starts-subscribed', 'subscriptions/event-type', 'events/ingest-async'],
    'an ingested event is accepted before dispatch and then starts every published workflow subscribed to its type',
    async () => {
      const event_type = aType();
      const people = [await aUser(), await aUser(), (await anOrg()).admin];
      const made = await Promise.all(
        people.map(async (person) => {
          const workflowId = await aPublishedWorkflow(person);
          await subscribe(person.token, workflowId, { event_type: `${event_type}_other` });
          return { person, workflowId, trigger: await subscribe(person.token, workflowId, { event_type }) };
        }),
      );
      const eventId = await ingest({ event_type });
      for (const { person, workflowId, trigger } of made) {
        expect(await deliveriesOf(eventId, person.token)).toEqual([
          {
            event_id: eventId,
            event_type,
            correlation_id: expect.any(String),
            workflow_id: workflowId,
            subscription_id: trigger.id,
            outcome: 'started',
            reason: null,
            run_id: expect.stringMatching(/^run_/),
            active_run_id: null,
            evaluated_at: expect.any(Number),
            attempt: 1,
            replay_id: null,
          },
        ]);
      }
    },
  );

  test('an event of one tenant starts only its own workflows', async () => {
    const event_type = aType();
    const [mine, other] = [await aUser(), await aUser()];
    for (const person of [mine, other]) await subscribe(person.token, await aPublishedWorkflow(person), { event_type });
    const eventId = await publish(mine.token, { event_type });
    const targeted = await ingest({ event_type, tenant_id: `user:${other.userId}` });
    expect(await deliveriesOf(eventId, mine.token)).toHaveLength(1);
    expect(await deliveriesOf(targeted, other.token)).toHaveLength(1);
    const list = async (token: string) =>
      (await call(`GET /api/v1/events?event_type=${event_type}`, undefined, { token })).body.data;
    expect(await list(mine.token)).toHaveLength(1);
    expect(await list(other.token)).toHaveLength(1);
  });

  verifies(
    ['subscriptions/filter-expr', 'subscriptions/filter-variables'],
    'the filter decides by truth over payload and event; a filter that raises is visible and fires nothing',
    async () => {
      const user = await aUser();
      const workflowId = await aPublishedWorkflow(user);
      const event_type = aType();
      const filters = {
        true_payload: 'payload["amount"] > 100 and "vip" in payload.get("tags", [])',
        true_event: 'event["source"] == "api" and event.type == event["event_type"] and event.payload == payload',
        true_value: '[x for x in payload["tags"] if x == "vip"]',
        false_value: 'payload.get("missing")',
        false_payload: 'payload["amount"] < 100',
        raises: 'payload["missing"] > 1',
      };
      const made = Object.fromEntries(
        await Promise.all(
          Object.entries(filters).map(async ([name, filter_expr]) => [
            (await subscribe(user.token, workflowId, { event_type, filter_expr })).id,
            name,
          ]),
        ),
      );
      const eventId = await publish(user.token, { event_type, payload: { amount: 150, tags: ['vip'] } });
      const outcomes = Object.fromEntries(
        (await deliveriesOf(eventId, user.token)).map((one) => [made[one.subscription_id], [one.outcome, one.reason]]),
      );
      expect(outcomes).toEqual({
        true_payload: ['started', null],
        true_event: ['started', null],
        true_value: ['started', null],
        false_value: ['skipped_filter', 'The filter was false'],
        false_payload: ['skipped_filter', 'The filter was false'],
        raises: ['filter_error', "KeyError: 'missing'"],
      });
    },
  );

  verifies(
    'events/unpublished-not-started',
    'a workflow that was unpublished or paused since is not started, visibly',
    async () => {
      const user = await aUser();
      const workflowId = await aPublishedWorkflow(user);
      const event_type = aType();
      await subscribe(user.token, workflowId, { event_type });
      const act = (action: string) => call(`POST /api/v1/agent-workflows/${workflowId}/${action}`, {}, user);
      await act('pause');
      expect(await deliveriesOf(await publish(user.token, { event_type }), user.token)).toMatchObject([
        { outcome: 'paused', reason: 'The workflow is paused' },
      ]);
      await act('resume');
      expect((await act('unpublish')).status).toBe(200);
      expect(await deliveriesOf(await publish(user.token, { event_type }), user.token)).toMatchObject([
        { outcome: 'not_published', run_id: null },
      ]);
    },
  );

  test('a workflow that is gone is forgotten, and a subscription does not reach back in time', async () => {
    const user = await aUser();
    const [kept, gone] = [await aPublishedWorkflow(user), await aPublishedWorkflow(user)];
    const event_type = aType();
    await subscribe(user.token, gone, { event_type });
    expect((await call(`DELETE /api/v1/agent-workflows/${gone}`, undefined, user)).status).toBe(204);
    expect(await deliveriesOf(await publish(user.token, { event_type }), user.token)).toEqual([]);
    const before = await publish(user.token, { event_type });
    await deliveriesOf(before, user.token);
    const { id } = await subscribe(user.token, kept, { event_type });
    expect(await deliveriesOf(before, user.token)).toEqual([]);
    const later = await publish(user.token, { event_type });
    expect(await deliveriesOf(later, user.token)).toMatchObject([{ subscription_id: id, outcome: 'started' }]);
  });

  test('deliveries are listed per trigger, by outcome, and can be asked for again', async () => {
    const user = await aUser();
    const workflowId = await aPublishedWorkflow(user);
    const event_type = aType();
    const { id } = await subscribe(user.token, workflowId, { event_type, filter_expr: 'payload["n"] % 2 == 0' });
    const ids: string[] = [];
    for (let n = 0; n < 6; n += 1) {
      ids.push(await publish(user.token, { event_type, payload: { n } }));
      await deliveriesOf(ids[n]!, user.token);
    }
    const path = `${triggers(workflowId)}/${id}/deliveries`;
    const all = await call(`GET ${path}?limit=4`, undefined, user);
    expect(all.body.data.map((one: Row) => one.event_id)).toEqual(ids.toReversed().slice(0, 4));
    const rest = await call(`GET ${path}?limit=4&cursor=${all.body.next_cursor}`, undefined, user);
    expect(rest.body.data.map((one: Row) => one.event_id)).toEqual(ids.toReversed().slice(4));
    const skipped = await call(`GET ${path}?outcome=skipped_filter`, undefined, user);
    expect(skipped.body.data.map((one: Row) => one.event_id)).toEqual([ids[5], ids[3], ids[1]]);
    const again = await call(`POST ${path}/${ids[0]}/redeliver`, undefined, user);
    expect(again.status).toBe(202);
    const made = await eventually(async () => {
      const found = await deliveriesOf(ids[0]!, user.token);
      return found.length === 2 && found.find((one) => one.replay_id === again.body.replay_id);
    });
    expect(made).toMatchObject({ outcome: 'started', run_id: again.body.run_id });
    expect((await call(`POST ${path}/${randomUUID()}/redeliver`, undefined, user)).status).toBe(404);
  });

  test('a replay is a delivery of its own, once per key', async () => {
    const user = await aUser();
    const workflowId = await aPublishedWorkflow(user);
    const event_type = aType();
    const { id } = await subscribe(user.token, workflowId, { event_type });
    const eventId = await publish(user.token, { event_type });
    const [first] = await deliveriesOf(eventId, user.token);
    const replay = (body: unknown, key?: string) =>
      call(`POST /api/v1/events/${eventId}/replay`, body, {
        token: user.token,
        headers: key ? { 'idempotency-key': key } : {},
      });
    const [one, same] = [await replay({}, 'k'), await replay({}, 'k')];
    expect(one.body.replay_id).toBe(same.body.replay_id);
    const chosen = await replay({ subscription_ids: [id] });
    const nobody = await replay({ subscription_ids: ['trg_other'] });
    expect([chosen.status, nobody.status]).toEqual([202, 202]);
    const deliveries = await eventually(async () => {
      const found = await deliveriesOf(eventId, user.token);
      return found.length === 3 && found;
    });
    expect(new Set(deliveries.map((row) => row.run_id)).size).toBe(3);
    expect(new Set(deliveries.map((row) => row.replay_id))).toEqual(
      new Set([null, one.body.replay_id, chosen.body.replay_id]),
    );
    expect(deliveries.find((row) => row.replay_id === null)).toEqual(first);
  });
});
