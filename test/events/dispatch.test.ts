import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { dispatchEvent } from '../../functions/events/dispatch-event.ts';
import { createLetters } from '../../functions/events/letters.ts';
import { startRun } from '../../functions/events/start-run.ts';
import { areDone, createDeliveryStore, createTypeStore } from '../../functions/events/store.ts';
import { findSubscribers } from '../../functions/events/subscribers.ts';
import { sweepEvents } from '../../functions/events/sweeping.ts';
import { deliveriesOfEvent } from '../../shared/events/delivery.ts';
import { positionOf } from '../../shared/events/keys.ts';
import { sendToDispatcher, type Pointer } from '../../shared/events/message.ts';
import { createEventReader } from '../../shared/events/reader.ts';
import { createSpill } from '../../shared/store/spill.ts';
import { openTable } from '../../shared/store/table.ts';
import { call } from '../support/call.ts';
import '../support/host.ts';
import { anOperator, aUser, type Person } from '../support/people.ts';
import { verifies } from '../support/verifies.ts';
import { aPublishedWorkflow, deliveriesOf, eventually, triggers, type Row } from '../triggers/published.ts';

const aType = () => `d_${randomUUID().replaceAll('-', '_')}`;
const subscribe = async (user: Person, workflowId: string, fields: Record<string, unknown>): Promise<Row> =>
  (await call(`POST ${triggers(workflowId)}/event`, { name: 'Test', ...fields }, user)).body;
const publish = async (user: Person, event: Record<string, unknown>): Promise<string> =>
  (await call('POST /api/v1/events/publish', { payload: {}, ...event }, user)).body.event_id;

/** A run of this graph stays active until somebody answers. */
const WAITING = {
  nodes: [
    { id: 'start', kind: 'start' },
    { id: 'ask', kind: 'human' },
    { id: 'end', kind: 'end' },
  ],
  edges: [
    { source: 'start', target: 'ask' },
    { source: 'ask', target: 'end' },
  ],
  configs: { ask: { title: 'Go on?' } },
};

const spill = createSpill();
const reader = createEventReader(spill);
const deliveries = createDeliveryStore();
const letters = createLetters();
const table = openTable('workflows');
const parts = {
  reader,
  deliveries,
  types: createTypeStore(),
  findSubscribers,
  startRun: (start: Parameters<typeof startRun>[1], at: number) => startRun(spill, start, at),
  send: sendToDispatcher,
  now: Date.now,
};
const pointerTo = async (eventId: string): Promise<Pointer> => {
  const row = await reader.row(eventId);
  if (!row) throw new Error('no event');
  return { tenant: row.tenant, event_id: row.event_id, event_type: row.event_type };
};
const forgetDone = (eventId: string) => table.delete({ pk: deliveriesOfEvent(eventId), sk: 'DONE' });

describe('concurrency', () => {
  verifies('subscriptions/parallel', 'parallel starts one run per event, also for one correlation_id', async () => {
    const user = await aUser();
    const event_type = aType();
    await subscribe(user, await aPublishedWorkflow(user, WAITING), { event_type });
    const ids = await Promise.all([1, 2, 3].map(() => publish(user, { event_type, correlation_id: 'same' })));
    const found = (await Promise.all(ids.map((id) => deliveriesOf(id, user.token)))).flat();
    expect(found.map(({ outcome }) => outcome)).toEqual(['started', 'started', 'started']);
    expect(new Set(found.map(({ run_id }) => run_id)).size).toBe(3);
  });

  verifies(
    'subscriptions/one-per-correlation',
    'one_per_correlation skips while a run with the correlation_id is active, and names that run',
    async () => {
      const user = await aUser();
      const event_type = aType();
      await subscribe(user, await aPublishedWorkflow(user, WAITING), {
        event_type,
        concurrency: 'one_per_correlation',
      });
      const ids = await Promise.all(
        Array.from({ length: 12 }, (_, i) => publish(user, { event_type, correlation_id: i % 2 ? 'odd' : 'even' })),
      );
      const found = (await Promise.all(ids.map((id) => deliveriesOf(id, user.token)))).flat();
      for (const correlation of ['odd', 'even']) {
        const own = found.filter(({ correlation_id }) => correlation_id === correlation);
        const [started, ...others] = own.filter(({ outcome }) => outcome === 'started');
        expect(others).toEqual([]);
        expect(own.filter(({ outcome }) => outcome === 'skipped_busy')).toHaveLength(5);
        for (const { outcome, active_run_id } of own)
          if (outcome === 'skipped_busy') expect(active_run_id).toBe(started?.run_id);
      }
    },
  );
});

describe('delivery', () => {
  test('is made once, however often and by however many it is tried', async () => {
    const user = await aUser();
    const event_type = aType();
    const workflows = [await aPublishedWorkflow(user), await aPublishedWorkflow(user)];
    for (const workflowId of workflows) await subscribe(user, workflowId, { event_type });
    const eventId = await publish(user, { event_type });
    const pointer = await pointerTo(eventId);
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        await forgetDone(eventId);
        await dispatchEvent(parts, pointer, 2);
      }),
    );
    const found = await deliveriesOf(eventId, user.token);
    expect(found).toHaveLength(2);
    expect(found.map(({ outcome }) => outcome)).toEqual(['started', 'started']);
  });

  test('goes on page by page for more subscriptions than fit into one message', async () => {
    const user = await aUser();
    const event_type = aType();
    const [one, two] = [await aPublishedWorkflow(user), await aPublishedWorkflow(user)];
    await Promise.all(
      Array.from({ length: 60 }, (_, i) => subscribe(user, i % 2 ? one : two, { event_type, filter_expr: 'False' })),
    );
    const eventId = await publish(user, { event_type });
    const all = await eventually(async () => {
      const { body } = await call(`GET /api/v1/events/${eventId}/deliveries?limit=200`, undefined, user);
      return body.data.length === 60 && body.data;
    });
    expect(new Set(all.map((delivery: Row) => delivery.subscription_id)).size).toBe(60);
  });

  test('to one subscriber goes on when another one fails, and is completed by the next attempt', async () => {
    const user = await aUser();
    const event_type = aType();
    const workflowId = await aPublishedWorkflow(user);
    const [broken, sound] = [
      await subscribe(user, workflowId, { event_type }),
      await subscribe(user, workflowId, { event_type }),
    ];
    const eventId = await publish(user, { event_type });
    const replay = { id: 'r_test', tenant: null, subscription_ids: null };
    const pointer = { ...(await pointerTo(eventId)), replay };
    const breaking = {
      ...parts,
      async startRun(start: Parameters<typeof startRun>[1], at: number) {
        if (start.subscriber.trigger.id === broken.id) throw new Error('the disk is full');
        return parts.startRun(start, at);
      },
    };
    const delivered = async () =>
      (await deliveriesOf(eventId, user.token))
        .filter(({ replay_id }) => replay_id === 'r_test')
        .map(({ subscription_id, attempt }): [string, number] => [subscription_id, attempt]);
    await expect(dispatchEvent(breaking, pointer, 1)).rejects.toThrow('the disk is full');
    expect(await delivered()).toEqual([[sound.id, 1]]);
    await dispatchEvent(parts, pointer, 2);
    expect(new Map(await delivered())).toEqual(
      new Map([
        [broken.id, 2],
        [sound.id, 1],
      ]),
    );
  });
});

describe('what could not be dispatched', () => {
  test('is listed to its tenant and to operators, and can be redriven once', async () => {
    const [user, stranger, operator] = [await aUser(), await aUser(), await anOperator()];
    const event_type = aType();
    const eventId = await publish(user, { event_type });
    await deliveriesOf(eventId, user.token);
    await forgetDone(eventId);
    const pointer = await pointerTo(eventId);
    await letters.record(pointer, { state: 'retrying', error: 'Internal error' }, Date.now());
    await letters.record(pointer, { state: 'dead', error: 'Internal error' }, Date.now());
    const list = async (person: { token: string }, query = '') =>
      (await call(`GET /api/v1/events/dead-letters${query}`, undefined, person)).body.data;
    const [letter] = await list(user);
    expect(letter).toEqual({
      id: eventId,
      event_id: eventId,
      event_type,
      kind: 'dispatch',
      state: 'dead',
      error: 'Internal error',
      attempts: 2,
      first_at: expect.any(Number),
      last_at: expect.any(Number),
    });
    expect(await list(user, '?state=retrying')).toEqual([]);
    expect(await list(operator)).toContainEqual(letter);
    expect(await list(stranger)).toEqual([]);
    expect((await call(`GET /api/v1/events/${eventId}`, undefined, user)).body.dead_letter).toEqual(letter);
    const redrive = (person: { token: string }) =>
      call(`POST /api/v1/events/dead-letters/${eventId}/redrive`, undefined, person);
    expect((await redrive(stranger)).status).toBe(404);
    const answers = await Promise.all([redrive(user), redrive(user), redrive(operator)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([202, 409, 409]);
    await eventually(async () => (await areDone([eventId]))[0]);
    await eventually(async () => (await list(user)).length === 0);
  });

  test('is found by the sweeper when it never reached the dispatcher, and called dead when nobody works on it', async () => {
    const user = await aUser();
    const ids = await Promise.all([1, 2, 3].map(() => publish(user, { event_type: aType() })));
    await Promise.all(ids.map((id) => deliveriesOf(id, user.token)));
    const [lost] = ids;
    await forgetDone(lost!);
    const rows = await reader.rows(ids);
    let mark = rows.map(positionOf).toSorted()[0]!;
    const sent: Pointer[] = [];
    const sweepAt = (later: number) =>
      sweepEvents({
        reader,
        letters,
        areDone,
        mark: { read: async () => mark, write: async (position) => void (mark = position) },
        send: async (pointer) => void sent.push(pointer),
        now: () => Date.now() + later,
      });
    expect(await sweepAt(60_000)).toMatchObject({ republished: 0 });
    await sweepAt(130_000);
    await sweepAt(130_000);
    expect(sent.filter(({ event_id }) => ids.includes(event_id))).toEqual([
      expect.objectContaining({ event_id: lost, again: true }),
    ]);
    expect(await letters.get(lost!)).toMatchObject({ state: 'republished', attempts: 1 });
    await sweepAt(3_600_000);
    expect(await letters.get(lost!)).toMatchObject({ state: 'dead' });
    const pointer = sent.find(({ event_id }) => event_id === lost);
    await sendToDispatcher(pointer!);
    await eventually(async () => (await letters.get(lost!)) === undefined);
    expect(await areDone([lost!])).toEqual([true]);
  });

  test('types that were published are remembered for the tenant', async () => {
    const user = await aUser();
    const event_type = aType();
    await deliveriesOf(await publish(user, { event_type }), user.token);
    const { body } = await call('GET /api/v1/events/types', undefined, user);
    expect(body.data).toEqual([{ event_type, first_seen_at: expect.any(Number) }]);
  });
});
