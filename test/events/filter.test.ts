import { describe, expect, test } from 'vitest';
import { call } from '../support/call.ts';
import { aUser, type Person } from '../support/people.ts';

const attempt = async (user: Person, filter_expr: string, event: unknown = { payload: {} }) =>
  (await call('POST /api/v1/events/filter', { filter_expr, event }, user)).body;

describe('trying a filter', () => {
  test('shows value, truth and Python’s own words', async () => {
    const user = await aUser();
    const event = { event_type: 'order', source: 'shop', payload: { amount: 150, tags: ['vip', 'eu'] } };
    expect(await attempt(user, 'payload["amount"] > 100 and event.source == "shop"', event)).toEqual({
      matched: true,
      value: true,
      repr: 'True',
      error: null,
      steps_used: expect.any(Number),
    });
    expect(await attempt(user, '{t: len(t) for t in payload["tags"]}', event)).toMatchObject({
      matched: true,
      value: { vip: 3, eu: 2 },
      repr: "{'vip': 3, 'eu': 2}",
    });
    expect(await attempt(user, 'payload["tags"][5:]', event)).toMatchObject({ matched: false, value: [], repr: '[]' });
    expect(await attempt(user, 'event["id"] == event.event_id and event.type', event)).toMatchObject({
      value: 'order',
    });
    expect(await attempt(user, 'len', event)).toMatchObject({ matched: true, value: null, error: null });
  });

  test('says where an expression is wrong and what it raises', async () => {
    const user = await aUser();
    expect(await attempt(user, '(payload["a"] >\n  and)')).toMatchObject({
      matched: false,
      error: { message: expect.stringContaining('SyntaxError'), position: { line: 2, column: 3, offset: 18 } },
    });
    expect(await attempt(user, 'payload["a"] > 1')).toMatchObject({
      matched: false,
      error: { message: "KeyError: 'a'", position: null },
    });
    expect(await attempt(user, '[x for x in range(10**9)]')).toMatchObject({
      matched: false,
      error: { message: expect.stringContaining('BudgetError') },
    });
    expect(await attempt(user, '__import__("os")')).toMatchObject({ matched: false, error: expect.anything() });
  });

  test('reads stored events and exact numbers', async () => {
    const [user, stranger] = [await aUser(), await aUser()];
    const body = '{"event_type":"exact","payload":{"id":12345678901234567890,"price":5.0}}';
    const { body: stored } = await call('POST /api/v1/events/publish', body, {
      token: user.token,
      headers: { 'content-type': 'application/json' },
    });
    const ask = (person: Person, filter_expr: string) =>
      call('POST /api/v1/events/filter', { filter_expr, event_id: stored.event_id }, person);
    expect((await ask(user, 'payload["id"] == 12345678901234567890')).body.matched).toBe(true);
    expect((await ask(user, 'isinstance(payload["price"], float) and payload["price"]')).body.repr).toBe('5.0');
    expect((await ask(stranger, 'True')).status).toBe(404);
    expect((await call('POST /api/v1/events/filter', { filter_expr: 'True' }, user)).status).toBe(422);
  });
});
