import { Ollama } from 'ollama';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { aServer } from './a-connection.ts';

/** The server the other tests lean on must itself be what the official clients expect. */
const TEXT = 'You said: Hi Grüße, €5 😀';
const messages = [{ role: 'user' as const, content: 'Hi' }];
const WAYS = ['echo', 'echo+bytes', 'echo+lump', 'echo+crlf', 'echo+unended', 'echo+bytes+crlf'];
const tools = [
  { type: 'function' as const, function: { name: 'weather', parameters: { type: 'object', properties: {} } } },
];

describe('the compatible API', () => {
  const client = async () => new OpenAI({ apiKey: 'x', baseURL: (await aServer()).compatUrl, maxRetries: 0 });

  test.each(WAYS)('streams as %s', async (model) => {
    const stream = await (
      await client()
    ).chat.completions.create({ model, messages, stream: true, stream_options: { include_usage: true } });
    let text = '';
    let total = 0;
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? '';
      total = chunk.usage?.total_tokens ?? total;
    }
    expect([text, total]).toEqual([TEXT, 18]);
  });

  test('answers whole, counts images, calls tools and fails as told', async () => {
    const { chat } = await client();
    const whole = await chat.completions.create({ model: 'echo', messages });
    expect(whole.choices[0]?.message.content).toBe(TEXT);
    const image = { type: 'image_url' as const, image_url: { url: 'data:image/png;base64,AA==' } };
    const seen = await chat.completions.create({ model: 'echo', messages: [{ role: 'user', content: [image] }] });
    expect(seen.choices[0]?.message.content).toContain('1 image');
    const called = await chat.completions.create({ model: 'echo+tool', messages, tools });
    expect(called.choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: { tool_calls: [{ function: { name: 'weather' } }] },
    });
    await expect(chat.completions.create({ model: 'echo+status-429', messages })).rejects.toMatchObject({
      status: 429,
    });
    const broken = await chat.completions.create({ model: 'echo+broken', messages, stream: true });
    await expect(Array.fromAsync(broken)).rejects.toThrow('The model broke');
    const cut = await chat.completions.create({ model: 'echo+cut', messages, stream: true });
    await expect(Array.fromAsync(cut)).rejects.toThrow();
  });
});

describe('the runtime', () => {
  const client = async () => new Ollama({ host: (await aServer()).url });

  test.each(WAYS.filter((way) => !way.includes('unended')))('streams as %s', async (model) => {
    let text = '';
    for await (const part of await (await client()).chat({ model, messages, stream: true }))
      text += part.message.content;
    expect(text).toBe(TEXT);
  });

  test('answers whole, generates, embeds, lists and describes', async () => {
    const runtime = await client();
    expect((await runtime.chat({ model: 'echo', messages })).message.content).toBe(TEXT);
    expect(await runtime.generate({ model: 'echo', prompt: 'say: exactly this' })).toMatchObject({
      response: 'exactly this',
      done: true,
      eval_count: 11,
    });
    expect((await runtime.embed({ model: 'echo', input: ['a', 'b'] })).embeddings).toHaveLength(2);
    expect((await runtime.list()).models.map(({ name }) => name)).toEqual(['echo', 'tool-user']);
    expect((await runtime.show({ model: 'echo' })).capabilities).toEqual(['completion', 'tools']);
    expect((await runtime.ps()).models).toHaveLength(1);
    const called = await runtime.chat({ model: 'echo+tools', messages, tools: [...tools, ...tools] });
    expect(called.message.tool_calls).toHaveLength(2);
    const thought = await runtime.chat({ model: 'echo+think', messages });
    expect(thought.message.thinking).toBe('Let me think.');
    await expect(runtime.chat({ model: 'echo+status-500', messages })).rejects.toThrow('asked for 500');
  });
});
