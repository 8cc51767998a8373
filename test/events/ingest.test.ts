import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { call } from '../support/call.ts';
import { host } from '../support/host.ts';
import { anOperator, anOrg, aUser } from '../support/people.ts';
import { TEST_ENVIRONMENT } from '../support/spawn-host.ts';
import { verifies } from '../support/verifies.ts';

const KEY = { 'x-api-key': TEST_ENVIRONMENT.SVC_EVENT_API_KEY };

const anEvent = (over: Record<string, unknown> = {}) => ({
  event_type: 'order_created',
  correlation_id: `order-${randomUUID()}`,
  source: 'shop',
  payload: { amount: 12 },
  ...over,
});

const ingest = (event: unknown, headers: Record<string, string> = {}) =>
  call('POST /api/v1/events/ingest', event, { headers: { ...KEY, ...headers } });

describe('ingest', () => {
  verifies(
    ['events/ingest-202', 'events/ingest-without-jwt', 'events/event-id', 'events/published-at', 'events/source'],
    'accepts an event with the event key alone and says what it became',
    async () => {
      const before = Date.now();
      const event = anEvent();
      const { status, body } = await ingest(event);
      expect(status).toBe(202);
      expect(body).toEqual({
        event_id: expect.stringMatching(/^evt_/),
        event_type: 'order_created',
        correlation_id: event.correlation_id,
        source: 'shop',
        published_at: expect.any(Number),
        status: 'accepted',
        duplicate: false,
      });
      expect(Number.isInteger(body.published_at)).toBe(true);
      expect(body.published_at).toBeGreaterThanOrEqual(before);
      expect(body.event_id).not.toBe((await ingest(event)).body.event_id);
    },
  );

  verifies('events/ingest-key', 'refuses everything but the configured key', async () => {
    const user = await aUser();
    const tries = await Promise.all([
      call('POST /api/v1/events/ingest', anEvent()),
      call('POST /api/v1/events/ingest', anEvent(), { headers: { 'x-api-key': 'wrong' } }),
      call('POST /api/v1/events/ingest', anEvent(), { headers: { 'x-api-key': `${KEY['x-api-key']}x` } }),
      call('POST /api/v1/events/ingest', anEvent(), { token: KEY['x-api-key'] }),
      call('POST /api/v1/events/ingest', anEvent(), { token: user.token }),
    ]);
    expect(tries.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
    expect((await ingest(anEvent())).status).toBe(202);
  });

  verifies(['events/ingest-body', 'events/event-type'], 'names every field that is missing or wrong', async () => {
    for (const field of ['event_type', 'correlation_id', 'source', 'payload']) {
      const { [field]: _left, ...rest } = anEvent() as Record<string, unknown>;
      const { status, body } = await ingest(rest);
      expect(status).toBe(422);
      expect(body.detail).toEqual([expect.objectContaining({ loc: ['body', field], msg: 'Field required' })]);
    }
    for (const event_type of ['OrderCreated', 'order-created', '', '1st', 'a'.repeat(101)]) {
      expect((await ingest(anEvent({ event_type }))).status).toBe(422);
    }
    expect((await ingest(anEvent({ payload: null }))).status).toBe(202);
  });

  verifies('events/payload', 'gives the payload back as it was sent, long numbers and fractions included', async () => {
    const operator = await anOperator();
    const text =
      '{"id":12345678901234567890,"price":5.0,"big":1e400,"deep":[{"ok":true,"none":null,"text":"ü\\u0000"}]}';
    const { body } = await call(
      'POST /api/v1/events/ingest',
      `{"event_type":"exact","correlation_id":"c","source":"s","payload":${text}}`,
      { headers: { ...KEY, 'content-type': 'application/json' } },
    );
    const response = await fetch(`${host.url}/api/v1/events/${body.event_id}`, {
      headers: { authorization: `Bearer ${operator.token}` },
    });
    expect(await response.text()).toContain(`"payload":${text}`);
  });

  test('keeps large payloads and refuses larger ones and deep ones', async () => {
    const operator = await anOperator();
    const large = { text: 'x'.repeat(700_000) };
    const { status, body } = await ingest(anEvent({ payload: large }));
    expect(status).toBe(202);
    const stored = await call(`GET /api/v1/events/${body.event_id}`, undefined, operator);
    expect(stored.body.payload).toEqual(large);
    expect((await ingest(anEvent({ payload: 'x'.repeat(1_100_000) }))).status).toBe(413);
    const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));
    expect((await ingest(anEvent({ payload: nested(100) }))).status).toBe(202);
    expect((await ingest(anEvent({ payload: nested(101) }))).status).toBe(422);
  });
});

describe('idempotency', () => {
  test('twenty parallel requests with one key make one event', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const event = anEvent();
    const answers = await Promise.all(Array.from({ length: 20 }, () => ingest(event, headers)));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(202));
    expect(new Set(answers.map(({ body }) => body.event_id)).size).toBe(1);
    expect(answers.filter(({ body }) => !body.duplicate)).toHaveLength(1);
    const operator = await anOperator();
    const { body } = await call(`GET /api/v1/events?correlation_id=${event.correlation_id}`, undefined, operator);
    expect(body.data).toHaveLength(1);
  });

  verifies('events/immutable', 'the same key or id with another content changes nothing and is refused', async () => {
    const operator = await anOperator();
    for (const [headers, extra] of [
      [{ 'idempotency-key': randomUUID() }, {}],
      [{}, { event_id: `mine-${randomUUID()}` }],
    ] as const) {
      const event = anEvent(extra);
      const first = await ingest(event, headers);
      const reordered = Object.fromEntries(Object.entries(event).toReversed());
      expect((await ingest(reordered, headers)).body).toEqual({ ...first.body, duplicate: true });
      const other = await ingest({ ...event, payload: { amount: 13 } }, headers);
      expect(other).toMatchObject({
        status: 409,
        body: { error: { code: 'idempotency_conflict', event_id: first.body.event_id } },
      });
      const path = `/api/v1/events/${first.body.event_id}`;
      expect((await call(`GET ${path}`, undefined, operator)).body.payload).toEqual({ amount: 12 });
      for (const method of ['PUT', 'PATCH', 'DELETE', 'POST']) {
        expect((await call(`${method} ${path}`, event, operator)).status).toBe(405);
      }
    }
  });

  test('a key of one tenant is no key of another', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const [one, other] = await Promise.all([aUser(), aUser()]);
    const publish = (token: string, payload: unknown) =>
      call('POST /api/v1/events/publish', { event_type: 'mine', payload }, { token, headers: key });
    const [a, b] = [await publish(one.token, 1), await publish(other.token, 2)];
    expect([a.status, b.status]).toEqual([202, 202]);
    expect(a.body.event_id).not.toBe(b.body.event_id);
  });
});

describe('publish', () => {
  verifies('events/user-id', 'an event that a user publishes carries their id and source api', async () => {
    const user = await aUser();
    const { body } = await call('POST /api/v1/events/publish', { event_type: 'note_made', payload: [1] }, user);
    const stored = await call(`GET /api/v1/events/${body.event_id}`, undefined, user);
    expect(stored.body).toMatchObject({
      event_id: body.event_id,
      event_type: 'note_made',
      source: 'api',
      correlation_id: body.event_id,
      user_id: user.userId,
      payload: [1],
    });
    const named = await ingest(anEvent({ user_id: user.userId, tenant_id: `user:${user.userId}` }));
    const seen = await call(`GET /api/v1/events/${named.body.event_id}`, undefined, user);
    expect(seen.body.user_id).toBe(user.userId);
  });

  test('nobody may pretend to be a workflow, a webhook or a schedule', async () => {
    const user = await aUser();
    for (const source of ['workflow:wf_1', 'webhook:h', 'cron:c']) {
      const answer = await call('POST /api/v1/events/publish', { event_type: 'x', payload: 1, source }, user);
      expect(answer.status).toBe(422);
    }
  });

  test('people see broadcasts and their own tenant; operators see all', async () => {
    const { orgId, admin } = await anOrg();
    const colleague = await aUser({ orgId });
    const [stranger, operator] = [await aUser(), await anOperator()];
    const published = await call('POST /api/v1/events/publish', { event_type: 'ours', payload: 1 }, admin);
    const broadcast = await ingest(anEvent());
    const targeted = await ingest(anEvent({ tenant_id: `org:${orgId}` }));
    const sees = async (token: string, id: string) =>
      (await call(`GET /api/v1/events/${id}`, undefined, { token })).status;
    for (const { body } of [published, targeted]) {
      expect(await sees(colleague.token, body.event_id)).toBe(200);
      expect(await sees(operator.token, body.event_id)).toBe(200);
      expect(await sees(stranger.token, body.event_id)).toBe(404);
    }
    for (const { token } of [colleague, operator, stranger])
      expect(await sees(token, broadcast.body.event_id)).toBe(200);
  });
});
