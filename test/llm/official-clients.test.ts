import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import Anthropic from '@anthropic-ai/sdk';
import { Ollama } from 'ollama';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CallerFormat } from '../../shared/llm/caller-format.ts';
import { CALLER_FORMATS } from '../../shared/llm/caller-formats.ts';
import type { ReplyHead } from '../../shared/llm/protocol.ts';
import { replyEvents, type Reply } from '../../shared/llm/reply.ts';
import type { TurnEvent } from '../../shared/llm/turn-event.ts';

const head: ReplyHead = { id: 'r1', model: 'demo', created: 1_700_000_000, wantsUsage: true };

const replies: Record<string, Reply> = {
  'plain text': {
    text: 'Grüße, "world" 😀\n\nsecond',
    thinking: '',
    toolCalls: [],
    finish: 'stop',
    usage: { input: 7, output: 3 },
  },
  'thinking before text': {
    text: 'Four.',
    thinking: 'Two and two.',
    toolCalls: [],
    finish: 'stop',
    usage: { input: 9, output: 6, cached: 4, reasoning: 2 },
  },
  'parallel tool calls': {
    text: 'Let me look.',
    thinking: '',
    toolCalls: [
      { id: 'call_a', name: 'weather', arguments: '{"city":"Zürich","days":[1,2]}' },
      { id: 'call_b', name: 'now', arguments: '{}' },
    ],
    finish: 'tool_calls',
    usage: { input: 20, output: 10 },
  },
  'a tool call and no word': {
    text: '',
    thinking: '',
    toolCalls: [{ id: 'call_a', name: 'weather', arguments: '{"city":"Rome"}' }],
    finish: 'tool_calls',
    usage: { input: 20, output: 10 },
  },
  'an answer cut by its limit': {
    text: 'Once upon',
    thinking: '',
    toolCalls: [],
    finish: 'length',
    usage: { input: 2, output: 2 },
  },
};

const FORMAT_OF_PATH: Readonly<Record<string, CallerFormat>> = {
  '/v1/chat/completions': CALLER_FORMATS.chat,
  '/v1/messages': CALLER_FORMATS.messages,
  '/v1/responses': CALLER_FORMATS.responses,
  '/api/chat': CALLER_FORMATS.runtime,
  '/api/generate': CALLER_FORMATS.generate,
};

/** Every answer in small pieces, as a model would give it. */
function* inPieces(reply: Reply): Generator<TurnEvent> {
  for (const event of replyEvents(reply)) {
    if (event.type === 'text' || event.type === 'thinking') {
      for (const letter of event.text) yield { ...event, text: letter };
    } else if (event.type === 'tool_delta') {
      for (const letter of event.arguments) yield { ...event, arguments: letter };
    } else yield event;
  }
}

let server: Server;
let base: string;

beforeAll(async () => {
  server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
});

async function answer(request: IncomingMessage, response: ServerResponse) {
  const { model, stream } = JSON.parse(await readAll(request));
  const format = FORMAT_OF_PATH[request.url ?? '']!;
  const reply = model === 'broken' ? broken : replies[model]!;
  if (stream !== true) {
    response.setHeader('content-type', 'application/json');
    return response.end(JSON.stringify(format.encodeReply({ ...head, model }, reply)));
  }
  response.setHeader('content-type', format.contentType);
  const write = format.createWriter({ ...head, model });
  for (const event of inPieces(reply)) response.write(write(event));
  return response.end();
}

afterAll(() => new Promise((resolve) => server.close(resolve)));

const broken: Reply = {
  text: 'Half an ans',
  thinking: '',
  toolCalls: [],
  error: { status: 429, message: 'Too many tokens today', type: 'rate_limit_error' },
};

async function readAll(request: IncomingMessage) {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}

const openai = () => new OpenAI({ apiKey: 'test', baseURL: `${base}/v1`, maxRetries: 0 });
const anthropic = () => new Anthropic({ apiKey: 'test', baseURL: base, maxRetries: 0 });
const ollama = () => new Ollama({ host: base });

describe.each(Object.keys(replies))('the official clients understand %s', (model) => {
  const messages = [{ role: 'user' as const, content: 'Hello' }];
  const reply = replies[model]!;

  test('as chat completions', async () => {
    const client = openai();
    const whole = await client.chat.completions.create({ model, messages });
    const stream = client.chat.completions.stream({ model, messages, stream_options: { include_usage: true } });
    const streamed = await stream.finalChatCompletion();

    expect(streamed.choices[0]!.message).toMatchObject({
      role: 'assistant',
      content: whole.choices[0]!.message.content,
      ...(reply.toolCalls.length > 0 && {
        tool_calls: whole.choices[0]!.message.tool_calls!.map((call) => expect.objectContaining(call)),
      }),
    });
    expect(streamed.choices[0]!.finish_reason).toBe(whole.choices[0]!.finish_reason);
    expect(streamed.usage).toEqual(whole.usage);
    expect(whole.choices[0]!.message.content ?? '').toBe(reply.text);
  });

  test('as messages', async () => {
    const client = anthropic();
    const request = { model, max_tokens: 100, messages };
    const whole = await client.messages.create(request);
    const streamed = await client.messages.stream(request).finalMessage();

    expect(streamed.content).toEqual(whole.content);
    expect(streamed).toMatchObject({ id: whole.id, model, stop_reason: whole.stop_reason, usage: whole.usage });
    expect(whole.content.flatMap((block) => (block.type === 'text' ? block.text : [])).join('')).toBe(reply.text);
    expect(whole.content.filter(({ type }) => type === 'tool_use')).toHaveLength(reply.toolCalls.length);
  });

  test('as responses', async () => {
    const client = openai();
    const whole = await client.responses.create({ model, input: 'Hello' });
    const types: string[] = [];
    const stream = client.responses.stream({ model, input: 'Hello' });
    stream.on('event', ({ type }) => types.push(type));
    const streamed = await stream.finalResponse();

    expect(JSON.parse(JSON.stringify(streamed.output))).toMatchObject(JSON.parse(JSON.stringify(whole.output)));
    expect(streamed).toMatchObject({ id: whole.id, status: whole.status, usage: whole.usage, output_text: reply.text });
    expect(whole.output_text).toBe(reply.text);
    expect(types.slice(0, 2)).toEqual(['response.created', 'response.in_progress']);
    expect(types.at(-1)).toBe(reply.finish === 'length' ? 'response.incomplete' : 'response.completed');
  });

  test('as the runtime chat', async () => {
    const client = ollama();
    const whole = await client.chat({ model, messages, stream: false });
    let text = '';
    let thinking = '';
    const calls: unknown[] = [];
    for await (const part of await client.chat({ model, messages, stream: true })) {
      text += part.message.content;
      thinking += part.message.thinking ?? '';
      calls.push(...(part.message.tool_calls ?? []));
      if (part.done) expect(part).toMatchObject({ done_reason: whole.done_reason, eval_count: whole.eval_count });
    }
    expect({ text, thinking }).toEqual({ text: whole.message.content, thinking: whole.message.thinking ?? '' });
    expect(calls).toEqual(whole.message.tool_calls ?? []);
    expect(text).toBe(reply.text);
  });

  test('as the runtime generate', async () => {
    const client = ollama();
    const whole = await client.generate({ model, prompt: 'Hello', stream: false });
    let text = '';
    for await (const part of await client.generate({ model, prompt: 'Hello', stream: true })) text += part.response;
    expect(text).toBe(whole.response);
    expect(text).toBe(reply.text);
  });
});

describe('an error in the middle of a stream reaches the official client', () => {
  const messages = [{ role: 'user' as const, content: 'Hello' }];

  test('of chat completions as an exception', async () => {
    const stream = await openai().chat.completions.create({ model: 'broken', messages, stream: true });
    await expect(Array.fromAsync(stream)).rejects.toThrow('Too many tokens today');
  });

  test('of messages as a typed exception', async () => {
    const stream = anthropic().messages.stream({ model: 'broken', max_tokens: 9, messages });
    await expect(stream.finalMessage()).rejects.toThrow('Too many tokens today');
  });

  test('of responses as a failed response', async () => {
    const stream = openai().responses.stream({ model: 'broken', input: 'Hello' });
    expect(await stream.finalResponse()).toMatchObject({
      status: 'failed',
      error: { code: 'rate_limit_exceeded', message: 'Too many tokens today' },
    });
  });

  test('of the runtime as an exception', async () => {
    const stream = await ollama().chat({ model: 'broken', messages, stream: true });
    await expect(Array.fromAsync(stream)).rejects.toThrow('Too many tokens today');
  });
});
