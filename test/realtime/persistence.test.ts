import { afterEach, describe, expect, test } from 'vitest';
import { createEmitter } from '../../shared/realtime/emitter.ts';
import { UiEvent } from '../../shared/realtime/event.ts';
import { aUser } from '../support/people.ts';
import { verifies } from '../support/verifies.ts';
import type { RequirementId } from '../requirements.ts';
import { aPendingReply, storedChat, storedReply } from './support/chat.ts';
import { eventually } from './support/eventually.ts';
import { closeTabs, openTab } from './support/tab.ts';

afterEach(closeTabs);

interface Case {
  readonly ids?: readonly RequirementId[];
  readonly title: string;
  readonly before?: Readonly<Record<string, unknown>>;
  readonly events: readonly { readonly type: string; readonly data?: unknown }[];
  /** Fields of the reply afterwards; those not named are as they were. */
  readonly stored: Readonly<Record<string, unknown>>;
}

const visible = { description: 'Searching', done: false };
const hidden = { description: 'Thinking', done: true, hidden: true };
const citation = { source: { name: 'a.txt' }, document: ['text'], metadata: [{ source: 'a.txt' }] };
const run = { type: 'code_execution', id: 'r1', name: 'sum', code: '1+1', language: 'python' };
const finishedRun = { ...run, result: { output: '2' } };

/** Every type of the interface with its alias: what it leaves behind in the stored message. */
const CASES: readonly Case[] = [
  {
    ids: ['plugin-events/status', 'plugin-events/hidden-history', 'plugin-events/done-unchanged'],
    title: 'status is appended to the history, hidden or not, done as it was given',
    events: [
      { type: 'status', data: visible },
      { type: 'status', data: hidden },
      { type: 'status', data: { description: 'no done' } },
    ],
    stored: { statusHistory: [visible, hidden, { description: 'no done' }] },
  },
  ...['message', 'chat:message:delta'].map((type): Case => ({
    ids: ['plugin-events/message-delta'],
    title: `${type} is appended to the content`,
    before: { content: 'One' },
    events: [
      { type, data: { content: ', two' } },
      { type, data: { content: ', three' } },
    ],
    stored: { content: 'One, two, three' },
  })),
  ...['replace', 'chat:message'].map((type): Case => ({
    ids: ['plugin-events/message-replace'],
    title: `${type} replaces the content, appended pieces too`,
    before: { content: 'Old' },
    events: [
      { type: 'message', data: { content: ' and more' } },
      { type, data: { content: 'New' } },
    ],
    stored: { content: 'New' },
  })),
  ...['files', 'chat:message:files'].map((type): Case => ({
    ids: ['plugin-events/files'],
    title: `${type} sets the files`,
    before: { files: [{ type: 'image', url: '/old' }] },
    events: [{ type, data: { files: [{ type: 'file', id: 'f1', name: 'a.txt' }] } }],
    stored: { files: [{ type: 'file', id: 'f1', name: 'a.txt' }] },
  })),
  {
    ids: ['plugin-events/embed-append', 'plugin-events/embeds'],
    title: 'embeds are appended',
    events: [
      { type: 'embeds', data: { embeds: ['https://a.example'] } },
      { type: 'embeds', data: { embeds: ['<b>b</b>'], replace: false } },
    ],
    stored: { embeds: ['https://a.example', '<b>b</b>'] },
  },
  {
    ids: ['plugin-events/embed-replace'],
    title: 'embeds with replace overwrite what is there',
    events: [
      { type: 'embeds', data: { embeds: ['a', 'b'] } },
      { type: 'embeds', data: { embeds: ['c'], replace: true } },
    ],
    stored: { embeds: ['c'] },
  },
  {
    ids: ['plugin-events/embed-replace'],
    title: 'no embeds with replace clear them',
    events: [
      { type: 'embeds', data: { embeds: ['a', 'b'] } },
      { type: 'embeds', data: { embeds: [], replace: true } },
    ],
    stored: { embeds: [] },
  },
  {
    ids: ['plugin-events/embed-alias'],
    title: 'the long name of embeds is not stored, with replace or without',
    events: [
      { type: 'embeds', data: { embeds: ['kept'] } },
      { type: 'chat:message:embeds', data: { embeds: ['shown'] } },
      { type: 'chat:message:embeds', data: { embeds: [], replace: true } },
    ],
    stored: { embeds: ['kept'] },
  },
  ...['source', 'citation'].map((type): Case => ({
    ids: ['plugin-events/source'],
    title: `${type} appends citations, and keeps the latest state of each run of code`,
    events: [
      { type, data: citation },
      { type, data: run },
      { type, data: { ...citation, document: ['more'] } },
      { type, data: finishedRun },
    ],
    stored: { sources: [citation, { ...citation, document: ['more'] }], code_executions: [finishedRun] },
  })),
  {
    ids: ['plugin-events/favorite'],
    title: 'chat:message:favorite marks the message',
    events: [{ type: 'chat:message:favorite', data: { favorite: true } }],
    stored: { favorite: true },
  },
  {
    ids: ['plugin-events/chat-completion'],
    title: 'chat:completion is shown as it is and stored nowhere',
    events: [{ type: 'chat:completion', data: { content: 'so far', anything: [1, { deep: null }] } }],
    stored: {},
  },
  {
    title: 'notification is shown and stored nowhere',
    events: [{ type: 'notification', data: { type: 'success', content: 'Done' } }],
    stored: {},
  },
  {
    ids: ['plugin-events/execute-emitter'],
    title: 'execute is shown and stored nowhere',
    events: [{ type: 'execute', data: { code: 'document.title = "x"' } }],
    stored: {},
  },
  {
    title: 'what the service says about a reply is stored nowhere',
    events: [
      { type: 'chat:active', data: { active: true } },
      { type: 'chat:tasks:cancel' },
      { type: 'chat:message:error', data: { error: { content: 'no' } } },
      { type: 'chat:message:follow_ups', data: { follow_ups: ['And?'] } },
      { type: 'chat:outlet', data: { messages: [] } },
    ],
    stored: {},
  },
];

describe('what an event leaves in the message and shows in the tab', () => {
  const prove = ({ ids, title, before, events, stored }: Case) => {
    const body = async () => {
      const person = await aUser();
      const [reply, tab] = await Promise.all([aPendingReply(person, before), openTab({ token: person.token })]);
      const untouched = await storedReply(reply, person);
      const { emit, settled } = createEmitter(reply);
      for (const event of events) await emit(event);
      await settled();
      const routing = { chat_id: reply.chatId, message_id: reply.messageId };
      await eventually(() => tab.events).toEqual(events.map((data) => ({ ...routing, data })));
      expect(await storedReply(reply, person)).toEqual({ ...untouched, ...stored });
    };
    if (ids) verifies([...ids, 'plugin-events/routing'], title, body);
    else test(title, body);
  };
  CASES.forEach(prove);

  test('no type of the union is missing here', () => {
    const covered = new Set([
      ...CASES.flatMap(({ events }) => events.map(({ type }) => type)),
      'chat:title',
      'chat:tags',
    ]);
    expect(UiEvent.options.map(({ shape }) => shape.type.value).filter((type) => !covered.has(type))).toEqual([]);
  });
});

describe('what an event changes in the chat', () => {
  verifies('plugin-events/title', 'chat:title takes a text or an object', async () => {
    const person = await aUser();
    const reply = await aPendingReply(person);
    const { emit, settled } = createEmitter(reply);
    for (const [data, title] of [
      ['By text', 'By text'],
      [{ title: 'By object' }, 'By object'],
    ] as const) {
      await emit({ type: 'chat:title', data });
      await settled();
      expect(await storedChat(reply, person)).toMatchObject({ title, chat: { title } });
    }
  });

  verifies('plugin-events/tags', 'chat:tags sets the tags of the chat', async () => {
    const person = await aUser();
    const reply = await aPendingReply(person);
    const { emit, settled } = createEmitter(reply);
    for (const data of [{ tags: ['Travel', 'Japan'] }, ['food']]) {
      await emit({ type: 'chat:tags', data });
      await settled();
      const tags = (Array.isArray(data) ? data : data.tags).map((tag) => tag.toLowerCase());
      expect((await storedChat(reply, person)).meta.tags.toSorted()).toEqual(tags.toSorted());
    }
  });
});

describe('the emitter', () => {
  verifies('plugin-events/emitter', 'returns before anything is stored, and keeps the order', async () => {
    const person = await aUser();
    const reply = await aPendingReply(person);
    const slow = Promise.withResolvers<boolean>();
    const order: string[] = [];
    const refuse = async () => undefined;
    const chats = {
      appendToMessage: () => slow.promise.then(() => order.push('text') > 0),
      appendToList: async () => order.push('status') > 0,
      setMessageFields: async () => true,
      setTitle: refuse,
      setTags: refuse,
    };
    const { emit, settled } = createEmitter(reply, { chats });
    await emit({ type: 'message', data: { content: 'first' } });
    await emit({ type: 'status', data: visible });
    expect(order).toEqual([]);
    slow.resolve(true);
    await settled();
    expect(order).toEqual(['text', 'status']);
  });

  verifies(
    ['plugin-events/shape', 'plugin-events/notification'],
    'tells a plugin what is wrong with an event, and stores none of it',
    async () => {
      const person = await aUser();
      const reply = await aPendingReply(person);
      const { emit, settled } = createEmitter(reply);
      const wrong: [unknown, RegExp][] = [
        [undefined, /event/],
        [{ data: {} }, /event\.type/],
        [{ type: 'no:such', data: {} }, /event\.type/],
        [{ type: 'status' }, /event\.data/],
        [{ type: 'status', data: 'text' }, /event\.data/],
        [{ type: 'message', data: { content: 1 } }, /event\.data\.content/],
        [{ type: 'notification', data: { type: 'fatal', content: 'x' } }, /event\.data\.type/],
        [{ type: 'embeds', data: { embeds: 'x' } }, /event\.data\.embeds/],
        [{ type: 'confirmation', data: {} }, /event\.type/],
      ];
      for (const [event, why] of wrong) await expect(emit(event)).rejects.toThrow(why);
      await settled();
      const { statusHistory, embeds, content } = await storedReply(reply, person);
      expect([statusHistory, embeds, content]).toEqual([undefined, undefined, '']);
    },
  );

  verifies('completions/background-events-discarded', 'does not mind that nobody listens', async () => {
    const person = await aUser();
    const reply = await aPendingReply(person);
    const { emit, settled } = createEmitter(reply);
    await emit({ type: 'notification', data: { type: 'info', content: 'anyone?' } });
    await emit({ type: 'status', data: visible });
    await settled();
    expect((await storedReply(reply, person)).statusHistory).toEqual([visible]);
  });

  test('sends the event as it was when it was emitted', async () => {
    const person = await aUser();
    const [reply, tab] = await Promise.all([aPendingReply(person), openTab({ token: person.token })]);
    const { emit, settled } = createEmitter(reply);
    const data = { description: 'before', items: [1] };
    await emit({ type: 'status', data });
    data.items.push(2);
    await settled();
    await eventually(() => tab.events.map((event) => event.data.data)).toEqual([{ description: 'before', items: [1] }]);
  });

  test('shows events of a temporary chat and stores nothing', async () => {
    const person = await aUser();
    const tab = await openTab({ token: person.token });
    const { emit, settled } = createEmitter({
      userId: person.userId,
      chatId: `local:${tab.socket.id}`,
      messageId: 'm',
    });
    await emit({ type: 'message', data: { content: 'hi' } });
    await settled();
    await eventually(() => tab.events.length).toBe(1);
  });
});
