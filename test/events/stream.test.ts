import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { call } from '../support/call.ts';
import { anOperator, aUser } from '../support/people.ts';
import { TEST_ENVIRONMENT } from '../support/spawn-host.ts';
import { verifies } from '../support/verifies.ts';
import { openLive } from './live.ts';

const KEY = { 'x-api-key': TEST_ENVIRONMENT.SVC_EVENT_API_KEY };
const publish = async (token: string, event: Record<string, unknown>) =>
  (await call('POST /api/v1/events/publish', { payload: {}, ...event }, { token })).body.event_id as string;
const ingest = async (event: Record<string, unknown>) =>
  (await call('POST /api/v1/events/ingest', { source: 'test', payload: {}, ...event }, { headers: KEY })).body
    .event_id as string;
const aType = () => `live_${randomUUID().replaceAll('-', '_')}`;

describe('the live stream', () => {
  verifies('events/stream', 'sends events as they are published, own ones and broadcasts, as SSE frames', async () => {
    const user = await aUser();
    const event_type = aType();
    const live = await openLive(`/api/v1/events/stream?event_type=${event_type}`, user);
    expect(live.headers.get('content-type')).toContain('text/event-stream');
    const ids = [
      await publish(user.token, { event_type, correlation_id: 'a', payload: { n: 1, text: 'two\nlines' } }),
      await ingest({ event_type, correlation_id: 'b' }),
    ];
    const frames = await live.until(2);
    live.close();
    expect(frames.map(({ id }) => id)).toEqual(ids);
    expect(frames[0]).toEqual({
      id: ids[0],
      event: 'bus_event',
      data: {
        event_id: ids[0],
        event_type,
        source: 'api',
        correlation_id: 'a',
        user_id: user.userId,
        payload: { n: 1, text: 'two\nlines' },
        published_at: expect.any(Number),
      },
    });
  });

  test('filters by type, correlation and source, and never shows what belongs to others', async () => {
    const [user, stranger] = [await aUser(), await aUser()];
    const event_type = aType();
    const correlation_id = randomUUID();
    const [byType, byCorrelation, bySource, foreign] = await Promise.all([
      openLive(`/api/v1/events/stream?event_type=${event_type}`, user),
      openLive(`/api/v1/events/stream?correlation_id=${correlation_id}`, user),
      openLive(`/api/v1/events/stream?event_type=${event_type}&source=shop`, user),
      openLive('/api/v1/events/stream', stranger),
    ]);
    const typed = await publish(user.token, { event_type });
    const linked = await publish(user.token, { event_type: 'other', correlation_id });
    const sourced = await publish(user.token, { event_type, source: 'shop' });
    const marker = await publish(stranger.token, { event_type: 'marker' });
    await Promise.all([byType.until(2), byCorrelation.until(1), bySource.until(1), foreign.until(1)]);
    expect(byType.frames.map(({ id }) => id)).toEqual([typed, sourced]);
    expect(byCorrelation.frames.map(({ id }) => id)).toEqual([linked]);
    expect(bySource.frames.map(({ id }) => id)).toEqual([sourced]);
    const strangers = foreign.frames.map(({ id }) => id);
    expect(strangers).toContain(marker);
    expect(strangers).not.toContain(typed);
    for (const live of [byType, byCorrelation, bySource, foreign]) live.close();
  });

  test('goes on after Last-Event-ID without gaps or repetitions, however often it breaks', async () => {
    const user = await aUser();
    const event_type = aType();
    const path = `/api/v1/events/stream?event_type=${event_type}`;
    const received: string[] = [];
    const made: string[] = [];
    const publishing = (async () => {
      for (let i = 0; i < 60; i += 1) {
        made.push(
          i % 3 === 0
            ? await ingest({ event_type, correlation_id: `c${i}` })
            : await publish(user.token, { event_type }),
        );
      }
    })();
    const first = await openLive(`${path}&since=${Date.now() - 1000}`, user);
    await first.until(1);
    first.close();
    received.push(...first.frames.map(({ id }) => id ?? ''));
    while (received.length < 60) {
      const live = await openLive(path, { token: user.token, lastEventId: received.at(-1) });
      await live.until(1);
      live.close();
      received.push(...live.frames.map(({ id }) => id ?? ''));
    }
    await publishing;
    expect(new Set(received).size).toBe(60);
    expect(received.toSorted()).toEqual(made.toSorted());
  }, 60_000);

  test('resumes from the address too, and refuses an id that the caller cannot see', async () => {
    const [user, stranger, operator] = [await aUser(), await aUser(), await anOperator()];
    const event_type = aType();
    const [first, second] = [await publish(user.token, { event_type }), await publish(user.token, { event_type })];
    const path = `/api/v1/events/stream?event_type=${event_type}&last_event_id=${first}`;
    for (const token of [user.token, operator.token]) {
      const live = await openLive(path, { token });
      expect((await live.until(1)).map(({ id }) => id)).toEqual([second]);
      live.close();
    }
    expect((await call(`GET ${path}`, undefined, stranger)).status).toBe(404);
    expect((await call('GET /api/v1/events/stream', undefined, { headers: KEY })).status).toBe(401);
  });
});
