import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { createDeltaReader } from '../../shared/llm/chat/delta-reader.ts';
import { createRelayTap } from '../../shared/llm/chat/relay-tap.ts';
import { CALLER_FORMATS } from '../../shared/llm/caller-formats.ts';
import { collect } from '../../shared/llm/reply.ts';
import { UPSTREAM_FORMATS } from '../../shared/llm/upstream-formats.ts';
import { bytesOf, chunked, someStream, someText } from './arbitrary.ts';

/** Lines of a text delta as servers in use print them. */
const STYLES: Record<string, (text: string, at: number) => string> = {
  compact: (text) =>
    JSON.stringify({
      id: 'c',
      created: 1,
      model: 'm',
      choices: [{ index: 0, delta: { content: text }, logprobs: null, finish_reason: null }],
    }),
  'finish reason first': (text) =>
    JSON.stringify({ choices: [{ finish_reason: null, index: 0, delta: { content: text } }], created: 1, id: 'c' }),
  'with spaces': (text) => `{"id": "c", "choices": [{"index": 0, "delta": {"content": ${JSON.stringify(text)}}}]}`,
  'with a role': (text) =>
    JSON.stringify({ choices: [{ index: 0, delta: { role: 'assistant', content: text }, finish_reason: null }] }),
  padded: (text, at) =>
    JSON.stringify({
      id: 'c',
      choices: [{ index: 0, delta: { content: text } }],
      usage: null,
      obfuscation: 'x'.repeat(at % 9),
    }),
  'another id in every line': (text, at) =>
    JSON.stringify({ id: `c${at}`, choices: [{ index: 0, delta: { content: text } }] }),
};

describe.each(Object.entries(STYLES))('text deltas printed %s', (_, print) => {
  test('read the same as when they are parsed', () => {
    fc.assert(
      fc.property(fc.array(someText, { maxLength: 20 }), (texts) => {
        const read = createDeltaReader();
        const got = texts.map((text, at) => {
          const line = read(print(text, at));
          return 'text' in line
            ? line.text
            : (line.chunk as { choices: [{ delta: { content: string } }] }).choices[0].delta.content;
        });
        expect(got).toEqual(texts);
      }),
    );
  });
});

test.each(Object.keys(STYLES).filter((style) => !style.startsWith('another')))(
  'plain text printed %s is parsed only to learn it',
  (style) => {
    const read = createDeltaReader();
    read(STYLES[style]!('first', 0));
    const parse = vi.spyOn(JSON, 'parse');
    expect(['second', '', 'é😀 {}'].map((text, at) => read(STYLES[style]!(text, at)))).toEqual([
      { text: 'second' },
      { text: '' },
      { text: 'é😀 {}' },
    ]);
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
  },
);

test.each<[string, string]>([
  ['an escape', '{"id":"c","choices":[{"index":0,"delta":{"content":"a\\nb"}}]}'],
  ['a quote', '{"id":"c","choices":[{"index":0,"delta":{"content":"a\\"b"}}]}'],
  ['a second field in the delta', '{"id":"c","choices":[{"index":0,"delta":{"content":"a","reasoning_content":"b"}}]}'],
  ['a tool call', '{"id":"c","choices":[{"index":0,"delta":{"content":"a","tool_calls":[]}}]}'],
  ['a finish reason', '{"id":"c","choices":[{"index":0,"delta":{"content":"a"},"finish_reason":"stop"}]}'],
  ['usage', '{"id":"c","choices":[{"index":0,"delta":{"content":"a"}}],"usage":{"prompt_tokens":1}}'],
  ['an error', '{"error":{"message":"x"}}'],
])('a line with %s is parsed', (_, data) => {
  const read = createDeltaReader();
  read('{"id":"c","choices":[{"index":0,"delta":{"content":"first"}}]}');
  expect(read('{"id":"c","choices":[{"index":0,"delta":{"content":"second"}}]}')).toEqual({ text: 'second' });
  expect(read(data)).toEqual({ chunk: JSON.parse(data) });
});

test('content that is not the text of the answer is never taken for it', () => {
  const read = createDeltaReader();
  const decoy = (text: string, meta: string) =>
    JSON.stringify({ meta: { content: meta }, choices: [{ index: 0, delta: { content: text } }] });
  for (const [text, meta] of [
    ['a', 'a'],
    ['b', 'a'],
    ['a', 'b'],
    ['c', 'd'],
  ] as const) {
    const line = read(decoy(text, meta));
    expect('text' in line ? line.text : line.chunk).toEqual('text' in line ? text : JSON.parse(decoy(text, meta)));
  }
});

test('following a relayed stream tells the same as reading it', () => {
  fc.assert(
    fc.property(someStream, fc.array(fc.nat(), { maxLength: 12 }), fc.nat({ max: 3 }), ({ events }, ends, pause) => {
      const write = CALLER_FORMATS.chat.createWriter({ id: '1', model: 'm', created: 1, wantsUsage: true });
      const chunks = chunked(bytesOf(events.map(write).join('')), ends);
      const reader = UPSTREAM_FORMATS.chat.createReader('s');
      const tap = createRelayTap('s');
      const heard = chunks.flatMap((chunk, at) => {
        tap.push(chunk);
        return at % (pause + 1) === 0 ? tap.read() : [];
      });
      const read = chunks.flatMap((chunk) => reader.push(chunk));
      expect(collect([...heard, ...tap.end()])).toEqual(collect([...read, ...reader.end()]));
    }),
  );
});

test('a relayed stream that breaks off ends in an error, and so does one that is not JSON', () => {
  const cut = createRelayTap('s');
  cut.push(bytesOf('data: {"choices":[{"delta":{"content":"Hal'));
  expect(cut.end()).toMatchObject([{ type: 'error' }]);
  const html = createRelayTap('s');
  html.push(bytesOf('data: <html>\n\n'));
  expect(html.end()).toMatchObject([{ type: 'error', error: { status: 502 } }]);
});

test('text is told in runs, not letter by letter', () => {
  const tap = createRelayTap('s');
  tap.push(
    bytesOf('data: {"choices":[{"delta":{"content":"a"}}]}\n\ndata: {"choices":[{"delta":{"content":"b"}}]}\n\n'),
  );
  expect(tap.read()).toEqual([{ type: 'text', text: 'ab' }]);
});
