import { describe, expect, test } from 'vitest';
import { CALLER_FORMATS } from '../../shared/llm/caller-formats.ts';
import { collect } from '../../shared/llm/reply.ts';
import type { TurnEvent } from '../../shared/llm/turn-event.ts';
import { UPSTREAM_FORMATS } from '../../shared/llm/upstream-formats.ts';
import { bytesOf } from './arbitrary.ts';

const read = (lines: readonly unknown[]) => {
  const reader = UPSTREAM_FORMATS.runtime.createReader('s');
  return [...reader.push(bytesOf(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))), ...reader.end()];
};

const said = (message: object) => ({
  model: 'm',
  created_at: 'x',
  message: { role: 'assistant', ...message },
  done: false,
});
const done = {
  model: 'm',
  created_at: 'x',
  message: { role: 'assistant', content: '' },
  done: true,
  done_reason: 'stop',
  total_duration: 3_725_000_000_000,
  load_duration: 1_000_000,
  prompt_eval_count: 10,
  prompt_eval_duration: 100_000_000,
  eval_count: 50,
  eval_duration: 2_000_000_000,
};

describe('reading the runtime', () => {
  test('a chat stream is read with its thinking, tool calls and statistics', () => {
    const events = read([
      said({ content: '', thinking: 'Hm' }),
      said({ content: 'Let me look.' }),
      said({
        content: '',
        tool_calls: [
          { function: { name: 'one', arguments: { a: 1 } } },
          { id: 'own', function: { name: 'two', arguments: {} } },
        ],
      }),
      done,
    ]);
    expect(collect(events)).toEqual({
      text: 'Let me look.',
      thinking: 'Hm',
      toolCalls: [
        { id: 'call_s_0', name: 'one', arguments: '{"a":1}' },
        { id: 'own', name: 'two', arguments: '{}' },
      ],
      finish: 'tool_calls',
      usage: {
        input: 10,
        output: 50,
        extra: {
          input_tokens: 10,
          output_tokens: 50,
          'response_token/s': 25,
          'prompt_token/s': 100,
          total_duration: 3_725_000_000_000,
          load_duration: 1_000_000,
          prompt_eval_count: 10,
          prompt_eval_duration: 100_000_000,
          eval_count: 50,
          eval_duration: 2_000_000_000,
          approximate_total: '1h2m5s',
        },
      },
    });
  });

  test('a generate stream is read like a chat', () => {
    const events = read([
      { response: 'Hel', done: false },
      { response: 'lo', done: false },
      { response: '', done: true, done_reason: 'length', eval_count: 2 },
    ]);
    expect(collect(events)).toMatchObject({ text: 'Hello', finish: 'length', usage: { output: 2 } });
  });

  test.each<[string, unknown[]]>([
    ['an error line', [said({ content: 'x' }), { error: 'model runner has stopped' }]],
    ['a missing last line', [said({ content: 'x' })]],
    ['a line that is no object', [[1]]],
  ])('%s is an error', (_, lines) => {
    expect(read(lines).at(-1)?.type).toBe('error');
  });

  test('a line that is not JSON is an error and the last thing that is read', () => {
    const reader = UPSTREAM_FORMATS.runtime.createReader('s');
    expect(reader.push(bytesOf('<html>\n{"done":true}\n')).map(({ type }) => type)).toEqual(['error']);
    expect(reader.end()).toEqual([]);
  });
});

describe('writing the runtime format', () => {
  const head = { id: '1', model: 'm', created: 1_700_000_000 };
  const base = { model: 'm', created_at: '2023-11-14T22:13:20.000Z' };
  const events: TurnEvent[] = [
    { type: 'thinking', text: 'Hm' },
    { type: 'text', text: 'Hi' },
    { type: 'tool_start', index: 0, id: 't0', name: 'look' },
    { type: 'tool_delta', index: 0, arguments: '{"a"' },
    { type: 'tool_delta', index: 0, arguments: ':1}' },
    { type: 'tool_end', index: 0 },
    { type: 'usage', usage: { input: 1, output: 2, extra: { total_duration: 9, other: 1 } } },
    { type: 'finish', reason: 'tool_calls' },
  ];
  const write = (format: 'runtime' | 'generate', list = events) => {
    const text = list.map(CALLER_FORMATS[format].createWriter(head)).join('');
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  };

  test('a chat is one object a line, tool calls whole, statistics last', () => {
    expect(write('runtime')).toEqual([
      { ...base, message: { role: 'assistant', content: '', thinking: 'Hm' }, done: false },
      { ...base, message: { role: 'assistant', content: 'Hi' }, done: false },
      {
        ...base,
        message: {
          role: 'assistant',
          content: '',
          tool_calls: [{ id: 't0', function: { name: 'look', arguments: { a: 1 } } }],
        },
        done: false,
      },
      {
        ...base,
        message: { role: 'assistant', content: '' },
        done: true,
        done_reason: 'stop',
        total_duration: 9,
        prompt_eval_count: 1,
        eval_count: 2,
      },
    ]);
  });

  test('a generation says response instead of message', () => {
    const lines = write('generate', [
      { type: 'text', text: 'Hi' },
      { type: 'finish', reason: 'length' },
    ]);
    expect(lines).toEqual([
      { ...base, response: 'Hi', done: false },
      { ...base, response: '', done: true, done_reason: 'length' },
    ]);
  });

  test('a tool call whose arguments are not JSON is handed on with its text', () => {
    const [, , line] = write('runtime', [
      { type: 'text', text: 'x' },
      { type: 'text', text: 'y' },
      { type: 'tool_start', index: 0, id: 't', name: 'f' },
      { type: 'tool_delta', index: 0, arguments: '{"a":' },
      { type: 'tool_end', index: 0 },
    ]);
    expect(line.message.tool_calls[0].function.arguments).toEqual({ raw_arguments: '{"a":' });
  });
});
