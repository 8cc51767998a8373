import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeChatRequest } from '../../shared/llm/chat/encode-request.ts';
import { ChatRequest, decodeChatRequest } from '../../shared/llm/chat/request.ts';
import { encodeMessagesRequest } from '../../shared/llm/messages/encode-request.ts';
import { decodeMessagesRequest } from '../../shared/llm/messages/request.ts';
import { MessagesRequest } from '../../shared/llm/messages/schema.ts';
import { decodeResponsesRequest, responsesEcho } from '../../shared/llm/responses/request.ts';
import { ResponsesRequest } from '../../shared/llm/responses/schema.ts';
import { encodeRuntimeRequest } from '../../shared/llm/runtime/encode-request.ts';
import { decodeRuntimeChatRequest, decodeRuntimeGenerateRequest } from '../../shared/llm/runtime/request.ts';
import { RuntimeChatRequest, RuntimeGenerateRequest } from '../../shared/llm/runtime/schema.ts';
import { someArguments } from './arbitrary.ts';

const fromChat = (body: unknown) => decodeChatRequest(ChatRequest.parse(body));
const fromMessages = (body: unknown) => decodeMessagesRequest(MessagesRequest.parse(body));
const fromResponses = (body: unknown) => decodeResponsesRequest(ResponsesRequest.parse(body));
const fromRuntime = (body: unknown) => decodeRuntimeChatRequest(RuntimeChatRequest.parse(body));

const PNG = 'data:image/png;base64,iVBORw0KGgo=';
const weather = {
  name: 'weather',
  description: 'Looks outside',
  parameters: { type: 'object', properties: { city: { type: 'string' } } },
};
const user = { role: 'user', content: 'Hi' };

const conversation = {
  model: 'm',
  messages: [
    { role: 'system', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Look' },
        { type: 'image_url', image_url: { url: PNG } },
      ],
    },
    {
      role: 'assistant',
      content: 'One moment.',
      tool_calls: [
        { id: 'a', type: 'function', function: { name: 'weather', arguments: '{"city":"Rome"}' } },
        { id: 'b', type: 'function', function: { name: 'now', arguments: '{}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'a', content: 'sunny' },
    { role: 'tool', tool_call_id: 'b', content: '' },
    { role: 'user', content: 'And now?' },
  ],
  tools: [{ type: 'function', function: weather }],
  tool_choice: 'auto',
  temperature: 0.5,
  max_tokens: 100,
  stop: ['END'],
  stream: true,
};

describe('a chat-completions request', () => {
  test('comes back as it was', () => {
    const body = {
      ...conversation,
      stream_options: { include_usage: true, include_obfuscation: false },
      tool_choice: { type: 'function', function: { name: 'weather' } },
      response_format: { type: 'json_schema', json_schema: { name: 'out', strict: true, schema: { type: 'object' } } },
      seed: 7,
      logit_bias: { 5: 1 },
      max_completion_tokens: 90,
      reasoning_effort: 'low',
      parallel_tool_calls: false,
      custom_thing: { deep: [1] },
    };
    expect(encodeChatRequest(fromChat(body))).toEqual(body);
  });

  test.each<[string, object]>([
    [
      'a choice only this format has',
      { tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [] } } },
    ],
    ['a response format only this server has', { response_format: { type: 'grammar', grammar: 'x' } }],
    ['a tool of its own kind', { tools: [{ type: 'custom', custom: { name: 'x' } }] }],
    [
      'audio',
      { messages: [{ role: 'user', content: [{ type: 'input_audio', input_audio: { data: 'x', format: 'wav' } }] }] },
    ],
    [
      'a file',
      {
        messages: [
          {
            role: 'user',
            content: [{ type: 'file', file: { file_data: 'data:application/pdf;base64,AA==', filename: 'a.pdf' } }],
          },
        ],
      },
    ],
    [
      'names and marks on messages',
      {
        messages: [
          { role: 'user', content: [{ type: 'text', text: 'x', cache_control: { type: 'ephemeral' } }], name: 'Ann' },
        ],
      },
    ],
    ['thinking said before', { messages: [user, { role: 'assistant', content: 'Hi', reasoning_content: 'hm' }] }],
    ['a later system message', { messages: [user, { role: 'system', content: 'Now in French.' }, user] }],
  ])('with %s comes back as it was', (_, fields) => {
    const body = { model: 'm', messages: [user], stream: false, ...fields };
    expect(encodeChatRequest(fromChat(body))).toEqual(body);
  });

  test('may hold nulls where a field is not used', () => {
    const body = {
      model: 'm',
      messages: [{ role: 'assistant', content: null, tool_calls: null }],
      temperature: null,
      stop: null,
      tools: null,
      stream: null,
    };
    expect(encodeChatRequest(fromChat(body))).toEqual({
      model: 'm',
      messages: [{ role: 'assistant', content: '' }],
      stream: false,
    });
  });

  test.each<[string, unknown]>([
    ['no model', { messages: [] }],
    ['no messages', { model: 'm' }],
    ['a message without role', { model: 'm', messages: [{ content: 'x' }] }],
    ['content that is a number', { model: 'm', messages: [{ role: 'user', content: 5 }] }],
    ['a temperature that is text', { model: 'm', messages: [], temperature: 'hot' }],
  ])('with %s is refused', (_, body) => {
    expect(ChatRequest.safeParse(body).success).toBe(false);
  });
});

describe('a messages request', () => {
  const cached = { cache_control: { type: 'ephemeral' } };

  test('becomes a chat-completions request', () => {
    const body = {
      model: 'm',
      max_tokens: 50,
      system: [{ type: 'text', text: 'Be brief.', ...cached }],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm', signature: 'sealed' },
            { type: 'redacted_thinking', data: 'xx' },
            { type: 'tool_use', id: 'a', name: 'weather', input: { city: 'Rome' } },
          ],
        },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'a',
              is_error: true,
              content: [
                { type: 'text', text: 'no' },
                { type: 'text', text: 'luck' },
              ],
            },
            { type: 'text', text: 'Again' },
          ],
        },
      ],
      tools: [{ name: 'weather', description: 'Looks outside', input_schema: weather.parameters, ...cached }],
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
      stop_sequences: ['END'],
      top_k: 5,
      stream: true,
      thinking: { type: 'enabled', budget_tokens: 1000 },
      metadata: { user_id: 'u' },
      chat_id: 'c',
      output_config: { effort: 'high' },
    };
    expect(encodeChatRequest(fromMessages(body))).toEqual({
      model: 'm',
      max_tokens: 50,
      messages: [
        { role: 'system', content: [{ type: 'text', text: 'Be brief.', ...cached }] },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look' },
            { type: 'image_url', image_url: { url: PNG } },
          ],
        },
        {
          role: 'assistant',
          content: '',
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'weather', arguments: '{"city":"Rome"}' } }],
        },
        { role: 'tool', tool_call_id: 'a', content: 'Error: no\nluck' },
        { role: 'user', content: 'Again' },
      ],
      tools: [{ type: 'function', function: weather }],
      tool_choice: 'required',
      parallel_tool_calls: false,
      stop: ['END'],
      top_k: 5,
      reasoning_effort: 'high',
      metadata: { user_id: 'u' },
      chat_id: 'c',
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  test.each<[string, unknown, unknown]>([
    ['a lone text block', [{ type: 'text', text: 'x' }], 'x'],
    [
      'an image by its address',
      [{ type: 'image', source: { type: 'url', url: 'https://a/b.png' } }],
      [{ type: 'image_url', image_url: { url: 'https://a/b.png' } }],
    ],
    ['a document of text', [{ type: 'document', title: 'T', source: { type: 'text', data: 'body' } }], 'T\nbody'],
    [
      'a search result',
      [{ type: 'search_result', title: 'T', source: 'https://a', content: [{ type: 'text', text: 'body' }] }],
      'T\nhttps://a\nbody',
    ],
    [
      'a PDF',
      [{ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'AA==' } }],
      [{ type: 'file', file: { file_data: 'data:application/pdf;base64,AA==' } }],
    ],
  ])('with %s is understood', (_, content, expected) => {
    const { messages } = encodeChatRequest(fromMessages({ model: 'm', messages: [{ role: 'user', content }] }));
    expect(messages).toEqual([{ role: 'user', content: expected }]);
  });

  test.each<[string, object]>([
    ['a tool only that service runs', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }],
    [
      'a file kept by that service',
      { messages: [{ role: 'user', content: [{ type: 'document', source: { type: 'file', file_id: 'f' } }] }] },
    ],
  ])('with %s is refused, not bent', (_, fields) => {
    const turn = fromMessages({ model: 'm', messages: [user], ...fields });
    expect(() => encodeChatRequest(turn)).toThrow('cannot be sent to this model');
    expect(encodeMessagesRequest(turn)).toMatchObject(fields);
  });

  test('comes back as it was', () => {
    const body = {
      model: 'm',
      max_tokens: 50,
      system: 'Be brief.',
      messages: [
        user,
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm', signature: 'sealed' },
            { type: 'redacted_thinking', data: 'xx' },
            { type: 'tool_use', id: 'a', name: 'weather', input: { city: 'Rome' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'a', is_error: true, content: 'no', ...cached },
            { type: 'text', text: 'Again' },
          ],
        },
      ],
      tools: [{ name: 'weather', input_schema: { type: 'object' }, ...cached }],
      tool_choice: { type: 'tool', name: 'weather' },
      thinking: { type: 'enabled', budget_tokens: 1000 },
      output_config: { effort: 'low', format: { type: 'json_schema', schema: { type: 'object' } } },
      stream: false,
    };
    expect(encodeMessagesRequest(fromMessages(body))).toEqual(body);
  });
});

const someContent = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1 }),
  fc.array(
    fc.oneof(
      fc.string({ minLength: 1 }).map((text) => ({ type: 'text', text })),
      fc.constant({ type: 'image_url', image_url: { url: PNG } }),
      fc.constant({ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }),
    ),
    { minLength: 2, maxLength: 3 },
  ),
);

/** What a user and a model with tools may have said to each other. */
const someExchange = fc
  .record({
    asked: someContent,
    said: fc.string(),
    calls: fc.array(someArguments, { maxLength: 3 }),
    results: fc.infiniteStream(fc.string()),
  })
  .map(({ asked, said, calls, results }) => [
    { role: 'user', content: asked },
    {
      role: 'assistant',
      content: said,
      ...(calls.length > 0 && {
        tool_calls: calls.map((text, at) => ({
          id: `c${at}`,
          type: 'function',
          function: { name: 'f', arguments: text },
        })),
      }),
    },
    ...calls.map((_, at) => ({ role: 'tool', tool_call_id: `c${at}`, content: results.next().value })),
  ]);

test('any conversation survives the way from chat completions to messages and back', () => {
  const body = fc.record({
    model: fc.constant('m'),
    messages: fc
      .tuple(
        fc.array(
          fc.string({ minLength: 1 }).map((content) => ({ role: 'system', content })),
          { maxLength: 1 },
        ),
        fc.array(someExchange, { maxLength: 3 }),
      )
      .map(([system, exchanges]) => [...system, ...exchanges.flat(), user]),
    max_tokens: fc.nat(),
    stream: fc.constant(false),
  });
  const settings = fc.record(
    {
      tools: fc.constant(conversation.tools),
      tool_choice: fc.constantFrom('auto', 'none', 'required', { type: 'function', function: { name: 'weather' } }),
      temperature: fc.double({ min: 0, max: 2, noNaN: true }),
      stop: fc.array(fc.string(), { minLength: 1 }),
      reasoning_effort: fc.constantFrom('low', 'high'),
      anything: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(body, settings, (base, more) => {
      const request = JSON.parse(JSON.stringify({ ...base, ...more }));
      const there = MessagesRequest.parse(JSON.parse(JSON.stringify(encodeMessagesRequest(fromChat(request)))));
      expect(encodeChatRequest(decodeMessagesRequest(there))).toEqual(request);
    }),
  );
});

describe('a responses request', () => {
  test('becomes a chat-completions request', () => {
    const body = {
      model: 'm',
      instructions: 'Be brief.',
      input: [
        { role: 'developer', content: 'In French.' },
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'Look' },
            { type: 'input_image', image_url: PNG, detail: 'low' },
          ],
        },
        { type: 'reasoning', id: 'rs', summary: [{ type: 'summary_text', text: 'Hm' }] },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Wait.' }] },
        { type: 'function_call', call_id: 'a', name: 'weather', arguments: '{"city":"Rome"}' },
        { type: 'function_call', call_id: 'b', name: 'now', arguments: '{}' },
        { type: 'function_call_output', call_id: 'a', output: 'sunny' },
        { type: 'function_call_output', call_id: 'b', output: [{ type: 'input_text', text: 'noon' }] },
      ],
      tools: [{ type: 'function', ...weather, strict: true }],
      tool_choice: { type: 'function', name: 'weather' },
      text: { format: { type: 'json_schema', name: 'out', schema: { type: 'object' } } },
      reasoning: { effort: 'low' },
      max_output_tokens: 70,
      store: false,
      include: ['reasoning.encrypted_content'],
      stream: true,
    };
    expect(encodeChatRequest(fromResponses(body))).toEqual({
      model: 'm',
      messages: [
        {
          role: 'system',
          content: [
            { type: 'text', text: 'Be brief.' },
            { type: 'text', text: 'In French.' },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look' },
            { type: 'image_url', image_url: { url: PNG, detail: 'low' } },
          ],
        },
        {
          role: 'assistant',
          content: 'Wait.',
          tool_calls: [
            { id: 'a', type: 'function', function: { name: 'weather', arguments: '{"city":"Rome"}' } },
            { id: 'b', type: 'function', function: { name: 'now', arguments: '{}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'a', content: 'sunny' },
        { role: 'tool', tool_call_id: 'b', content: 'noon' },
      ],
      tools: [{ type: 'function', function: { ...weather, strict: true } }],
      tool_choice: { type: 'function', function: { name: 'weather' } },
      response_format: { type: 'json_schema', json_schema: { name: 'out', schema: { type: 'object' } } },
      reasoning_effort: 'low',
      max_tokens: 70,
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  test('may be a plain question', () => {
    expect(encodeChatRequest(fromResponses({ model: 'm', input: 'Hi' }))).toEqual({
      model: 'm',
      messages: [user],
      stream: false,
    });
  });

  test.each<[string, object]>([
    ['a response that is stored nowhere', { previous_response_id: 'resp_1' }],
    ['work in the background', { background: true }],
    ['an item that is stored nowhere', { input: [{ type: 'item_reference', id: 'x' }] }],
    ['a role nobody has', { input: [{ role: 'robot', content: 'x' }] }],
    ['a choice of hosted tools', { tool_choice: { type: 'web_search' } }],
  ])('for %s is refused', (_, fields) => {
    expect(() => fromResponses({ model: 'm', input: 'Hi', ...fields })).toThrow(
      expect.objectContaining({ code: 'invalid_request' }),
    );
  });

  test('is repeated in its reply', () => {
    const body = ResponsesRequest.parse({
      model: 'm',
      input: 'Hi',
      temperature: 0.5,
      metadata: { a: 'b' },
      stream: true,
    });
    expect(responsesEcho(body)).toEqual({ temperature: 0.5, metadata: { a: 'b' } });
  });
});

describe('a request to the runtime', () => {
  test('is made from a chat-completions request', () => {
    const body = {
      ...conversation,
      top_k: 3,
      reasoning_effort: 'minimal',
      num_ctx: 4096,
      keep_alive: '5m',
      options: { mirostat: 1 },
      response_format: { type: 'json_object' },
    };
    expect(encodeRuntimeRequest(fromChat(body))).toEqual({
      model: 'm',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Look', images: ['iVBORw0KGgo='] },
        {
          role: 'assistant',
          content: 'One moment.',
          tool_calls: [
            { id: 'a', function: { name: 'weather', arguments: { city: 'Rome' } } },
            { id: 'b', function: { name: 'now', arguments: {} } },
          ],
        },
        { role: 'tool', content: 'sunny', tool_name: 'weather', tool_call_id: 'a' },
        { role: 'tool', content: '', tool_name: 'now', tool_call_id: 'b' },
        { role: 'user', content: 'And now?' },
      ],
      tools: [{ type: 'function', function: weather }],
      options: { temperature: 0.5, top_k: 3, num_predict: 100, stop: ['END'], num_ctx: 4096, mirostat: 1 },
      keep_alive: '5m',
      format: 'json',
      think: 'low',
      stream: true,
    });
  });

  test.each<[string, object]>([
    ['an image by its address', { content: [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }] }],
    ['a file', { content: [{ type: 'file', file: { file_data: 'data:application/pdf;base64,AA==' } }] }],
    ['audio', { content: [{ type: 'input_audio', input_audio: {} }] }],
  ])('with %s is refused', (_, message) => {
    const turn = fromChat({ model: 'm', messages: [{ role: 'user', ...message }] });
    expect(() => encodeRuntimeRequest(turn)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  });

  test('without tools when none may be called', () => {
    expect(encodeRuntimeRequest(fromChat({ ...conversation, tool_choice: 'none' }))).not.toHaveProperty('tools');
  });

  test('comes back as it was', () => {
    const body = {
      model: 'm',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Look', images: ['iVBORw0KGgo='] },
        {
          role: 'assistant',
          content: '',
          thinking: 'Hm',
          tool_calls: [{ id: 'a', function: { name: 'weather', arguments: { city: 'Rome' } } }],
        },
        { role: 'tool', content: 'sunny', tool_name: 'weather', tool_call_id: 'a' },
      ],
      tools: [{ type: 'function', function: weather }],
      options: { temperature: 0.5, num_ctx: 4096, num_predict: 5, stop: ['END'] },
      format: { type: 'object' },
      keep_alive: 0,
      think: true,
      stream: false,
      custom_thing: 1,
    };
    expect(encodeRuntimeRequest(fromRuntime(body))).toEqual(body);
  });

  test('streams unless it says otherwise, and becomes a chat-completions request', () => {
    const body = {
      model: 'm',
      messages: [
        { role: 'user', content: 'Look', images: ['/9j/AA=='] },
        {
          role: 'assistant',
          content: '',
          tool_calls: [{ function: { name: 'a', arguments: {} } }, { function: { name: 'b', arguments: { x: 1 } } }],
        },
        { role: 'tool', content: 'two', tool_name: 'b' },
        { role: 'tool', content: 'one', tool_name: 'a' },
      ],
      options: { top_p: 0.9, seed: 3, num_predict: -1, num_ctx: 99 },
      keep_alive: '5m',
    };
    expect(encodeChatRequest(fromRuntime(body))).toEqual({
      model: 'm',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look' },
            { type: 'image_url', image_url: { url: 'data:image/jpeg;base64,/9j/AA==' } },
          ],
        },
        {
          role: 'assistant',
          content: '',
          tool_calls: [
            { id: 'call_1_0', type: 'function', function: { name: 'a', arguments: '{}' } },
            { id: 'call_1_1', type: 'function', function: { name: 'b', arguments: '{"x":1}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1_1', content: 'two' },
        { role: 'tool', tool_call_id: 'call_1_0', content: 'one' },
      ],
      top_p: 0.9,
      seed: 3,
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  test('to generate is one question', () => {
    const body = RuntimeGenerateRequest.parse({
      model: 'm',
      prompt: 'Hi',
      system: 'Be brief.',
      stream: false,
      context: [1],
    });
    expect(encodeChatRequest(decodeRuntimeGenerateRequest(body))).toEqual({
      model: 'm',
      messages: [{ role: 'system', content: 'Be brief.' }, user],
      stream: false,
    });
  });
});
