import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { TOOL_EVENT_TYPES } from '../../shared/realtime/event.ts';
import { call, type CallOptions } from '../support/call.ts';
import { anApiKey, anOperator, anOrg, aUser } from '../support/people.ts';
import { verifies } from '../support/verifies.ts';
import { aPendingReply, storedReply, type PendingReply } from './support/chat.ts';
import { eventually } from './support/eventually.ts';
import { closeTabs, openTab, typesOf } from './support/tab.ts';

afterEach(closeTabs);

const post = ({ chatId, messageId }: Pick<PendingReply, 'chatId' | 'messageId'>, event: unknown, by: CallOptions) =>
  call(`POST /api/v1/chats/${chatId}/messages/${messageId}/event`, event, by);

const STATUS = { type: 'status', data: { description: 'Reading', done: false } };

describe('who may post', () => {
  verifies(['tool-events/post', 'tool-events/owner'], 'the owner, by token or key: stored and shown', async () => {
    const person = await aUser();
    const [reply, tab] = await Promise.all([aPendingReply(person), openTab({ token: person.token })]);
    for (const by of [{ token: person.token }, { token: await anApiKey(person) }]) {
      expect(await post(reply, STATUS, by)).toMatchObject({ status: 200, body: true });
    }
    const routed = { chat_id: reply.chatId, message_id: reply.messageId, data: STATUS };
    await eventually(() => tab.events).toEqual([routed, routed]);
    expect((await storedReply(reply, person)).statusHistory).toEqual([STATUS.data, STATUS.data]);
  });

  verifies(
    ['tool-events/admin', 'tools/own-key'],
    'an operator, and an administrator of the same organization by a key of their own: shown to the owner only',
    async () => {
      const { orgId, admin } = await anOrg();
      const member = await aUser({ orgId });
      const reply = await aPendingReply(member);
      const [tab, adminTab] = await Promise.all([openTab({ token: member.token }), openTab({ token: admin.token })]);
      const callers = [{ token: (await anOperator()).token }, { token: await anApiKey(admin) }];
      for (const by of callers) expect(await post(reply, STATUS, by)).toMatchObject({ status: 200, body: true });
      await eventually(() => typesOf(tab)).toEqual(['status', 'status']);
      expect((await storedReply(reply, member)).statusHistory).toHaveLength(2);
      expect(adminTab.events).toEqual([]);
    },
  );

  verifies('tool-events/others-refused', 'nobody else, who learn not even that the chat exists', async () => {
    const person = await aUser();
    const reply = await aPendingReply(person);
    const { orgId, admin } = await anOrg();
    const others = [await aUser(), admin, await aUser({ orgId })];
    for (const { token } of others) {
      const refused = await post(reply, STATUS, { token });
      const missing = await post({ ...reply, chatId: randomUUID() }, STATUS, { token });
      expect(refused).toMatchObject({ status: 404, body: { detail: 'Chat not found' } });
      expect({ ...refused.body, error: null }).toEqual({ ...missing.body, error: null });
    }
    expect((await post(reply, STATUS, {})).status).toBe(401);
    expect((await storedReply(reply, person)).statusHistory).toBeUndefined();
  });

  test('a member of another organization is out of reach of its administrators', async () => {
    const [{ admin }, { orgId }] = [await anOrg(), await anOrg()];
    const reply = await aPendingReply(await aUser({ orgId }));
    expect((await post(reply, STATUS, { token: admin.token })).status).toBe(404);
  });

  test('a deleted chat is gone for administrators too', async () => {
    const person = await aUser();
    const reply = await aPendingReply(person);
    await call(`DELETE /api/v1/chats/${reply.chatId}`, undefined, { token: person.token });
    expect((await post(reply, STATUS, { token: (await anOperator()).token })).status).toBe(404);
  });
});

describe('what may be posted', () => {
  const ALLOWED: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>> = {
    status: [STATUS.data],
    notification: [{ type: 'warning', content: 'Slow' }],
    message: [{ content: 'a' }],
    'chat:message:delta': [{ content: 'b' }],
    replace: [{ content: 'c' }],
    'chat:message': [{ content: 'd' }],
    files: [{ files: [{ type: 'file', id: 'f' }] }],
    'chat:message:files': [{ files: [] }],
    embeds: [{ embeds: ['x'] }, { embeds: [], replace: true }],
    'chat:message:embeds': [{ embeds: ['y'] }],
    source: [{ source: { name: 'n' }, document: [], metadata: [] }],
    citation: [{ source: { name: 'n' }, document: [], metadata: [] }],
  };

  verifies('tool-events/one-way-types', 'every one-way type of the interface, with its alias', async () => {
    const person = await aUser();
    const [reply, tab] = await Promise.all([aPendingReply(person), openTab({ token: person.token })]);
    expect(Object.keys(ALLOWED).toSorted()).toEqual(TOOL_EVENT_TYPES.toSorted());
    const events = Object.entries(ALLOWED).flatMap(([type, all]) => all.map((data) => ({ type, data })));
    for (const event of events) {
      expect(await post(reply, event, { token: person.token })).toMatchObject({ status: 200, body: true });
    }
    await eventually(() => tab.events.map(({ data }) => data)).toEqual(events);
  });

  verifies(
    'tool-events/two-way-refused',
    'no question to the user, and nothing else that is not on the list',
    async () => {
      const person = await aUser();
      const [reply, tab] = await Promise.all([aPendingReply(person), openTab({ token: person.token })]);
      const refused = {
        input: { title: 'Name?' },
        confirmation: { title: 'Sure?' },
        execute: { code: 'alert(1)' },
        'chat:title': { title: 'Mine' },
        'chat:completion': {},
        nonsense: {},
      };
      for (const [type, data] of Object.entries(refused)) {
        const answer = await post(reply, { type, data }, { token: person.token });
        expect(answer).toMatchObject({
          status: 422,
          body: { detail: [{ loc: ['body', 'type'], msg: expect.any(String) }] },
        });
      }
      expect(tab.events).toEqual([]);
    },
  );

  test.each([
    ['no body', undefined],
    ['no data', { type: 'status' }],
    ['data that is no object', { type: 'status', data: 'x' }],
    ['content that is no text', { type: 'message', data: { content: 5 } }],
    ['a kind of notification that does not exist', { type: 'notification', data: { type: 'fatal', content: '' } }],
  ])('%s is refused before anything is stored', async (_, event) => {
    const person = await aUser();
    const reply = await aPendingReply(person);
    expect((await post(reply, event, { token: person.token })).status).toBe(422);
    expect((await storedReply(reply, person)).content).toBe('');
  });

  test('what would be stored in a message that is not there is refused, what is only shown is not', async () => {
    const person = await aUser();
    const reply = { ...(await aPendingReply(person)), messageId: randomUUID() };
    const { token } = person;
    expect(await post(reply, STATUS, { token })).toMatchObject({ status: 404, body: { detail: 'Message not found' } });
    const notice = { type: 'notification', data: { type: 'info', content: 'x' } };
    expect(await post(reply, notice, { token })).toMatchObject({ status: 200, body: true });
  });

  test('more than four megabytes are refused', async () => {
    const person = await aUser();
    const reply = await aPendingReply(person);
    const event = { type: 'message', data: { content: 'x'.repeat(4 * 1024 * 1024) } };
    expect((await post(reply, event, { token: person.token })).status).toBe(413);
  });
});
