import { afterEach, describe, expect, test } from 'vitest';
import { createReplyChannel } from '../../shared/realtime/reply-channel.ts';
import type { RoutedEvent } from '../../shared/realtime/event.ts';
import type { Room } from '../../shared/realtime/room.ts';
import { aUser } from '../support/people.ts';
import { aPendingReply, storedReply } from './support/chat.ts';
import { eventually } from './support/eventually.ts';
import { closeTabs, openTab, typesOf } from './support/tab.ts';

afterEach(closeTabs);

const textIn = (events: readonly RoutedEvent[]) =>
  events
    .filter(({ data }) => data.type === 'chat:message:delta')
    .map(({ data }) => (data.data as { content: string }).content)
    .join('');

describe('a reply that streams', () => {
  test('reaches both tabs whole and in order, in far fewer messages than pieces', async () => {
    const person = await aUser();
    const reply = await aPendingReply(person);
    const tabs = await Promise.all([openTab({ token: person.token }), openTab({ token: person.token })]);
    const channel = createReplyChannel(reply);
    const pieces = Array.from({ length: 500 }, (_, i) => `${i} `);
    await channel.event({ type: 'status', data: { description: 'Writing', done: false } });
    for (const piece of pieces) channel.delta(piece);
    await channel.event({ type: 'source', data: { source: { name: 's' }, document: [], metadata: [] } });
    await channel.event({ type: 'chat:completion', data: { content: pieces.join(''), done: true } });
    await channel.flush();
    for (const tab of tabs) {
      await eventually(() => typesOf(tab).at(-1)).toBe('chat:completion');
      expect(textIn(tab.events)).toBe(pieces.join(''));
      expect(typesOf(tab).length).toBeLessThan(20);
      expect(typesOf(tab)[0]).toBe('status');
      expect(typesOf(tab).at(-2)).toBe('source');
    }
  });

  test('stores its events but not its text, which the reply task saves itself', async () => {
    const person = await aUser();
    const reply = await aPendingReply(person);
    const channel = createReplyChannel(reply);
    channel.delta('not stored');
    await channel.event({ type: 'status', data: { description: 'stored' } });
    await channel.flush();
    expect(await storedReply(reply, person)).toMatchObject({ content: '', statusHistory: [{ description: 'stored' }] });
  });

  const listening = () => {
    const pushed: RoutedEvent[] = [];
    const free: (() => void)[] = [];
    const room: Room = {
      connections: async () => [],
      pushTo: async () => true,
      push: async (event) => {
        pushed.push(event);
        await new Promise<void>((resolve) => free.push(resolve));
        return 1;
      },
    };
    return { pushed, free, room };
  };
  const target = { userId: 'u', chatId: 'local:c', messageId: 'm' };

  test('sends its first piece at once and gathers what comes while a message is under way', async () => {
    const { pushed, free, room } = listening();
    const channel = createReplyChannel(target, { room });
    channel.delta('first');
    await eventually(() => pushed.length).toBe(1);
    for (const piece of ['a', 'b', 'c']) channel.delta(piece);
    const flushed = channel.flush();
    free.shift()?.();
    await eventually(() => pushed.length).toBe(2);
    free.shift()?.();
    await flushed;
    expect(pushed.map(({ data }) => data.data)).toEqual([{ content: 'first' }, { content: 'abc' }]);
  });

  test('shows nothing of what is said after an event before it', async () => {
    const { pushed, free, room } = listening();
    const channel = createReplyChannel(target, { room });
    channel.delta('old');
    await channel.event({ type: 'replace', data: { content: 'new' } });
    channel.delta(' text');
    const flushed = channel.flush();
    for (const count of [1, 2, 3]) {
      await eventually(() => pushed.length).toBe(count);
      free.shift()?.();
    }
    await flushed;
    expect(pushed.map(({ data }) => data.data)).toEqual([{ content: 'old' }, { content: 'new' }, { content: ' text' }]);
  });

  test('flushing an empty channel sends nothing', async () => {
    const { pushed, room } = listening();
    await createReplyChannel(target, { room }).flush();
    expect(pushed).toEqual([]);
  });
});
