import { describe, expect, test } from 'vitest';
import { chorePrompt, readFollowUps, readTags, readTitle } from '../../shared/completion/chore.ts';
import { createRecording } from '../../shared/completion/recording.ts';
import type { Message } from '../../shared/llm/turn.ts';

describe('the answer to a small task', () => {
  test.each([
    ['{ "title": "Plans for May" }', 'Plans for May'],
    ['Sure!\n```json\n{"title": " Plans "}\n```', 'Plans'],
    ['{"title": ""}', undefined],
    ['{"title": 5}', undefined],
    ['no json at all', undefined],
    ['} backwards {', undefined],
  ])('%s has the title %s', (answer, title) => expect(readTitle(answer)).toBe(title));

  test('gives only texts, and not too many', () => {
    expect(readTags('{"tags":["a", 5, " b ", ""]}')).toEqual(['a', 'b']);
    expect(readFollowUps(JSON.stringify({ follow_ups: Array.from({ length: 50 }, () => 'Why?') }))).toHaveLength(10);
    expect(readTags('{"tags":"a"}')).toBeUndefined();
  });

  test('is asked for with the end of the conversation only', () => {
    const messages = Array.from({ length: 30 }, (_, i): Message => ({
      role: i % 2 ? 'assistant' : 'user',
      parts: [{ type: 'text', text: `${i}: ${'x'.repeat(5000)}` }],
    }));
    const prompt = chorePrompt('title', [{ role: 'system', parts: [{ type: 'text', text: 'secret' }] }, ...messages]);
    expect(prompt.length).toBeLessThan(15_000);
    expect(prompt).toContain('ASSISTANT: 29:');
    expect(prompt).not.toContain('secret');
  });
});

describe('the record of a reply', () => {
  test('is plain text, with structure only where text cannot say it', () => {
    const recording = createRecording('m1');
    recording.add([
      { type: 'text', text: 'Hel' },
      { type: 'text', text: 'lo' },
    ]);
    expect(recording.soFar()).toEqual({ content: 'Hello' });
    recording.add([
      { type: 'thinking', text: 'hm' },
      { type: 'tool_start', index: 0, id: 'c1', name: 'now' },
      { type: 'tool_delta', index: 0, arguments: '{}' },
      { type: 'tool_end', index: 0 },
      { type: 'usage', usage: { input: 3, output: 4 } },
      { type: 'extra', fields: { sources: [{ source: { name: 'a' } }], childrenIds: ['evil'] } },
      { type: 'finish', reason: 'tool_calls' },
    ]);
    expect(recording.atEnd()).toEqual({
      content: 'Hello',
      done: true,
      sources: [{ source: { name: 'a' } }],
      usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7, input_tokens: 3, output_tokens: 4 },
      output: [
        {
          type: 'reasoning',
          id: 'rs_m1',
          status: 'completed',
          content: [{ type: 'output_text', text: 'hm' }],
          summary: null,
        },
        {
          type: 'message',
          id: 'msg_m1',
          status: 'completed',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'Hello' }],
        },
        { type: 'function_call', id: 'fc_c1', call_id: 'c1', name: 'now', arguments: '{}', status: 'completed' },
      ],
    });
  });

  test('keeps what was said before a failure', () => {
    const recording = createRecording('m1');
    recording.add([{ type: 'text', text: 'Half' }]);
    expect(recording.atEnd({ message: 'Gone', type: 'api_error' })).toEqual({
      content: 'Half',
      error: { content: 'Gone' },
      done: true,
    });
  });
});
