import { marshall } from '@aws-sdk/util-dynamodb';
import type { Context } from 'aws-lambda';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { handler } from '../../functions/events/relay.ts';
import { configureLog } from '../../shared/log.ts';
import { aServer, type TestServer } from '../runs/model-server.ts';
import '../support/host.ts';

// A refusal is part of these tests.
configureLog({ write: () => {} });

let bus: TestServer;
let refused = 0;
beforeAll(async () => {
  bus = await aServer(({ body }) => ({
    body: {
      FailedEntryCount: refused,
      Entries: body.Entries.map((_: unknown, i: number) =>
        i < refused ? { ErrorCode: 'ThrottlingException' } : { EventId: `${i}` },
      ),
    },
  }));
  process.env['AWS_ENDPOINT_URL_EVENTBRIDGE'] = bus.url;
});
afterAll(() => bus.stop());
beforeEach(() => {
  refused = 0;
  bus.seen.length = 0;
});

const inserted = (row: Record<string, unknown>, eventName = 'INSERT') => ({
  eventName: eventName as 'INSERT',
  dynamodb: { NewImage: marshall(row) as never },
});
const anEvent = (n: number) =>
  inserted({
    pk: `EVENT#e${n}`,
    sk: 'E',
    tenant: 'user:u',
    event_id: `e${n}`,
    event_type: 'x',
    payload: { inline: '"secret"' },
    bytes: 8,
  });
const relay = (Records: object[]) => handler({ Records } as Parameters<typeof handler>[0], {} as Context);

test('every new event goes onto the bus as a pointer, ten a call', async () => {
  await relay(Array.from({ length: 23 }, (_, n) => anEvent(n)));
  expect(bus.seen.map(({ body }) => body.Entries.length)).toEqual([10, 10, 3]);
  expect(bus.seen[0]?.body.Entries[0]).toEqual({
    EventBusName: 'atrium',
    Source: 'atrium.events',
    DetailType: 'bus_event',
    Detail: JSON.stringify({ tenant: 'user:u', event_id: 'e0', event_type: 'x' }),
  });
  expect(JSON.stringify(bus.seen)).not.toContain('secret');
});

test('what is no new event is passed over', async () => {
  await relay([
    inserted({ pk: 'TYPES#user:u', sk: 'x', first_seen_at: 1 }),
    inserted({ pk: 'EVENT#e1', sk: 'E', tenant: 't', event_id: 'e1', event_type: 'x' }, 'MODIFY'),
    { eventName: 'REMOVE', dynamodb: {} },
  ]);
  expect(bus.seen).toEqual([]);
});

test('an entry that the bus refuses fails the batch, so that the stream delivers it again', async () => {
  refused = 1;
  await expect(relay([anEvent(1), anEvent(2)])).rejects.toThrow('The bus refused 1 of 2 events: ThrottlingException');
});
