import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { connectionsOf } from '../../shared/realtime/connections.ts';
import { connectionIdKey, connectionKey, realtime } from '../../shared/realtime/connection.ts';
import { pushToUser } from '../../shared/realtime/room.ts';
import { userKey } from '../../shared/identity/rows.ts';
import { openTable } from '../../shared/store/table.ts';
import { systemClock } from '../../shared/time.ts';
import { host } from '../support/host.ts';
import { anApiKey, anOperator, anOrg, aUser, type Person } from '../support/people.ts';
import { eventually } from './support/eventually.ts';
import { closeTabs, openTab, typesOf } from './support/tab.ts';

afterEach(closeTabs);

const notice = (content: string) => ({
  chat_id: randomUUID(),
  message_id: randomUUID(),
  data: { type: 'notification', data: { type: 'info', content } },
});
const tabsOf = async ({ userId }: Person) => (await connectionsOf(userId, systemClock())).length;

describe('connecting with the unmodified client', () => {
  test('a token in the handshake joins the room of its user', async () => {
    const person = await aUser();
    const tab = await openTab({ token: person.token });
    expect(tab.socket.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(await pushToUser(person.userId, notice('hello'))).toBe(1);
    await eventually(() => tab.events).toMatchObject([{ data: { data: { content: 'hello' } } }]);
  });

  test('an API key does as well as a token', async () => {
    const person = await aUser();
    const tab = await openTab({ token: await anApiKey(person) });
    await pushToUser(person.userId, notice('by key'));
    await eventually(() => typesOf(tab)).toEqual(['notification']);
  });

  test('user-join answers who it is, and joins a tab that connected without a token', async () => {
    const person = await aUser();
    const tab = await openTab();
    expect(await tabsOf(person)).toBe(0);
    const answer: unknown = await tab.socket.timeout(5000).emitWithAck('user-join', { auth: { token: person.token } });
    expect(answer).toEqual({ id: person.userId, name: person.name });
    await pushToUser(person.userId, notice('now'));
    await eventually(() => typesOf(tab)).toEqual(['notification']);
  });

  test('joining twice is joining once', async () => {
    const person = await aUser();
    const tab = await openTab({ token: person.token });
    const { token } = person;
    await tab.socket.timeout(5000).emitWithAck('user-join', { auth: { token } });
    expect(await pushToUser(person.userId, notice('once'))).toBe(1);
  });

  test('a tab that signs in as somebody else leaves the room it was in', async () => {
    const [first, second] = [await aUser(), await aUser()];
    const tab = await openTab({ token: first.token });
    await tab.socket.timeout(5000).emitWithAck('user-join', { auth: { token: second.token } });
    expect([await tabsOf(first), await tabsOf(second)]).toEqual([0, 1]);
  });

  test('heartbeat and usage are answered when an answer is wanted', async () => {
    const tab = await openTab({ token: (await aUser()).token });
    expect(await tab.socket.timeout(5000).emitWithAck('heartbeat', {})).toBeUndefined();
    expect(await tab.socket.timeout(5000).emitWithAck('usage', { model: 'demo' })).toBeUndefined();
  });

  test.each([
    ['nonsense', async () => 'nonsense'],
    ['a forged token', async () => 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.'],
    ['line breaks', async () => 'a\r\nx-evil: 1'],
    ['an unknown key', async () => `sk-${'0'.repeat(38)}`],
    ['the token of an operator', async () => (await anOperator()).token],
    ['a key that may only call other routes', async () => anApiKey(await aUser(), ['/api/v1/files'])],
    ['a number', async () => 42 as unknown as string],
  ])('%s as a token connects, and joins nothing', async (_, makeToken) => {
    const token = await makeToken();
    const tab = await openTab({ token });
    expect(tab.socket.connected).toBe(true);
    expect(await tab.socket.timeout(5000).emitWithAck('user-join', { auth: { token } })).toBeUndefined();
  });

  test('other namespaces are refused by name', async () => {
    const tab = await openTab();
    const other = tab.socket.io.socket('/admin');
    const error = await new Promise<Error>((resolve) => {
      other.once('connect_error', resolve);
      other.connect();
    });
    expect(error.message).toBe('Invalid namespace');
  });

  test('clients of an older protocol are refused at the handshake', async () => {
    const socket = new WebSocket(`${host.url.replace('http', 'ws')}/ws/socket.io/?EIO=3&transport=websocket`);
    const error = await new Promise<Error>((resolve) => socket.once('error', resolve));
    expect(error.message).toContain('400');
  });
});

describe('delivery', () => {
  test('every tab of a user gets an event, and no tab of anybody else', async () => {
    const [person, stranger] = [await aUser(), await aUser()];
    const tabs = [await openTab({ token: person.token }), await openTab({ token: person.token })];
    const foreign = await openTab({ token: stranger.token });
    expect(await pushToUser(person.userId, notice('mine'))).toBe(2);
    expect(await pushToUser(stranger.userId, notice('theirs'))).toBe(1);
    await eventually(() => tabs.map(typesOf)).toEqual([['notification'], ['notification']]);
    await eventually(() => foreign.events).toMatchObject([{ data: { data: { content: 'theirs' } } }]);
  });

  test('an event that nobody hears is discarded', async () => {
    expect(await pushToUser((await aUser()).userId, notice('?'))).toBe(0);
  });

  test('a tab that is closed leaves its room', async () => {
    const person = await aUser();
    const tab = await openTab({ token: person.token });
    tab.close();
    await eventually(() => tabsOf(person)).toBe(0);
  });

  test('a connection that vanished without a word is forgotten at the next event', async () => {
    const person = await aUser();
    const tab = await openTab({ token: person.token });
    const [known] = await connectionsOf(person.userId, systemClock());
    const ghost = { ...known!, connectionId: `ghost-${randomUUID()}` };
    await realtime.put({ ...connectionKey(person.userId, ghost.connectionId), ...ghost });
    await realtime.put({ ...connectionIdKey(ghost.connectionId), ...ghost });
    expect(await pushToUser(person.userId, notice('boo'))).toBe(1);
    expect(await realtime.get(connectionKey(person.userId, ghost.connectionId))).toBeUndefined();
    expect(await realtime.get(connectionIdKey(ghost.connectionId))).toBeUndefined();
    await eventually(() => typesOf(tab)).toEqual(['notification']);
  });
});

describe('standing', () => {
  const accounts = openTable('accounts');
  const revocations: [string, (person: Person) => Promise<unknown>][] = [
    ['is deactivated', ({ userId }) => accounts.update(userKey(userId), { set: { status: 'INACTIVE' } })],
    ['changes the password', ({ userId }) => accounts.update(userKey(userId), { add: { tokenVersion: 1 } })],
    ['is deleted', ({ userId }) => accounts.delete(userKey(userId))],
    ['moves to an organization', ({ userId }) => accounts.update(userKey(userId), { set: { orgId: randomUUID() } })],
  ];

  test.each(revocations)('whoever %s hears nothing more and is cut off', async (_, revoke) => {
    const person = await aUser();
    const tab = await openTab({ token: person.token });
    const closed = new Promise((resolve) => tab.socket.once('disconnect', resolve));
    await revoke(person);
    expect(await pushToUser(person.userId, notice('secret'))).toBe(0);
    expect(await closed).toBe('transport close');
    expect(tab.events).toEqual([]);
  });

  test('a suspended organization hears nothing', async () => {
    const { orgId, admin } = await anOrg();
    const tab = await openTab({ token: admin.token });
    expect(await pushToUser(admin.userId, notice('before'))).toBe(1);
    await accounts.update({ pk: `ORG#${orgId}`, sk: 'META' }, { set: { status: 'SUSPENDED' } });
    expect(await pushToUser(admin.userId, notice('after'))).toBe(0);
    await eventually(() => tab.socket.connected).toBe(false);
  });
});

test('a session may be named by the client, or is the id of its socket', async () => {
  const person = await aUser();
  const own = randomUUID();
  const named = await openTab({ token: person.token, auth: { session_id: own } });
  const unnamed = await openTab({ token: person.token });
  const sessions = (await connectionsOf(person.userId, systemClock())).map(({ sessionId }) => sessionId);
  expect(named.socket.id).toBe(own);
  expect(new Set(sessions)).toEqual(new Set([own, unnamed.socket.id]));
});
