import { afterEach, describe, expect, test } from 'vitest';
import { createEmitter } from '../../shared/realtime/emitter.ts';
import { LARGEST_EVENT, splitEvent } from '../../shared/realtime/oversize.ts';
import { keepPayload } from '../../shared/realtime/payloads.ts';
import { systemClock, type Millis } from '../../shared/time.ts';
import { call } from '../support/call.ts';
import { aUser } from '../support/people.ts';
import { aPendingReply, storedReply } from './support/chat.ts';
import { eventually } from './support/eventually.ts';
import { closeTabs, openTab } from './support/tab.ts';

afterEach(closeTabs);

const FRAME = 32 * 1024;
const LONG_TEXTS = [
  ['plain letters', 'abc '.repeat(40_000)],
  ['two-byte and four-byte characters', 'é🦊'.repeat(30_000)],
  ['characters that JSON escapes', '"\\\n\u0001'.repeat(20_000)],
] as const;

describe('a long text', () => {
  test.each(LONG_TEXTS)('of %s is told in pieces that fit and join to the same text', (_, content) => {
    for (const [type, sequel] of [
      ['message', 'message'],
      ['replace', 'message'],
      ['chat:message', 'chat:message:delta'],
    ]) {
      const pieces = splitEvent({ chat_id: 'c', message_id: 'm', data: { type: type!, data: { content } } })!;
      expect(Math.max(...pieces.map((piece) => Buffer.byteLength(JSON.stringify(piece))))).toBeLessThanOrEqual(
        LARGEST_EVENT,
      );
      expect(pieces.map(({ data }) => (data.data as { content: string }).content).join('')).toBe(content);
      expect(pieces.map(({ data }) => data.type)).toEqual([type, ...pieces.slice(1).map(() => sequel)]);
    }
  });

  test('keeps what came with it, and is not cut to shreds when that is too much', () => {
    const content = 'x'.repeat(50_000);
    const event = (note: string) => ({
      chat_id: 'c',
      message_id: 'm',
      data: { type: 'message', data: { content, note } },
    });
    const [first, second] = splitEvent(event('kept'))!;
    expect([first?.data.data, second?.data.data]).toMatchObject([
      { note: 'kept' },
      expect.not.objectContaining({ note: 'kept' }),
    ]);
    expect(splitEvent(event('y'.repeat(50_000)))).toBeUndefined();
  });

  test('arrives whole in a client that knows nothing of this, and is stored once', async () => {
    const person = await aUser();
    const [reply, tab] = await Promise.all([aPendingReply(person), openTab({ token: person.token })]);
    const frames: string[] = [];
    tab.socket.io.engine.on('message', (text: string) => frames.push(text));
    const { emit, settled } = createEmitter(reply);
    const content = 'Ünïcode 🦊 '.repeat(20_000);
    await emit({ type: 'replace', data: { content } });
    await settled();
    const shown = () => tab.events.map(({ data }) => (data.data as { content: string }).content).join('');
    await eventually(() => shown().length).toBe(content.length);
    expect(shown()).toBe(content);
    expect(Math.max(...frames.map((frame) => Buffer.byteLength(frame)))).toBeLessThan(FRAME);
    expect((await storedReply(reply, person)).content).toBe(content);
  });
});

describe('anything else that is too large', () => {
  test('is an address from which its user, and nobody else, fetches the event', async () => {
    const [person, stranger] = [await aUser(), await aUser()];
    const [reply, tab] = await Promise.all([aPendingReply(person), openTab({ token: person.token })]);
    const data = { files: [{ type: 'image', url: `data:image/png;base64,${'QUJD'.repeat(300_000)}` }] };
    const { emit, settled } = createEmitter(reply);
    await emit({ type: 'files', data });
    await settled();
    await eventually(() => tab.events.length).toBe(1);
    const [event] = tab.events;
    const { reference } = event!.data.data as { reference: { url: string; bytes: number } };
    expect(event).toMatchObject({ chat_id: reply.chatId, message_id: reply.messageId, data: { type: 'files' } });
    expect(reference.bytes).toBeGreaterThan(1_200_000);
    const fetched = await call(`GET ${reference.url}`, undefined, { token: person.token });
    expect(fetched).toMatchObject({ status: 200, body: { ...event, data: { type: 'files', data } } });
    expect((await call(`GET ${reference.url}`, undefined, { token: stranger.token })).status).toBe(404);
  });

  test('is kept for an hour', async () => {
    const { userId, token } = await aUser();
    const json = JSON.stringify({ chat_id: 'c', message_id: 'm', data: { type: 'files', data: {} } });
    const hourAgo = (systemClock() - 3_601_000) as Millis;
    const old = await keepPayload(userId, json, hourAgo);
    expect((await call(`GET /api/v1/realtime/payloads/${old}`, undefined, { token })).status).toBe(404);
  });

  test('beyond four megabytes is refused in the plugin', async () => {
    const { emit } = createEmitter(await aPendingReply(await aUser()));
    const event = { type: 'source', data: { document: ['x'.repeat(4 * 1024 * 1024)] } };
    await expect(emit(event)).rejects.toThrow('at most 4 MB');
  });
});
