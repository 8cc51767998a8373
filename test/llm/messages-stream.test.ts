import { describe, expect, test } from 'vitest';
import { CALLER_FORMATS } from '../../shared/llm/caller-formats.ts';
import { collect } from '../../shared/llm/reply.ts';
import { createSseParser } from '../../shared/llm/sse-parser.ts';
import { startMessages, stepMessages, endMessages } from '../../shared/llm/messages/step.ts';
import type { TurnEvent } from '../../shared/llm/turn-event.ts';
import { bytesOf } from './arbitrary.ts';

const head = { id: '1', model: 'as-asked', created: 5 };

function write(events: readonly TurnEvent[], inputTokens?: number) {
  const writer = CALLER_FORMATS.messages.createWriter({ ...head, inputTokens });
  const sent = createSseParser().push(bytesOf(events.map(writer).join('')));
  return sent.map(({ event, data }) => {
    const frame = JSON.parse(data);
    expect(frame.type).toBe(event);
    return frame;
  });
}

const toolCall = (index: number, pieces: readonly string[]): TurnEvent[] => [
  { type: 'tool_start', index, id: `t${index}`, name: 'look' },
  ...pieces.map((piece) => ({ type: 'tool_delta' as const, index, arguments: piece })),
  { type: 'tool_end', index },
];

describe('writing a messages stream', () => {
  test('thinking, text and tools are blocks that follow each other', () => {
    const frames = write([
      { type: 'thinking', text: 'Hm' },
      { type: 'text', text: 'Let me ' },
      { type: 'text', text: 'look.' },
      ...toolCall(0, ['{"a"', ':1}']),
      ...toolCall(1, []),
      { type: 'usage', usage: { input: 5, output: 1 } },
      { type: 'finish', reason: 'tool_calls' },
    ]);
    expect(frames).toEqual([
      {
        type: 'message_start',
        message: {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          model: 'as-asked',
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: 0, output_tokens: 0 },
        },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Let me ' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'look.' } },
      { type: 'content_block_stop', index: 1 },
      { type: 'content_block_start', index: 2, content_block: { type: 'tool_use', id: 't0', name: 'look', input: {} } },
      { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '{"a"' } },
      { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: ':1}' } },
      { type: 'content_block_stop', index: 2 },
      { type: 'content_block_start', index: 3, content_block: { type: 'tool_use', id: 't1', name: 'look', input: {} } },
      { type: 'content_block_stop', index: 3 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'tool_use', stop_sequence: null },
        usage: { input_tokens: 5, output_tokens: 1 },
      },
      { type: 'message_stop' },
    ]);
  });

  test('without a word no text block is opened', () => {
    expect(
      write([
        { type: 'text', text: '' },
        { type: 'finish', reason: 'stop' },
      ]).map(({ type }) => type),
    ).toEqual(['message_start', 'message_delta', 'message_stop']);
  });

  test('text after the first tool call is left out', () => {
    const frames = write([
      ...toolCall(0, ['{}']),
      { type: 'text', text: 'late' },
      { type: 'finish', reason: 'tool_calls' },
    ]);
    expect(JSON.stringify(frames)).not.toContain('late');
  });

  test('a known prompt size is told at the start', () => {
    expect(write([{ type: 'text', text: 'x' }], 42)[0].message.usage).toEqual({ input_tokens: 42, output_tokens: 0 });
  });

  test.each([
    ['stop', 'end_turn'],
    ['length', 'max_tokens'],
    ['tool_calls', 'tool_use'],
    ['content_filter', 'end_turn'],
  ] as const)('finish reason %s is stop reason %s', (reason, stop) => {
    expect(write([{ type: 'finish', reason }]).at(-2)).toMatchObject({ delta: { stop_reason: stop } });
  });

  test('cached tokens are counted apart from the rest of the prompt', () => {
    const usage = { input: 100, output: 1, cached: 60, cacheCreated: 30 };
    expect(
      write([
        { type: 'usage', usage },
        { type: 'finish', reason: 'stop' },
      ]).at(-2).usage,
    ).toEqual({
      input_tokens: 10,
      output_tokens: 1,
      cache_read_input_tokens: 60,
      cache_creation_input_tokens: 30,
    });
  });

  test('an error is an error event', () => {
    expect(write([{ type: 'error', error: { message: 'Gone', type: 'overloaded_error' } }])).toEqual([
      { type: 'error', error: { type: 'overloaded_error', message: 'Gone' } },
    ]);
  });
});

describe('reading a messages stream', () => {
  const fold = (chunks: readonly unknown[]) => {
    let state = startMessages('s');
    const events: TurnEvent[] = [];
    for (const chunk of chunks) {
      const [next, more] = stepMessages(state, chunk);
      state = next;
      events.push(...more);
    }
    return [...events, ...endMessages(state)];
  };

  test('usage of the first and the last frame add up', () => {
    const events = fold([
      { type: 'message_start', message: { usage: { input_tokens: 10, cache_read_input_tokens: 5, output_tokens: 1 } } },
      { type: 'ping' },
      {
        type: 'message_delta',
        delta: { stop_reason: 'stop_sequence', stop_sequence: 'END' },
        usage: { output_tokens: 7 },
      },
      { type: 'message_stop' },
    ]);
    expect(collect(events)).toMatchObject({
      usage: { input: 15, output: 7, cached: 5 },
      finish: 'stop',
      stopSequence: 'END',
    });
  });

  test('the signature of thinking is kept', () => {
    const events = fold([
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'sealed' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
    ]);
    expect(collect(events)).toMatchObject({ thinking: 'Hm', signature: 'sealed', finish: 'stop' });
  });

  test('an error event ends the stream', () => {
    const events = fold([
      { type: 'error', error: { type: 'overloaded_error', message: 'Busy' } },
      { type: 'message_stop' },
    ]);
    expect(events).toEqual([{ type: 'error', error: { status: 503, type: 'overloaded_error', message: 'Busy' } }]);
  });
});
