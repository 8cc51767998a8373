import { afterEach, describe, expect, test } from 'vitest';
import { createCaller, DISCONNECTED } from '../../shared/realtime/caller.ts';
import { toInputReply } from '../../shared/realtime/call-reply.ts';
import { answerCall } from '../../shared/realtime/calls.ts';
import { connectionsOf } from '../../shared/realtime/connections.ts';
import { realtime } from '../../shared/realtime/connection.ts';
import { parseSettings } from '../../shared/settings/load.ts';
import { systemClock } from '../../shared/time.ts';
import { aUser, type Person } from '../support/people.ts';
import { TEST_ENVIRONMENT } from '../support/spawn-host.ts';
import { verifies } from '../support/verifies.ts';
import { closeTabs, openTab, typesOf, type Tab } from './support/tab.ts';

afterEach(closeTabs);

const target = (person: Person, sessionId: string | undefined) => ({
  userId: person.userId,
  chatId: 'chat',
  messageId: 'message',
  sessionId,
});
const asking = (person: Person, { socket }: Pick<Tab, 'socket'>, timeoutSeconds = 10) =>
  createCaller(target(person, socket.id), { timeoutSeconds });

const answering = (value: unknown) => (_: unknown, answer: (value?: unknown) => void) => answer(value);

describe('a question and its answer', () => {
  verifies(
    ['plugin-events/call', 'plugin-events/confirmation'],
    'confirmation gives true or false, however the client wraps it',
    async () => {
      const person = await aUser();
      const data = { title: 'Sure?', message: 'It cannot be undone' };
      for (const [said, heard] of [
        [true, true],
        [false, false],
        [{ value: true }, true],
        [null, false],
      ] as const) {
        const tab = await openTab({ token: person.token, onCall: answering(said) });
        expect(await asking(person, tab)({ type: 'confirmation', data })).toBe(heard);
        expect(tab.events).toEqual([{ chat_id: 'chat', message_id: 'message', data: { type: 'confirmation', data } }]);
      }
    },
  );

  verifies(
    'plugin-events/input',
    'input gives a text that is also its own value entry, and asks for a masked field when told so',
    async () => {
      const person = await aUser();
      const data = { title: 'Key', message: 'Paste it', placeholder: 'sk-…', value: 'old', type: 'password' };
      for (const said of ['secret', { value: 'secret' }]) {
        const tab = await openTab({ token: person.token, onCall: answering(said) });
        const reply = (await asking(person, tab)({ type: 'input', data })) as string & { value: string };
        expect(`${reply}`).toBe('secret');
        expect(reply.toUpperCase()).toBe('SECRET');
        expect(reply.value).toBe('secret');
        expect(JSON.stringify({ reply })).toBe('{"reply":"secret"}');
        expect(tab.events[0]?.data).toEqual({ type: 'input', data });
      }
    },
  );

  test('a cancelled input gives false', async () => {
    const person = await aUser();
    const tab = await openTab({ token: person.token, onCall: answering(false) });
    expect(await asking(person, tab)({ type: 'input', data: { title: 'Name?' } })).toBe(false);
  });

  verifies('plugin-events/execute-call', 'execute gives what the script returned', async () => {
    const person = await aUser();
    const run = async ({ data }: { data: { data?: unknown } }, answer: (value?: unknown) => void) => {
      const { code } = data.data as { code: string };
      const script = Object.getPrototypeOf(async () => {}).constructor(code) as () => Promise<unknown>;
      answer(await script());
    };
    const tab = await openTab({ token: person.token, onCall: (event, answer) => void run(event, answer) });
    const call = asking(person, tab);
    expect(await call({ type: 'execute', data: { code: 'return await Promise.resolve({ sum: 1 + 1 })' } })).toEqual({
      sum: 2,
    });
    expect(await call({ type: 'execute', data: { code: '' } })).toBeNull();
  });

  test('only the one session is asked, and others of the same user see nothing of it', async () => {
    const person = await aUser();
    const asked = await openTab({ token: person.token, onCall: answering('from here') });
    const other = await openTab({ token: person.token, onCall: answering('from there') });
    const reply = await asking(person, asked)({ type: 'input', data: { title: '?' } });
    expect(`${String(reply)}`).toBe('from here');
    expect([typesOf(asked), typesOf(other)]).toEqual([['input'], []]);
  });

  test('questions at the same time each get their own answer', async () => {
    const person = await aUser();
    const tab = await openTab({
      token: person.token,
      onCall: ({ data }, answer) => answer(`${(data.data as { title: string }).title}!`),
    });
    const call = asking(person, tab);
    const titles = Array.from({ length: 10 }, (_, i) => `q${i}`);
    const replies = await Promise.all(titles.map((title) => call({ type: 'input', data: { title } })));
    expect(replies.map(String)).toEqual(titles.map((title) => `${title}!`));
  });

  test('a session that the client named is found by that name', async () => {
    const person = await aUser();
    const session_id = crypto.randomUUID();
    await openTab({ token: person.token, auth: { session_id }, onCall: answering(true) });
    const call = createCaller(target(person, session_id), { timeoutSeconds: 10 });
    expect(await call({ type: 'confirmation', data: {} })).toBe(true);
  });
});

describe('without an answer', () => {
  const settingsWith = (given: Record<string, string>) =>
    parseSettings((name) => ({ ...TEST_ENVIRONMENT, SVC_URL: 'http://localhost', ...given })[name as string]);

  verifies(
    ['plugin-events/call-timeout', 'plugin-events/call-timeout-setting'],
    'the plugin gets an exception after the configured time, and a late answer changes nothing',
    async () => {
      const person = await aUser();
      const late: (() => void)[] = [];
      const tab = await openTab({ token: person.token, onCall: (_, answer) => late.push(() => answer('late')) });
      const { WEBSOCKET_EVENT_CALLER_TIMEOUT } = settingsWith({ WEBSOCKET_EVENT_CALLER_TIMEOUT: '1' });
      const call = asking(person, tab, WEBSOCKET_EVENT_CALLER_TIMEOUT);
      await expect(call({ type: 'input', data: { title: '?' } })).rejects.toThrow('did not answer within 1 seconds');
      late.forEach((answer) => answer());
      await tab.socket.timeout(5000).emitWithAck('heartbeat', {});
      const [session] = await connectionsOf(person.userId, systemClock());
      expect((await realtime.query({ pk: `CALL#${session!.connectionId}` })).rows).toEqual([]);
    },
  );

  verifies('limits/event-call-timeout', 'that time is 300 seconds unless configured', () => {
    expect(settingsWith({}).WEBSOCKET_EVENT_CALLER_TIMEOUT).toBe(300);
  });

  test('a session that is not there, or somebody else’s, gives an error object at once', async () => {
    const [person, stranger] = [await aUser(), await aUser()];
    const foreign = await openTab({ token: stranger.token, onCall: answering(true) });
    for (const sessionId of [undefined, 'unknown', foreign.socket.id]) {
      const call = createCaller(target(person, sessionId), { timeoutSeconds: 10 });
      expect(await call({ type: 'confirmation', data: {} })).toEqual(DISCONNECTED);
    }
    expect(foreign.events).toEqual([]);
  });

  test('a tab that is closed while it is asked gives the error object instead of a long wait', async () => {
    const person = await aUser();
    const tab = await openTab({ token: person.token, onCall: () => tab.close() });
    expect(await asking(person, tab, 300)({ type: 'confirmation', data: {} })).toEqual(DISCONNECTED);
  });

  test('an event that cannot be asked is refused', async () => {
    const call = createCaller(target(await aUser(), 's'), { timeoutSeconds: 10 });
    await expect(call({ type: 'status', data: {} })).rejects.toThrow(/event\.type/);
    await expect(call({ type: 'execute', data: {} })).rejects.toThrow(/event\.data\.code/);
  });
});

describe('answers that were not asked for', () => {
  test('a connection cannot answer what another one was asked', async () => {
    const [person, stranger] = [await aUser(), await aUser()];
    const [foreign, asked] = [await openTab({ token: stranger.token }), Promise.withResolvers<string>()];
    const tab = await openTab({ token: person.token });
    tab.socket.io.engine.on('message', (text: string) => asked.resolve(text));
    const reply = asking(person, tab, 2)({ type: 'confirmation', data: {} });
    const id = /^2(\d+)\[/.exec(await asked.promise)?.[1];
    foreign.socket.io.engine.send(`3${id}[true]`);
    await foreign.socket.timeout(5000).emitWithAck('heartbeat', {});
    await expect(reply).rejects.toThrow('did not answer');
  });

  test('the first answer counts, and one to a question that was never asked leaves no trace', async () => {
    await answerCall('nobody', 7, true);
    expect((await realtime.query({ pk: 'CALL#nobody' })).rows).toEqual([]);
  });

  test('a copy of an input reply can be made whole again', () => {
    const copy: unknown = structuredClone(toInputReply('text'));
    expect(toInputReply(String(copy))).toHaveProperty('value', 'text');
  });
});
