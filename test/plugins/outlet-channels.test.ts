import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { aPendingReply, storedReply } from '../realtime/support/chat.ts';
import { eventually } from '../realtime/support/eventually.ts';
import { closeTabs, openTab, typesOf } from '../realtime/support/tab.ts';
import { call } from '../support/call.ts';
import { host } from '../support/host.ts';
import { aUser, type Person } from '../support/people.ts';
import { verifies } from '../support/verifies.ts';
import { useHost } from './support/own-host.ts';
import { upload } from './support/plugin.ts';

const prerelease = useHost({ BUILD_CHANNEL: 'prerelease' });
afterEach(closeTabs);

const SIGNING = `export const plugin = definePlugin({ outlet(body) { body.messages.at(-1).content += ' (seen)'; return body; } });`;
const FAILING = `export const plugin = definePlugin({ outlet() { throw new Error('No'); } });`;
let signing = '';
let failing = '';
beforeAll(async () => {
  signing = (await upload(SIGNING)).id;
  failing = (await upload(FAILING)).id;
});

const ask = (person: Person, body: Record<string, unknown>, url: string) =>
  call(
    'POST /api/chat/completions',
    { model: 'demo', messages: [{ role: 'user', content: 'hi' }], filter_ids: [signing], ...body },
    { token: person.token, url },
  );

/** The stored text once everything that follows a reply has happened. */
async function settled(person: Person, body: Record<string, unknown>, url: string) {
  const reply = await aPendingReply(person);
  const tab = await openTab({ token: person.token, url });
  const answer = await ask(person, { chat_id: reply.chatId, id: reply.messageId, ...body }, url);
  const isOver = ({ data }: { data: { type: string; data?: unknown } }) =>
    data.type === 'chat:active' && (data.data as { active: boolean }).active === false;
  await eventually(() => tab.events.some(isOver)).toBe(true);
  return { answer, tab, stored: await storedReply(reply, person) };
}

describe('on release builds', () => {
  verifies('outlet/release-not-inline', 'a completion does not run outlet filters', async () => {
    const { stored, tab } = await settled(await aUser(), {}, host.url);
    expect(stored.content).not.toContain('(seen)');
    expect(typesOf(tab)).not.toContain('chat:outlet');
  });
});

describe('on pre-release builds', () => {
  verifies(
    ['outlet/prerelease-inline', 'outlet/event', 'outlet/persisted', 'outlet/response-unchanged'],
    'a completion with both ids runs them: stored and told, but not answered',
    async () => {
      const person = await aUser();
      const { answer, tab } = await settled(person, {}, prerelease.url);
      expect(answer.body.choices[0].message.content).not.toContain('(seen)');
      await eventually(() => typesOf(tab)).toContain('chat:outlet');
      const { chat_id: chatId, message_id: messageId } = tab.events[0]!;
      const stored = () => storedReply({ userId: person.userId, chatId, messageId }, person);
      await eventually(async () => (await stored()).content).toMatch(/\(seen\)$/);
    },
  );

  verifies('outlet/needs-both-ids', 'without both ids they do not run', async () => {
    const person = await aUser();
    const reply = await aPendingReply(person);
    const { status, body } = await ask(person, { chat_id: reply.chatId }, prerelease.url);
    expect(status).toBe(200);
    expect(body.choices[0].message.content).not.toContain('(seen)');
    expect((await storedReply(reply, person)).content).toBe('');
  });

  verifies(
    'outlet/needs-non-streaming',
    'a streaming request does not run them, and its content goes to the socket',
    async () => {
      const { stored, tab } = await settled(await aUser(), { stream: true }, prerelease.url);
      expect(stored.content).not.toContain('(seen)');
      expect(typesOf(tab)).not.toContain('chat:outlet');
      expect(typesOf(tab)).toContain('chat:message:delta');
    },
  );

  verifies('outlet/foreign-chat', "somebody else's chat is not there", async () => {
    const reply = await aPendingReply(await aUser());
    const answer = await ask(await aUser(), { chat_id: reply.chatId, id: reply.messageId }, prerelease.url);
    expect(answer.status).toBe(404);
  });

  verifies(
    'completed/deprecated',
    'the older endpoint still works and says that it is deprecated, here only',
    async () => {
      const { token } = await aUser();
      const body = { model: 'demo', messages: [{ role: 'assistant', content: 'x' }], filter_ids: [signing] };
      const late = await call('POST /api/chat/completed', body, { token, url: prerelease.url });
      expect(late.body.messages[0].content).toBe('x (seen)');
      expect(late.headers.get('deprecation')).toBe('true');
      expect((await call('POST /api/chat/completed', body, { token })).headers.get('deprecation')).toBeNull();
    },
  );

  test('a filter that fails takes nothing back', async () => {
    const { answer, stored } = await settled(await aUser(), { filter_ids: [failing] }, prerelease.url);
    expect(answer.status).toBe(200);
    expect(stored).toMatchObject({ done: true, content: expect.stringContaining('You said') });
  });
});
