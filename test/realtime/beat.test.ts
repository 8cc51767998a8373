import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { localEnvironment } from '../../infra/local/environment.ts';
import { doLater } from '../../functions/realtime/later.ts';
import { userKey } from '../../shared/identity/rows.ts';
import { connectionIdKey, connectionKey, realtime } from '../../shared/realtime/connection.ts';
import { connectionsOf, findConnection } from '../../shared/realtime/connections.ts';
import { openTable } from '../../shared/store/table.ts';
import { systemClock } from '../../shared/time.ts';
import { host } from '../support/host.ts';
import { aUser, type Person } from '../support/people.ts';
import { spawnHost, type SpawnedHost } from '../support/spawn-host.ts';
import { eventually } from './support/eventually.ts';
import { closeTabs, openTab } from './support/tab.ts';

/** A host whose sockets beat every second; people are made in its tables. */
let beating: SpawnedHost;
beforeAll(async () => {
  const env = { WEBSOCKET_SERVER_PING_INTERVAL: '1', WEBSOCKET_SERVER_PING_TIMEOUT: '2', SVC_URL: host.url };
  beating = await spawnHost({ env });
  Object.assign(process.env, localEnvironment(beating.endpoints));
});
afterEach(closeTabs);
afterAll(() => beating.stop());

const open = (person?: Person) => openTab({ token: person?.token, url: beating.url });
const onlyConnection = async ({ userId }: Person) => (await connectionsOf(userId, systemClock()))[0]!;

describe('the beat of a connection', () => {
  test('keeps a client that says nothing itself connected', async () => {
    const tab = await open(await aUser());
    let pings = 0;
    tab.socket.io.engine.on('ping', () => (pings += 1));
    await eventually(() => pings).toBeGreaterThanOrEqual(4);
    expect(tab.socket.connected).toBe(true);
  });

  test('is not for those who never said who they are', async () => {
    const tab = await open();
    const reason = await new Promise((resolve) => tab.socket.once('disconnect', resolve));
    expect(reason).toBe('ping timeout');
  });

  test('ends with the right to be there', async () => {
    const person = await aUser();
    const tab = await open(person);
    await openTable('accounts').update(userKey(person.userId), { set: { status: 'INACTIVE' } });
    const reason = await new Promise((resolve) => tab.socket.once('disconnect', resolve));
    expect(reason).toBe('transport close');
  });

  test('forgets a connection that has vanished', async () => {
    const person = await aUser();
    await open(person);
    const ghost = { ...(await onlyConnection(person)), connectionId: `ghost-${randomUUID()}` };
    await realtime.put({ ...connectionIdKey(ghost.connectionId), ...ghost });
    await realtime.put({ ...connectionKey(person.userId, ghost.connectionId), ...ghost });
    await doLater({ kind: 'beat', connectionId: ghost.connectionId });
    await eventually(() => findConnection(ghost.connectionId)).toBeUndefined();
  });

  test('ends a connection before it is two hours old, as the gateway would', async () => {
    const person = await aUser();
    const tab = await open(person);
    const { connectionId } = await onlyConnection(person);
    const connectedAt = Date.now() - 2 * 3_600_000;
    await realtime.update(connectionIdKey(connectionId), { set: { connectedAt } });
    const reason = await new Promise((resolve) => tab.socket.once('disconnect', resolve));
    expect(reason).toBe('transport close');
  });

  test('a greeting that comes too late is not sent', async () => {
    const person = await aUser();
    const tab = await open(person);
    const { connectionId } = await onlyConnection(person);
    let opened = 0;
    tab.socket.io.engine.on('handshake', () => (opened += 1));
    const connectedAt = Date.now() - 60_000;
    await doLater({ kind: 'open', connectionId, connectedAt, protocol: 'socketio' });
    let pings = 0;
    tab.socket.io.engine.on('ping', () => (pings += 1));
    await eventually(() => pings).toBeGreaterThanOrEqual(2);
    expect(opened).toBe(0);
  });
});
