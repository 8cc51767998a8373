import { describe, expect, test } from 'vitest';
import { speakDemo } from '../../shared/completion/demo-model.ts';
import { applyOutlets, openPassage } from '../../shared/completion/pipeline.ts';
import { NO_PLUGINS, type Filter, type Scope } from '../../shared/completion/plugins.ts';
import type { Ask, Speak } from '../../shared/completion/speech.ts';
import { decodeChatRequest } from '../../shared/llm/chat/request.ts';
import { collect, type Reply } from '../../shared/llm/reply.ts';
import type { Fields } from '../../shared/llm/turn.ts';

const scope = { actor: { userId: 'u' }, target: { id: 'demo' }, asked: {} } as unknown as Scope;
const question = (content = 'Hi'): Ask => ({
  turn: () => decodeChatRequest({ model: 'demo', messages: [{ role: 'user', content }], stream: true }),
  isStreamed: true,
});

async function answer(filters: readonly Filter[], ask = question(), speak: Speak = speakDemo): Promise<Reply> {
  const passage = await openPassage({ ...NO_PLUGINS, filters: [async () => filters] }, speak, scope);
  const speech = await passage.speak(await passage.inlet(ask), new AbortController().signal);
  let reply: Reply | undefined;
  await speech.listen((events) => void (reply = collect(events, reply)));
  return reply!;
}

const said = (content: string) => (body: Fields) => Promise.resolve({ ...body, messages: [{ role: 'user', content }] });

describe('what is plugged in between caller and model', () => {
  test('changes the request, in the order of the list', async () => {
    const { text } = await answer([
      { id: 'a', inlet: said('first') },
      {
        id: 'b',
        inlet: async (body) => ({
          ...body,
          messages: [...(body.messages as Fields[]), { role: 'user', content: 'second' }],
        }),
      },
    ]);
    expect(text).toContain('You said: "second"');
  });

  test('cannot hand the model something that is no request', async () => {
    const broken = answer([{ id: 'a', inlet: async () => ({ model: 'demo' }) }]);
    await expect(broken).rejects.toMatchObject({
      code: 'validation_failed',
      message: expect.stringContaining('filter.messages'),
    });
  });

  test('changes chunks on their way, and may swallow them', async () => {
    const upper: Filter = {
      id: 'upper',
      stream: async (chunk) => JSON.parse(JSON.stringify(chunk).replaceAll('demo model', 'DEMO MODEL')) as Fields,
    };
    const silent: Filter = {
      id: 'silent',
      stream: async (chunk) => (JSON.stringify(chunk).includes('"demo ') ? undefined : chunk),
    };
    const plain = await answer([]);
    const filtered = await answer([upper, silent]);
    expect(filtered.text).toBe(plain.text.replaceAll('demo ', ''));
    expect(filtered.finish).toBe('stop');
  });

  test('keeps a failure in the middle of the answer a failure', async () => {
    const failing: Speak = async () => ({
      listen: async (say) =>
        say([
          { type: 'text', text: 'Half' },
          { type: 'error', error: { message: 'Gone', type: 'api_error' } },
        ]),
    });
    const reply = await answer([{ id: 'a', stream: async (chunk) => chunk }], question(), failing);
    expect(reply).toMatchObject({ text: 'Half', error: { message: 'Gone' } });
  });

  test('may stand around the model and ask it again', async () => {
    const twice = async (speak: Speak) => {
      const again: Speak = async (ask, signal) => ({
        async listen(say) {
          for (const one of [await speak(ask, signal), await speak(question('again'), signal)]) {
            await one.listen((events) => say(events.filter(({ type }) => type === 'text')));
          }
          await say([{ type: 'finish', reason: 'stop' }]);
        },
      });
      return again;
    };
    const passage = await openPassage({ ...NO_PLUGINS, wraps: [twice] }, speakDemo, scope);
    expect(passage.isExamined).toBe(true);
    let text = '';
    const speech = await passage.speak(question('once'), new AbortController().signal);
    await speech.listen((events) => void (text += collect(events).text));
    expect(text).toMatch(/You said: "once"[\s\S]*You said: "again"/);
  });

  test('changes the finished conversation, in order', async () => {
    const add = (id: string): Filter => ({
      id,
      outlet: async (payload) => ({ ...payload, seen: [payload.seen ?? [], id].flat() }),
    });
    const { outlets } = await openPassage(
      { ...NO_PLUGINS, filters: [async () => [add('a')], async () => [add('b')]] },
      speakDemo,
      scope,
    );
    expect(await applyOutlets({ model: 'demo' }, outlets, scope)).toEqual({ model: 'demo', seen: ['a', 'b'] });
  });

  test('is not there by default: the request stays relayable', async () => {
    const passage = await openPassage(NO_PLUGINS, speakDemo, scope);
    expect(passage.isExamined).toBe(false);
    expect(passage.speak).toBe(speakDemo);
  });
});
