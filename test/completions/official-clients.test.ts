import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { call } from '../support/call.ts';
import { host } from '../support/host.ts';
import { anApiKey, aUser } from '../support/people.ts';
import { verifies } from '../support/verifies.ts';
import { useGateway } from './gateway.ts';
import { TEXT } from './model-server.ts';

const gateway = useGateway();
const messages = [{ role: 'user' as const, content: 'Hello' }];
const PNG = 'iVBORw0KGgo=';

const openai = async (base = '/api/v1') =>
  new OpenAI({ baseURL: `${host.url}${base}`, apiKey: await anApiKey(await aUser()), maxRetries: 0 });
const anthropic = async () =>
  new Anthropic({ baseURL: `${host.url}/api`, apiKey: await anApiKey(await aUser()), maxRetries: 0 });

/** The same model, called in each of the three formats. */
const everyway = (model: string) => [gateway.chat(model), gateway.messages(model), gateway.runtime(model)];

describe('the official client of the chat-completions format', () => {
  test.each(['/api', '/api/v1', '/upstream/v1'])('lists, completes and streams at %s', async (base) => {
    const client = await openai(base);
    const listed = await Array.fromAsync(await client.models.list());
    const expected = base === '/upstream/v1' ? gateway.runtime('plain') : gateway.chat('plain');
    expect(listed.map(({ id }) => id)).toContain(expected);
    for (const model of everyway('plain')) {
      const whole = await client.chat.completions.create({ model, messages });
      expect(whole.choices[0]!.message.content).toBe(TEXT);
      const stream = client.chat.completions.stream({ model, messages, stream_options: { include_usage: true } });
      const { choices, usage } = await stream.finalChatCompletion();
      expect(choices[0]!.message.content).toBe(TEXT);
      expect(usage?.total_tokens).toBe(12);
    }
  });

  test('survives every way in which a server can cut its stream', async () => {
    const client = await openai();
    for (const model of [
      ...['awkward', 'crlf', 'whole'].map((name) => gateway.chat(name)),
      gateway.runtime('awkward'),
    ]) {
      const { choices } = await client.chat.completions.stream({ model, messages }).finalChatCompletion();
      expect(choices[0]!.message.content).toBe(TEXT);
    }
  });

  test('uses tools in both directions', async () => {
    const client = await openai();
    const tools = [{ type: 'function' as const, function: { name: 'weather', parameters: { type: 'object' } } }];
    for (const model of everyway('tools')) {
      const { choices } = await client.chat.completions.stream({ model, messages, tools }).finalChatCompletion();
      const { message } = choices[0]!;
      expect(message.tool_calls).toMatchObject([
        { id: 'call_a', function: { name: 'weather', arguments: '{"city":"Zürich"}' } },
        { id: 'call_b', function: { name: 'now' } },
      ]);
      const results = message.tool_calls!.map(({ id }) => ({
        role: 'tool' as const,
        tool_call_id: id,
        content: 'Rain',
      }));
      const next = model.replace(/tools$/, 'plain');
      const said = { role: 'assistant' as const, content: null, tool_calls: message.tool_calls };
      const answer = await client.chat.completions.create({
        model: next,
        messages: [...messages, said, ...results],
        tools,
      });
      expect(answer.choices[0]!.message.content).toBe(TEXT);
      expect(JSON.stringify(gateway.server.seen.at(-1)!.body)).toContain('Rain');
    }
  });

  test('raises typed errors with the words of whoever refused', async () => {
    const client = await openai();
    const ask = (model: string) => client.chat.completions.create({ model, messages });
    for (const model of everyway('refuses')) {
      const failed = ask(model);
      await expect(failed).rejects.toBeInstanceOf(OpenAI.RateLimitError);
      await expect(failed).rejects.toThrow('Too many tokens today');
    }
    await expect(ask('absent')).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    const stranger = new OpenAI({ baseURL: `${host.url}/api`, apiKey: 'sk-nobody', maxRetries: 0 });
    await expect(stranger.models.list()).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
    for (const how of ['breaks', 'cut']) {
      const stream = await client.chat.completions.create({ model: gateway.chat(how), messages, stream: true });
      await expect(Array.fromAsync(stream)).rejects.toBeInstanceOf(OpenAI.APIError);
    }
  });

  test('can leave', async () => {
    const client = await openai();
    const stream = await client.chat.completions.create({ model: gateway.chat('endless'), messages, stream: true });
    for await (const chunk of stream) {
      expect(chunk.object).toBe('chat.completion.chunk');
      break;
    }
    await expect.poll(() => gateway.server.asked('endless').at(-1)!.isAbandoned).toBe(true);
  });
});

describe('the official client of the responses format', () => {
  verifies(
    ['runtime/responses', 'runtime/responses-model-resolution', 'runtime/responses-prefix', 'runtime/responses-access'],
    'reaches any model, at every address, by the rules of chat completion',
    async () => {
      for (const base of ['/upstream/v1', '/api/v1', '/api']) {
        const client = await openai(base);
        for (const model of [...everyway('plain'), 'demo']) {
          const whole = await client.responses.create({ model, input: 'Hello' });
          const streamed = await client.responses.stream({ model, input: 'Hello' }).finalResponse();
          expect(whole.output_text).toBe(model === 'demo' ? streamed.output_text : TEXT);
          expect(streamed).toMatchObject({ status: 'completed', output_text: whole.output_text, model });
        }
        await expect(client.responses.create({ model: 'absent', input: 'x' })).rejects.toBeInstanceOf(
          OpenAI.NotFoundError,
        );
      }
      expect(gateway.server.seen.at(-1)!.body.model).toBe('plain');
    },
  );

  test('gets tool calls, and says clearly what needs a memory that is not there', async () => {
    const client = await openai();
    const tools = [{ type: 'function' as const, name: 'weather', parameters: {}, strict: false }];
    const { output } = await client.responses.create({ model: gateway.runtime('tools'), input: 'Weather?', tools });
    expect(output).toMatchObject([{ type: 'function_call', name: 'weather', arguments: '{"city":"Zürich"}' }, {}]);
    const remembering = client.responses.create({ model: 'demo', input: 'x', previous_response_id: 'resp_1' });
    await expect(remembering).rejects.toThrow('previous_response_id');
  });
});

describe('the official client of the messages format', () => {
  verifies(
    [
      'messages-api/sdk-base-address',
      'messages-api/v1-path',
      'messages-api/any-model',
      'messages-api/non-streaming',
      'messages-api/streaming',
      'messages-api/x-api-key',
    ],
    'completes and streams over any model',
    async () => {
      const client = await anthropic();
      for (const model of [...everyway('plain'), ...everyway('thinking')]) {
        const asked = { model, max_tokens: 50, messages };
        const whole = await client.messages.create(asked);
        const types: string[] = [];
        const stream = client.messages.stream(asked).on('streamEvent', ({ type }) => types.push(type));
        const streamed = await stream.finalMessage();
        expect(streamed.content).toEqual(whole.content);
        expect(whole).toMatchObject({
          type: 'message',
          role: 'assistant',
          model,
          stop_reason: 'end_turn',
          usage: { input_tokens: 7, output_tokens: 5 },
        });
        expect(whole.content.at(-1)).toMatchObject({ type: 'text', text: model.endsWith('plain') ? TEXT : 'Four.' });
        expect([types[0], ...types.slice(-2)]).toEqual(['message_start', 'message_delta', 'message_stop']);
      }
      const listed = await client.models.list();
      expect(listed.data.map(({ id }) => id)).toContain(gateway.chat('plain'));
    },
  );

  verifies(
    ['messages-api/fields', 'messages-api/tool-use'],
    'uses tools in both directions, with choice, limit and stop sequences',
    async () => {
      const client = await anthropic();
      const tools = [{ name: 'weather', input_schema: { type: 'object' as const, properties: {} } }];
      for (const model of everyway('tools')) {
        const asked = {
          model,
          max_tokens: 50,
          messages,
          tools,
          tool_choice: { type: 'any' as const },
          stop_sequences: ['END'],
        };
        const { content, stop_reason } = await client.messages.stream(asked).finalMessage();
        expect(stop_reason).toBe('tool_use');
        expect(content).toMatchObject([
          { type: 'tool_use', id: 'call_a', name: 'weather', input: { city: 'Zürich' } },
          { type: 'tool_use', id: 'call_b', name: 'now', input: {} },
        ]);
        const results = content.flatMap((block) =>
          block.type === 'tool_use' ? [{ type: 'tool_result' as const, tool_use_id: block.id, content: 'Rain' }] : [],
        );
        const turns = [
          ...messages,
          { role: 'assistant' as const, content },
          { role: 'user' as const, content: results },
        ];
        const next = model.replace(/tools$/, 'plain');
        await client.messages.create({ model: next, max_tokens: 50, messages: turns, tools, stop_sequences: ['END'] });
      }
      const [chat, native] = gateway.server
        .asked('plain')
        .slice(-3)
        .map(({ body }) => body);
      expect(chat).toMatchObject({ max_tokens: 50, stop: ['END'], tools: [{ type: 'function' }] });
      expect(chat.messages.slice(-2)).toMatchObject([
        { role: 'tool', tool_call_id: 'call_a', content: 'Rain' },
        { role: 'tool' },
      ]);
      expect(native).toMatchObject({ stop_sequences: ['END'], tools });
      expect(
        gateway.server
          .asked('tools')
          .slice(-3)
          .map(({ body }) => body.tool_choice),
      ).toEqual(['required', { type: 'any' }, undefined]);
    },
  );

  test('sends images and gets its limit', async () => {
    const client = await anthropic();
    const image = {
      type: 'image' as const,
      source: { type: 'base64' as const, media_type: 'image/png' as const, data: PNG },
    };
    for (const model of everyway('limited')) {
      const content = [image, { type: 'text' as const, text: 'What is this?' }];
      const reply = await client.messages.create({ model, max_tokens: 2, messages: [{ role: 'user', content }] });
      expect(reply.stop_reason).toBe('max_tokens');
      expect(JSON.stringify(gateway.server.seen.at(-1)!.body.messages)).toContain(PNG);
    }
  });

  test('raises typed errors, also in the middle of a stream', async () => {
    const client = await anthropic();
    const ask = (model: string) => client.messages.create({ model, max_tokens: 5, messages });
    await expect(ask('absent')).rejects.toBeInstanceOf(Anthropic.NotFoundError);
    for (const model of everyway('refuses')) await expect(ask(model)).rejects.toThrow('Too many tokens today');
    await expect(ask(gateway.chat('refuses'))).rejects.toBeInstanceOf(Anthropic.RateLimitError);
    for (const model of [gateway.chat('breaks'), gateway.messages('breaks'), gateway.runtime('cut')]) {
      await expect(client.messages.stream({ model, max_tokens: 5, messages }).finalMessage()).rejects.toThrow();
    }
    const stranger = new Anthropic({ baseURL: `${host.url}/api`, apiKey: 'sk-nobody', maxRetries: 0 });
    await expect(stranger.messages.create({ model: 'demo', max_tokens: 5, messages })).rejects.toBeInstanceOf(
      Anthropic.AuthenticationError,
    );
  });

  test('counts tokens as the server does, or says that it estimates', async () => {
    const client = await anthropic();
    expect(await client.messages.countTokens({ model: gateway.messages('plain'), messages })).toEqual({
      input_tokens: 42,
    });
    const estimated = await client.messages.countTokens({ model: gateway.chat('plain'), messages });
    expect(estimated).toEqual({ input_tokens: 6, estimated: true });
  });

  test('can leave', async () => {
    const client = await anthropic();
    const before = gateway.server.asked('endless').length;
    const stream = client.messages.stream({ model: gateway.messages('endless'), max_tokens: 5, messages });
    stream.on('text', () => stream.abort());
    await expect(stream.finalMessage()).rejects.toBeInstanceOf(Anthropic.APIUserAbortError);
    await expect
      .poll(() =>
        gateway.server
          .asked('endless')
          .slice(before)
          .every(({ isAbandoned }) => isAbandoned),
      )
      .toBe(true);
  });

  verifies(
    ['messages-api/message-path', 'messages-api/bearer'],
    'has a second address, and both credentials',
    async () => {
      const person = await aUser();
      const asked = { model: gateway.chat('plain'), max_tokens: 5, messages };
      const byBearer = await call('POST /api/message', asked, { token: await anApiKey(person) });
      expect(byBearer).toMatchObject({
        status: 200,
        body: { type: 'message', content: [{ type: 'text', text: TEXT }] },
      });
      const byKey = await call('POST /api/message', asked, { headers: { 'x-api-key': await anApiKey(person) } });
      expect(byKey.status).toBe(200);
      const beta = await call('POST /api/v1/messages?beta=true', asked, {
        token: person.token,
        headers: { 'anthropic-version': '2023-06-01' },
      });
      expect(beta.status).toBe(200);
      const { status, body } = await call('POST /api/message', { ...asked, model: 'absent' }, person);
      expect({ status, body }).toMatchObject({
        status: 404,
        body: {
          type: 'error',
          error: { type: 'not_found_error', message: 'Model not found' },
          detail: 'Model not found',
        },
      });
    },
  );
});
