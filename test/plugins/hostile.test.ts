import { afterEach, describe, expect, test } from 'vitest';
import { aPendingReply, storedReply } from '../realtime/support/chat.ts';
import { eventually } from '../realtime/support/eventually.ts';
import { closeTabs, openTab } from '../realtime/support/tab.ts';
import { call } from '../support/call.ts';
import { aUser } from '../support/people.ts';
import { useHost } from './support/own-host.ts';
import { remove, upload } from './support/plugin.ts';

const strict = useHost({ PLUGIN_TIMEOUT_MS: '400', PLUGIN_MEMORY_MB: '64', WEBSOCKET_EVENT_CALLER_TIMEOUT: '1' });
afterEach(closeTabs);

const ask = (token: string, body: Record<string, unknown>) =>
  call(
    'POST /api/chat/completions',
    { messages: [{ role: 'user', content: 'hi' }], ...body },
    { token, url: strict.url },
  );

describe('a hostile plugin gets its own request refused, and nobody else notices', () => {
  test.each([
    ['an endless loop', 'for (;;) {}', /took longer than 400 ms/],
    [
      'a gigabyte of memory',
      'const all = []; for (;;) all.push(new Array(100000).fill({ n: all.length }));',
      /memory|took longer/,
    ],
    ['never answering', 'return new Promise(() => {});', /took longer/],
    ['process.exit', 'process.exit(1);', /process is not defined/],
    [
      'the environment',
      'return { ...body, messages: [{ role: "user", content: process.env.JWT_SECRET }] };',
      /process is not defined/,
    ],
    ['a throw', 'throw new Error("boom");', /^boom$/],
    [
      'an inside address',
      'return context.fetch("http://169.254.169.254/latest").then(() => body);',
      /not a public address/,
    ],
  ])(
    '%s',
    async (_name, body, message) => {
      const plugin = await upload(`export const plugin = definePlugin({ inlet(body, context) { ${body} } });`, {
        url: strict.url,
      });
      const { token } = await aUser();
      const [hostile, other] = await Promise.all([
        ask(token, { model: 'demo', filter_ids: [plugin.id] }),
        ask(token, { model: 'demo' }),
      ]);
      expect(hostile.status).toBe(400);
      expect(hostile.body.detail).toMatch(message);
      expect(other.status).toBe(200);
      const logs = await call(`GET /api/v1/functions/id/${plugin.id}/logs`, undefined, {
        token: plugin.operator,
        url: strict.url,
      });
      expect(logs.body[0]).toMatchObject({ method: 'inlet', lines: [{ level: 'error' }] });
      expect(() => process.kill(strict.pid, 0)).not.toThrow();
      await remove(plugin);
    },
    20_000,
  );

  test('an unhandled rejection beside a good answer harms nothing', async () => {
    const plugin = await upload(
      `export const plugin = definePlugin({ pipe() { Promise.reject(new Error('nobody')); console.log('still here'); return 'fine'; } });`,
      { url: strict.url },
    );
    const { token } = await aUser();
    expect((await ask(token, { model: plugin.id })).body.choices[0].message.content).toBe('fine');
    const logs = await call(`GET /api/v1/functions/id/${plugin.id}/logs`, undefined, {
      token: plugin.operator,
      url: strict.url,
    });
    expect(logs.body[0].lines).toEqual([{ level: 'info', text: 'still here' }]);
    await remove(plugin);
  });
});

test('events without end in a chat are taken no faster than they can be stored', async () => {
  const plugin = await upload(
    `export const plugin = definePlugin({ pipe(body, { emit }) { for (;;) emit({ type: 'status', data: { description: 'x', done: false } }); } });`,
    { url: strict.url },
  );
  const person = await aUser();
  const reply = await aPendingReply(person);
  await ask(person.token, { model: plugin.id, chat_id: reply.chatId, id: reply.messageId, session_id: 'nobody' });
  await eventually(async () => (await storedReply(reply, person)).done).toBe(true);
  const { statusHistory, error } = await storedReply(reply, person);
  expect(JSON.stringify(error)).toMatch(/too much at once|took longer/);
  expect(statusHistory.length).toBeLessThan(1000);
  await remove(plugin);
});

test('a question that nobody answers raises in the pipe after the configured time', async () => {
  const plugin = await upload(
    `export const plugin = definePlugin({ pipe: (body, { ask }) => ask({ type: 'input', data: { title: 'Name?' } }).catch((error) => 'raised: ' + error.message) });`,
    { url: strict.url },
  );
  const person = await aUser();
  const tab = await openTab({ token: person.token, url: strict.url });
  const reply = await aPendingReply(person);
  await ask(person.token, { model: plugin.id, chat_id: reply.chatId, id: reply.messageId, session_id: tab.socket.id });
  await eventually(async () => (await storedReply(reply, person)).done).toBe(true);
  expect((await storedReply(reply, person)).content).toMatch(/^raised: The user did not answer within 1 seconds/);
});
