import { afterEach, describe, expect, test } from 'vitest';
import { createCallLog } from '../../shared/plugins/call-log.ts';
import { createLogKeeper } from '../../shared/plugins/log-keeper.ts';
import type { LogEntry } from '../../shared/plugins/logs.ts';
import type { Millis } from '../../shared/time.ts';
import { call } from '../support/call.ts';
import { aUser } from '../support/people.ts';
import { remove, upload, type Uploaded, type UploadOptions } from './support/plugin.ts';

const uploaded: Uploaded[] = [];
afterEach(async () => void (await Promise.all(uploaded.splice(0).map(remove))));

async function aPipe(body: string, options: UploadOptions = {}) {
  const plugin = await upload(
    `export const plugin = definePlugin({ valves: { key: '' }, userValves: { own: '' }, pipe(body, context) { ${body} } });`,
    options,
  );
  uploaded.push(plugin);
  return plugin;
}

const ask = (id: string, token: string) =>
  call('POST /api/chat/completions', { model: id, messages: [{ role: 'user', content: 'hi' }] }, { token });
const logsOf = async ({ id, operator }: Uploaded) =>
  (await call(`GET /api/v1/functions/id/${id}/logs`, undefined, { token: operator })).body as LogEntry[];

describe('the log of a plugin', () => {
  test('is read by operators, each plugin for itself, and by nobody else', async () => {
    const [one, two] = [
      await aPipe('console.log("from one"); return "1";'),
      await aPipe('console.warn("from two"); return "2";'),
    ];
    const { token } = await aUser();
    await ask(one.id, token);
    await ask(two.id, token);
    expect(await logsOf(one)).toMatchObject([{ method: 'pipe', lines: [{ level: 'info', text: 'from one' }] }]);
    expect(await logsOf(two)).toMatchObject([{ method: 'pipe', lines: [{ level: 'warn', text: 'from two' }] }]);
    expect((await call(`GET /api/v1/functions/id/${one.id}/logs`, undefined, { token })).status).toBe(403);
  });

  test('holds the newest lines only, none of them long', async () => {
    const plugin = await aPipe(
      'for (let n = 0; n < 500; n += 1) console.log(n + " " + "x".repeat(3000)); return "done";',
    );
    const { token } = await aUser();
    expect((await ask(plugin.id, token)).status).toBe(200);
    const [entry] = await logsOf(plugin);
    expect(entry?.lines).toHaveLength(50);
    expect(entry?.lines.at(-1)?.text).toMatch(/^499 x/);
    expect(Math.max(...(entry?.lines ?? []).map(({ text }) => text.length))).toBe(2000);
  });

  test('shows nothing that was set in valves, and neither does an error', async () => {
    const plugin = await aPipe(
      'console.log(context.valves, "mine:", context.user.valves.own); throw new Error("refused " + context.valves.key);',
      { valves: { key: 'sk-"operators"-0123' } },
    );
    const person = await aUser();
    const at = `/api/v1/functions/id/${plugin.id}/valves/user/update`;
    await call(`POST ${at}`, { own: 'my own password' }, { token: person.token });
    const answer = await ask(plugin.id, person.token);
    expect(answer).toMatchObject({ status: 502, body: { detail: 'refused [valve]' } });
    const [entry] = await logsOf(plugin);
    expect(entry?.lines.map(({ text }) => text)).toEqual(['{"key":"[valve]"} mine: [valve]', 'refused [valve]']);
  });
});

test('short words are not mistaken for secrets, and of two the longer one is hidden whole', () => {
  const log = createCallLog(['on', 'secret', 'secret-key']);
  log.add('info', 'on: secret-key, secret');
  expect(log.lines).toEqual([{ level: 'info', text: 'on: [valve], [valve]' }]);
});

test('a plugin that prints without end fills no more than a page a minute, and the log says what is missing', async () => {
  const written: LogEntry[] = [];
  let now = 0;
  const keep = createLogKeeper(
    () => now as Millis,
    async (_id, entry) => void written.push(entry),
  );
  const print = () => keep('p', 'stream', [{ level: 'info', text: 'chunk' }]);
  for (let n = 0; n < 100; n += 1) await print();
  expect(written).toHaveLength(60);
  now = 61_000;
  await print();
  expect(written.at(-1)?.lines.map(({ text }) => text)).toEqual(['40 calls before this one were not logged', 'chunk']);
});
