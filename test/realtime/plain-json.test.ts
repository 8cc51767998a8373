import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createCaller } from '../../shared/realtime/caller.ts';
import { connectionsOf } from '../../shared/realtime/connections.ts';
import { pushToUser } from '../../shared/realtime/room.ts';
import { systemClock } from '../../shared/time.ts';
import { host } from '../support/host.ts';
import { anApiKey, aUser } from '../support/people.ts';
import { eventually } from './support/eventually.ts';

const sockets = new Set<WebSocket>();
afterEach(() => {
  for (const socket of sockets) socket.close();
  sockets.clear();
});

type Message = Readonly<Record<string, unknown>>;

/** A client with nothing but a WebSocket. */
function connect(query = '', headers: Readonly<Record<string, string>> = {}) {
  const socket = new WebSocket(`${host.url.replace('http', 'ws')}/ws${query}`, { headers });
  sockets.add(socket);
  const messages: Message[] = [];
  socket.on('message', (data: Buffer) => messages.push(JSON.parse(data.toString()) as Message));
  const hears = (type: string) =>
    eventually(() => messages.find((message) => message['type'] === type), type).toBeDefined();
  return {
    socket,
    messages,
    send: (message: unknown) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    async hear(type: string) {
      await hears(type);
      return messages.find((message) => message['type'] === type)!;
    },
  };
}

const event = { chat_id: 'c', message_id: 'm', data: { type: 'status', data: { description: 'x', done: true } } };

describe('a client without Socket.IO', () => {
  test('signs in with its first message', async () => {
    const person = await aUser();
    const client = connect();
    await client.hear('open');
    client.send({ type: 'auth', token: person.token });
    expect(await client.hear('ready')).toMatchObject({
      session_id: expect.any(String),
      user: { id: person.userId, name: person.name },
    });
    expect(await pushToUser(person.userId, event)).toBe(1);
    expect(await client.hear('events')).toEqual({ type: 'events', payload: event });
  });

  test.each(['token', 'key'])('signs in with a %s in the address', async (kind) => {
    const person = await aUser();
    const client = connect(`?token=${kind === 'key' ? await anApiKey(person) : person.token}`);
    expect(await client.hear('ready')).toMatchObject({ user: { id: person.userId } });
    expect(await pushToUser(person.userId, event)).toBe(1);
    await client.hear('events');
  });

  test.each(['localhost', '127.0.0.1'])('signs in with the login cookie of our own page on %s', async (name) => {
    const person = await aUser();
    const own = host.url.replace('localhost', name);
    const sessionId = randomUUID();
    const headers = { cookie: `a=b; token=${person.token}`, origin: own, host: new URL(own).host };
    const client = connect(`?session_id=${sessionId}`, headers);
    expect(await client.hear('ready')).toMatchObject({ session_id: sessionId, user: { id: person.userId } });
  });

  test.each(['https://evil.example', 'null', ''])('is nobody with the cookie of a page of %j', async (origin) => {
    const person = await aUser();
    const client = connect('', { cookie: `token=${person.token}`, ...(origin && { origin }) });
    await client.hear('open');
    client.send({ type: 'ping' });
    await client.hear('pong');
    expect(client.messages.map(({ type }) => type)).toEqual(['open', 'pong']);
    expect(await connectionsOf(person.userId, systemClock())).toEqual([]);
  });

  test('is asked, and answers', async () => {
    const person = await aUser();
    const sessionId = randomUUID();
    const client = connect();
    await client.hear('open');
    client.send({ type: 'auth', token: person.token, session_id: sessionId });
    expect(await client.hear('ready')).toMatchObject({ session_id: sessionId });
    const target = { userId: person.userId, chatId: 'c', messageId: 'm', sessionId };
    const reply = createCaller(target, { timeoutSeconds: 10 })({ type: 'confirmation', data: { title: '?' } });
    const { call_id, payload } = await client.hear('events');
    expect(payload).toEqual({ chat_id: 'c', message_id: 'm', data: { type: 'confirmation', data: { title: '?' } } });
    client.send({ type: 'answer', call_id, value: true });
    expect(await reply).toBe(true);
  });

  test.each(['?token=nonsense', ''])('with a bad token (%s) stays connected and hears nothing', async (query) => {
    const person = await aUser();
    const client = connect(query);
    await client.hear('open');
    if (query === '') {
      client.send({ type: 'auth', token: 'nonsense' });
      expect(await client.hear('ready')).toMatchObject({ user: null });
    }
    expect(await pushToUser(person.userId, event)).toBe(0);
    client.send({ type: 'ping' });
    await client.hear('pong');
    expect(client.messages.map(({ type }) => type)).not.toContain('events');
  });

  test('may send nonsense without harm', async () => {
    const client = connect();
    await client.hear('open');
    for (const text of ['', '{', '[]', '{"type":"no"}', '{"type":"answer"}', 'null', '9', '4', '42[', '43[1]', '45-[]'])
      client.send(text);
    client.send({ type: 'ping' });
    await client.hear('pong');
    expect(client.messages.map(({ type }) => type)).toEqual(['open', 'pong']);
  });

  test('leaves its room when it closes', async () => {
    const person = await aUser();
    const client = connect(`?token=${person.token}`);
    await client.hear('ready');
    client.socket.close();
    await eventually(async () => (await connectionsOf(person.userId, systemClock())).length).toBe(0);
  });
});
