import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { call } from '../support/call.ts';
import { anOperator, anOrg, aUser } from '../support/people.ts';
import { TEST_ENVIRONMENT } from '../support/spawn-host.ts';
import { verifies } from '../support/verifies.ts';

const KEY = { 'x-api-key': TEST_ENVIRONMENT.SVC_EVENT_API_KEY };

const publish = async (token: string, event: Record<string, unknown>) =>
  (await call('POST /api/v1/events/publish', { event_type: 'listed', payload: {}, ...event }, { token })).body;

const ingest = async (event: Record<string, unknown>) =>
  (await call('POST /api/v1/events/ingest', { source: 'test', payload: {}, ...event }, { headers: KEY })).body;

const list = async (token: string, query: Record<string, string | number> = {}) => {
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return call(`GET /api/v1/events?${search.toString()}`, undefined, { token });
};
const ids = (answer: Awaited<ReturnType<typeof list>>) =>
  answer.body.data.map((one: { event_id: string }) => one.event_id);

/** Every page of a list, following the cursors. */
async function all(token: string, query: Record<string, string | number>) {
  const found: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await list(token, cursor ? { ...query, cursor } : query);
    found.push(...ids(page));
    cursor = page.body.next_cursor;
  }
  return found;
}

describe('the list of events', () => {
  verifies('events/list', 'shows own events and broadcasts together, newest first', async () => {
    const user = await aUser();
    const since = Date.now();
    const made = [
      await publish(user.token, { payload: 1 }),
      await ingest({ event_type: 'listed_broadcast', correlation_id: 'c' }),
      await publish(user.token, { payload: 3 }),
    ];
    const answer = await list(user.token, { since });
    expect(answer.status).toBe(200);
    const mine = ids(answer).filter((id: string) => made.some(({ event_id }) => event_id === id));
    expect(mine).toEqual(made.map(({ event_id }) => event_id).toReversed());
    expect(answer.body.data[0]).toEqual({
      event_id: expect.any(String),
      event_type: expect.any(String),
      source: expect.any(String),
      correlation_id: expect.any(String),
      user_id: expect.any(String),
      payload: expect.anything(),
      published_at: expect.any(Number),
    });
  });

  verifies('events/list-by-type', 'filters by event_type', async () => {
    const user = await aUser();
    const type = `t_${randomUUID().replaceAll('-', '_')}`;
    const wanted = [
      await publish(user.token, { event_type: type }),
      await ingest({ event_type: type, correlation_id: 'c' }),
    ];
    await publish(user.token, { event_type: `${type}_other` });
    expect(ids(await list(user.token, { event_type: type }))).toEqual(wanted.map((e) => e.event_id).toReversed());
  });

  verifies(
    ['events/list-by-correlation', 'events/correlation-id'],
    'filters by correlation_id, which links the events of one process across types and sources',
    async () => {
      const user = await aUser();
      const correlation_id = `process #${randomUUID()} / ü`;
      const wanted = [
        await publish(user.token, { event_type: 'begun', correlation_id }),
        await ingest({ event_type: 'went_on', correlation_id }),
        await publish(user.token, { event_type: 'ended', correlation_id, source: 'billing' }),
      ];
      await publish(user.token, { event_type: 'begun', correlation_id: 'another' });
      expect(ids(await list(user.token, { correlation_id }))).toEqual(wanted.map((e) => e.event_id).toReversed());
      expect(ids(await list(user.token, { correlation_id, event_type: 'went_on' }))).toEqual([wanted[1].event_id]);
      expect(ids(await list(user.token, { correlation_id, source: 'billing' }))).toEqual([wanted[2].event_id]);
    },
  );

  test('pages through everything once, in order, while more is published', async () => {
    const user = await aUser();
    const event_type = `p_${randomUUID().replaceAll('-', '_')}`;
    const made: string[] = [];
    for (let i = 0; i < 12; i += 1) made.push((await publish(user.token, { event_type })).event_id);
    const broadcasts = await Promise.all(
      Array.from({ length: 12 }, (_, i) => ingest({ event_type, correlation_id: `c${i}` })),
    );
    const expected = new Set([...made, ...broadcasts.map((e) => e.event_id)]);
    const first = await list(user.token, { event_type, limit: 5 });
    await publish(user.token, { event_type });
    const rest = await all(user.token, { event_type, limit: 5, cursor: first.body.next_cursor });
    const found = [...ids(first), ...rest];
    expect(found).toHaveLength(24);
    expect(new Set(found)).toEqual(expected);
    const own = found.filter((id) => made.includes(id));
    expect(own).toEqual(made.toReversed());
  });

  test('takes the times it is given, and says so when a cursor is not ours', async () => {
    const user = await aUser();
    const made = [await publish(user.token, {}), await publish(user.token, {}), await publish(user.token, {})];
    const [first, , last] = made;
    const range = await list(user.token, { event_type: 'listed', since: first.published_at, until: last.published_at });
    expect(ids(range)).toEqual(made.map((e) => e.event_id).toReversed());
    expect(ids(await list(user.token, { event_type: 'listed', since: last.published_at + 1 }))).toEqual([]);
    expect(ids(await list(user.token, { event_type: 'listed', since: 2, until: 1 }))).toEqual([]);
    expect((await list(user.token, { cursor: 'nonsense' })).status).toBe(400);
    expect((await list(user.token, { limit: 0 })).status).toBe(422);
  });

  test('keeps tenants apart and shows operators everything', async () => {
    const [{ admin }, stranger, operator] = [await anOrg(), await aUser(), await anOperator()];
    const correlation_id = randomUUID();
    const mine = await publish(admin.token, { correlation_id });
    expect(ids(await list(admin.token, { correlation_id }))).toEqual([mine.event_id]);
    expect(ids(await list(stranger.token, { correlation_id }))).toEqual([]);
    expect(ids(await list(operator.token, { correlation_id, since: mine.published_at }))).toEqual([mine.event_id]);
  });

  test('ends a page before it gets too heavy to be answered', async () => {
    const user = await aUser();
    const event_type = `h_${randomUUID().replaceAll('-', '_')}`;
    const payload = 'x'.repeat(900_000);
    const made: string[] = [];
    for (let i = 0; i < 7; i += 1) made.push((await publish(user.token, { event_type, payload })).event_id);
    const page = await list(user.token, { event_type, limit: 50 });
    expect(page.body.data).toHaveLength(4);
    expect(page.body.next_cursor).toEqual(expect.any(String));
    expect(await all(user.token, { event_type, limit: 50 })).toEqual(made.toReversed());
  });
});
