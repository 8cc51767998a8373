import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { aStoredChat, getChat } from '../chats/a-chat.ts';
import { eventually } from '../realtime/support/eventually.ts';
import { closeTabs, openTab, typesOf, type Tab } from '../realtime/support/tab.ts';
import { call } from '../support/call.ts';
import { aUser } from '../support/people.ts';
import { verifies } from '../support/verifies.ts';
import { useGateway } from './gateway.ts';
import { TEXT } from './model-server.ts';

const gateway = useGateway();
afterEach(closeTabs);

async function aWatchedChat() {
  const person = await aUser();
  const { id: chat_id, answer } = await aStoredChat(person);
  const tab = await openTab({ token: person.token });
  const asked = {
    messages: [{ role: 'user', content: 'Hello' }],
    chat_id,
    id: answer.id,
    session_id: tab.socket.id,
    stream: true,
  };
  return { person, tab, asked };
}

const textHeard = ({ events }: Tab) =>
  events
    .filter(({ data }) => data.type === 'chat:message:delta')
    .map(({ data }) => (data.data as { content: string }).content)
    .join('');

describe('a tab of the user', () => {
  verifies('completions/session-id', 'hears a reply while it is written, and how it ended', async () => {
    const { person, tab, asked } = await aWatchedChat();
    const background_tasks = { title_generation: true, follow_up_generation: true };
    await call('POST /api/chat/completions', { ...asked, model: gateway.chat('title'), background_tasks }, person);
    await eventually(() => typesOf(tab)).toContain('chat:title');
    await eventually(() => typesOf(tab)).toContain('chat:message:follow_ups');
    const types = typesOf(tab).filter((type) => type !== 'chat:message:delta');
    expect(types.slice(0, 3)).toEqual(['chat:active', 'chat:completion', 'chat:active']);
    const done = tab.events.find(({ data }) => data.type === 'chat:completion')!;
    expect(done).toMatchObject({
      chat_id: asked.chat_id,
      message_id: asked.id,
      data: { data: { done: true, content: textHeard(tab), output: [{ type: 'message' }] } },
    });
    expect(tab.events.find(({ data }) => data.type === 'chat:title')!.data.data).toBe('A fine title');
  });

  test('also hears a reply that somebody asked for without a session', async () => {
    const { person, tab, asked } = await aWatchedChat();
    await call('POST /api/chat/completions', { ...asked, model: gateway.chat('plain'), session_id: undefined }, person);
    await eventually(() => textHeard(tab)).toBe(TEXT);
  });

  test('hears why a reply failed', async () => {
    const { person, tab, asked } = await aWatchedChat();
    await call('POST /api/chat/completions', { ...asked, model: gateway.chat('refuses') }, person);
    await eventually(() => typesOf(tab)).toEqual([
      'chat:active',
      'chat:message:error',
      'chat:tasks:cancel',
      'chat:completion',
      'chat:active',
    ]);
    expect(tab.events[1]!.data.data).toEqual({ error: { content: 'Too many tokens today' } });
  });

  verifies(
    'completions/background-events-discarded',
    'need not be there: the reply is complete all the same',
    async () => {
      const { person, tab, asked } = await aWatchedChat();
      await call(
        'POST /api/chat/completions',
        { ...asked, model: gateway.chat('held'), session_id: randomUUID() },
        person,
      );
      tab.close();
      await eventually(async () => {
        // The model may not have come to where it waits yet.
        gateway.server.release();
        return (await getChat(person, asked.chat_id)).body.chat.history.messages[asked.id];
      }).toMatchObject({
        content: TEXT,
        done: true,
      });
    },
  );
});
