import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { endChat, startChat, stepChat } from '../../shared/llm/chat/step.ts';
import { openChat, writeChat } from '../../shared/llm/chat/write.ts';
import { decodeChatReply } from '../../shared/llm/chat/reply.ts';
import { collect } from '../../shared/llm/reply.ts';
import type { TurnEvent } from '../../shared/llm/turn-event.ts';
import { someArguments } from './arbitrary.ts';

const delta = (content: unknown, finish: string | null = null) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta: content, finish_reason: finish }],
});

const call = (piece: { index?: number; id?: string; name?: string; arguments?: string }) => {
  const { index, id, ...spec } = piece;
  return delta({ tool_calls: [{ index, id, function: spec }] });
};

function fold(chunks: readonly unknown[]): TurnEvent[] {
  let state = startChat('s');
  const events: TurnEvent[] = [];
  for (const chunk of chunks) {
    const [next, more] = stepChat(state, chunk);
    state = next;
    events.push(...more);
  }
  return [...events, ...endChat(state)];
}

describe('reading a chat-completions stream', () => {
  test('the role, the words, the late usage and the end are told in the neutral order', () => {
    const usage = {
      prompt_tokens: 3,
      completion_tokens: 2,
      total_tokens: 5,
      prompt_tokens_details: { cached_tokens: 1 },
    };
    const events = fold([
      delta({ role: 'assistant', content: '' }),
      delta({ reasoning_content: 'Hm. ' }),
      delta({ reasoning: 'Well.' }),
      delta({ content: 'Hel' }),
      delta({ content: 'lo' }),
      delta({}, 'stop'),
      { choices: [], usage },
      '[DONE]',
    ]);
    expect(events).toEqual([
      { type: 'thinking', text: 'Hm. ' },
      { type: 'thinking', text: 'Well.' },
      { type: 'text', text: 'Hel' },
      { type: 'text', text: 'lo' },
      {
        type: 'usage',
        usage: { input: 3, output: 2, cached: 1, extra: { prompt_tokens_details: { cached_tokens: 1 } } },
      },
      { type: 'finish', reason: 'stop' },
    ]);
  });

  test.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['content_filter', 'content_filter'],
    ['tool_calls', 'tool_calls'],
    ['eos', 'stop'],
    ['constructor', 'stop'],
  ])('finish reason %s is read as %s', (said, reason) => {
    expect(fold([delta({ content: 'x' }, said), '[DONE]']).at(-1)).toEqual({ type: 'finish', reason });
  });

  test.each<[string, unknown[], TurnEvent['type']]>([
    ['with a finish reason but without [DONE]', [delta({ content: 'x' }, 'stop')], 'finish'],
    ['with [DONE] but without a finish reason', [delta({ content: 'x' }), '[DONE]'], 'finish'],
    ['with neither', [delta({ content: 'x' })], 'error'],
    ['before it began', [], 'error'],
  ])('a stream that ends %s counts accordingly', (_, chunks, type) => {
    expect(fold(chunks).at(-1)?.type).toBe(type);
  });

  test('nothing is read after the end', () => {
    expect(fold([delta({ content: 'x' }, 'stop'), '[DONE]', delta({ content: 'late' }), '[DONE]'])).toHaveLength(2);
  });

  test('an error frame ends the stream with what the server said', () => {
    const events = fold([
      delta({ content: 'x' }),
      { error: { message: 'Quota', type: 'insufficient_quota', code: 429 } },
    ]);
    expect(events.at(-1)).toEqual({
      type: 'error',
      error: { status: 429, message: 'Quota', type: 'rate_limit_error' },
    });
  });

  test('a frame without choices is something beside the answer', () => {
    expect(fold([{ sources: [1] }, '[DONE]'])).toContainEqual({ type: 'extra', fields: { sources: [1] } });
  });

  test('only the first of several choices is read', () => {
    const other = { choices: [{ index: 1, delta: { content: 'other' } }] };
    expect(collect(fold([delta({ content: 'first' }), other, '[DONE]'])).text).toBe('first');
  });
});

const twoCalls = [
  { id: 'a', name: 'one', arguments: '{"x":1}' },
  { id: 'b', name: 'two', arguments: '{"y":"}"}' },
];

describe('tool calls in a chat-completions stream', () => {
  test.each<[string, unknown[]]>([
    [
      'cut into pieces',
      [
        call({ index: 0, id: 'a', name: 'one', arguments: '' }),
        call({ index: 0, arguments: '{"x"' }),
        call({ index: 0, arguments: ':1}' }),
        call({ index: 1, id: 'b', name: 'two', arguments: '{"y":"}' }),
        call({ index: 1, arguments: '"}' }),
      ],
    ],
    [
      'sharing one index',
      [
        call({ index: 0, id: 'a', name: 'one', arguments: '{"x":1}' }),
        call({ index: 0, id: 'b', name: 'two', arguments: '{"y":"}"}' }),
      ],
    ],
    [
      'without any index',
      [call({ id: 'a', name: 'one', arguments: '{"x":1}' }), call({ id: 'b', name: 'two', arguments: '{"y":"}"}' })],
    ],
    [
      'interleaved',
      [
        call({ index: 0, id: 'a', name: 'one' }),
        call({ index: 1, id: 'b', name: 'two' }),
        call({ index: 1, arguments: '{"y":' }),
        call({ index: 0, arguments: '{"x":1}' }),
        call({ index: 1, arguments: '"}"}' }),
      ],
    ],
    [
      'interleaved and repeated',
      [
        call({ index: 0, id: 'a', name: 'one' }),
        call({ index: 1, id: 'b', name: 'two', arguments: '{"y":"}"}' }),
        call({ index: 1, arguments: '{"y":"}"}' }),
        call({ index: 1, arguments: '{"y":"}"}' }),
        call({ index: 0, arguments: '{"x":1}' }),
      ],
    ],
    [
      'with the id in every piece',
      [
        call({ index: 0, id: 'a', name: 'one', arguments: '{"x"' }),
        call({ index: 0, id: 'a', arguments: ':1}' }),
        call({ index: 1, id: 'b', name: 'two', arguments: '{"y":"}"}' }),
      ],
    ],
    [
      'with a new id in every later piece',
      [
        call({ index: 0, id: 'a', name: 'one', arguments: '{"x"' }),
        call({ index: 0, id: 'z1', arguments: ':1}' }),
        call({ index: 1, id: 'b', name: 'two', arguments: '{"y":"}' }),
        call({ index: 1, id: 'z2', arguments: '"}' }),
      ],
    ],
    [
      'with arguments repeated after their end',
      [
        call({ index: 0, id: 'a', name: 'one', arguments: '{"x":1}' }),
        call({ index: 0, arguments: '{"x":1}' }),
        call({ index: 1, id: 'b', name: 'two', arguments: '{"y":"}"}' }),
        call({ index: 1, arguments: '}' }),
      ],
    ],
  ])('%s come out whole, one after the other', (_, chunks) => {
    const events = fold([...chunks, delta({}, 'stop'), '[DONE]']);
    expect(collect(events)).toMatchObject({ toolCalls: twoCalls, finish: 'tool_calls' });
    expect(
      events.filter(({ type }) => type.startsWith('tool_') && type !== 'tool_delta').map(({ type }) => type),
    ).toEqual(['tool_start', 'tool_end', 'tool_start', 'tool_end']);
  });

  test('a call without id gets one that belongs to this reply', () => {
    const events = fold([
      call({ index: 0, id: '', name: 'one', arguments: '{}' }),
      call({ index: 0, name: 'two', arguments: '{}' }),
      '[DONE]',
    ]);
    expect(collect(events).toolCalls.map(({ id }) => id)).toEqual(['call_s_0', 'call_s_1']);
  });

  test('a call without arguments is a call', () => {
    const events = fold([call({ index: 0, id: 'a', name: 'now' }), delta({}, 'tool_calls'), '[DONE]']);
    expect(collect(events).toolCalls).toEqual([{ id: 'a', name: 'now', arguments: '' }]);
  });

  test('words inside a call wait for its end', () => {
    const events = fold([
      call({ index: 0, id: 'a', name: 'one', arguments: '{' }),
      delta({ content: 'hm' }),
      call({ index: 0, arguments: '}' }),
      '[DONE]',
    ]);
    expect(events.map(({ type }) => type)).toEqual([
      'tool_start',
      'tool_delta',
      'tool_delta',
      'tool_end',
      'text',
      'finish',
    ]);
  });

  test('however parallel calls are interleaved, each comes out whole and alone', () => {
    const calls = fc.array(someArguments, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(calls, fc.infiniteStream(fc.nat()), (args, random) => {
        const left = args.map((text, index) => ({ index, text: Array.from(text) }));
        const chunks: unknown[] = left.map(({ index }) => call({ index, id: `c${index}`, name: `f${index}` }));
        while (left.some(({ text }) => text.length > 0)) {
          const open = left.filter(({ text }) => text.length > 0);
          const { index, text } = open[random.next().value % open.length]!;
          chunks.push(call({ index, arguments: text.splice(0, 1 + (random.next().value % 5)).join('') }));
        }
        const events = fold([...chunks, delta({}, 'tool_calls'), '[DONE]']);
        expect(collect(events).toolCalls).toEqual(
          args.map((text, index) => ({ id: `c${index}`, name: `f${index}`, arguments: text })),
        );
        let open: number | undefined;
        for (const event of events) {
          if (event.type === 'tool_start') expect(open).toBeUndefined();
          if (event.type === 'tool_start') open = event.index;
          if (event.type === 'tool_delta' || event.type === 'tool_end') expect(open).toBe(event.index);
          if (event.type === 'tool_end') open = undefined;
        }
      }),
    );
  });
});

describe('reading a whole chat completion', () => {
  test('a refusal is the text of the answer', () => {
    const body = { choices: [{ message: { content: null, refusal: 'No.' }, finish_reason: 'stop' }] };
    expect(decodeChatReply(body, 's')).toMatchObject({ text: 'No.', finish: 'stop' });
  });

  test.each<[string, unknown]>([
    ['an error with status 200', { error: { message: 'Overloaded' } }],
    ['no choice at all', { choices: [] }],
    ['something else', 'oops'],
  ])('%s is a failed answer', (_, body) => {
    expect(decodeChatReply(body, 's').error).toBeDefined();
  });
});

describe('writing a chat-completions stream', () => {
  const head = { id: '1', model: 'm', created: 5 };
  const write = (events: readonly TurnEvent[], wantsUsage = false) => {
    let state = openChat({ ...head, wantsUsage });
    let text = '';
    for (const event of events) {
      const [next, frames] = writeChat(state, event);
      state = next;
      text += frames;
    }
    return text
      .split('\n\n')
      .filter(Boolean)
      .map((line) => line.replace('data: ', ''));
  };
  const parsed = (lines: string[]) => lines.filter((line) => line !== '[DONE]').map((line) => JSON.parse(line));

  test('the role comes first, the finish reason and [DONE] last, every chunk under the same id', () => {
    const lines = write([
      { type: 'text', text: 'a "b"' },
      { type: 'usage', usage: { input: 1, output: 1 } },
      { type: 'finish', reason: 'stop' },
    ]);
    expect(lines.at(-1)).toBe('[DONE]');
    const chunks = parsed(lines);
    expect(chunks).toHaveLength(3);
    for (const chunk of chunks) {
      expect(chunk).toMatchObject({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 5, model: 'm' });
    }
    expect(chunks.map(({ choices }) => choices[0])).toEqual([
      { index: 0, delta: { role: 'assistant', content: '' }, logprobs: null, finish_reason: null },
      { index: 0, delta: { content: 'a "b"' }, logprobs: null, finish_reason: null },
      { index: 0, delta: {}, logprobs: null, finish_reason: 'stop' },
    ]);
  });

  test('usage is a chunk of its own without choices, and only for those who asked', () => {
    const events: TurnEvent[] = [
      { type: 'usage', usage: { input: 2, output: 3 } },
      { type: 'finish', reason: 'stop' },
    ];
    expect(parsed(write(events, true)).at(-1)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 2, completion_tokens: 3, total_tokens: 5 },
    });
    expect(write(events).join()).not.toContain('usage');
  });

  test('sources stand in a whole chunk, so that strict clients accept them', () => {
    const [chunk] = parsed(write([{ type: 'extra', fields: { sources: [{ a: 1 }] } }]));
    expect(chunk).toEqual({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 5,
      model: 'm',
      choices: [],
      sources: [{ a: 1 }],
    });
  });

  test('an error is an error frame and then the end', () => {
    const lines = write([{ type: 'error', error: { status: 502, message: 'Gone', type: 'api_error' } }]);
    expect(parsed(lines)).toEqual([{ error: { message: 'Gone', type: 'api_error', param: null, code: 502 } }]);
    expect(lines.at(-1)).toBe('[DONE]');
  });
});
