import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLineReader } from '../../shared/llm/line-reader.ts';
import { createNdjsonParser } from '../../shared/llm/ndjson-parser.ts';
import { createSseParser, type ByteParser } from '../../shared/llm/sse-parser.ts';
import { bytesOf, chunked } from './arbitrary.ts';

const parse = <T>(parser: ByteParser<T>, chunks: readonly Uint8Array[]) => [
  ...chunks.flatMap((chunk) => parser.push(chunk)),
  ...parser.end(),
];

const sseSamples: Record<string, { text: string; events: unknown[] }> = {
  'one event': { text: 'data: {"a":1}\n\n', events: [{ data: '{"a":1}' }] },
  'several events in a row': {
    text: 'data: 1\n\ndata: 2\n\ndata: [DONE]\n\n',
    events: [{ data: '1' }, { data: '2' }, { data: '[DONE]' }],
  },
  'named events': { text: 'event: ping\ndata: {}\n\n', events: [{ event: 'ping', data: '{}' }] },
  CRLF: { text: 'event: a\r\ndata: x\r\n\r\ndata: y\r\n\r\n', events: [{ event: 'a', data: 'x' }, { data: 'y' }] },
  'bare CR': { text: 'data: x\r\rdata: y\r\r', events: [{ data: 'x' }, { data: 'y' }] },
  'mixed line ends': {
    text: 'data: x\r\n\ndata: y\n\r\ndata: z\r\r',
    events: [{ data: 'x' }, { data: 'y' }, { data: 'z' }],
  },
  'several data lines': { text: 'data: one\ndata:\ndata:  two\n\n', events: [{ data: 'one\n\n two' }] },
  'comments and unknown fields': { text: ': keep-alive\n\nid: 7\nretry: 3\ndata: x\n\n', events: [{ data: 'x' }] },
  'no space after the colon': { text: 'data:x\n\n', events: [{ data: 'x' }] },
  'a name that only begins like a field': { text: 'database: x\nevents: y\ndata: z\n\n', events: [{ data: 'z' }] },
  'a field without a colon': { text: 'data\n\n', events: [{ data: '' }] },
  'an event without data': { text: 'event: ping\n\ndata: x\n\n', events: [{ data: 'x' }] },
  'no line break at the end': { text: 'data: x\n\ndata: y', events: [{ data: 'x' }, { data: 'y' }] },
  'no blank line at the end': { text: 'data: y\n', events: [{ data: 'y' }] },
  'a byte order mark': { text: '\uFEFFdata: x\n\n', events: [{ data: 'x' }] },
  'characters of several bytes': { text: 'data: é€😀\u2028\n\n', events: [{ data: 'é€😀\u2028' }] },
  'an empty stream': { text: '', events: [] },
};

describe.each(Object.entries(sseSamples))('an event stream with %s', (_, { text, events }) => {
  const bytes = bytesOf(text);

  test('is read the same wherever it is split', () => {
    for (let at = 0; at <= bytes.length; at++) {
      expect(parse(createSseParser(), [bytes.subarray(0, at), bytes.subarray(at)])).toEqual(events);
    }
  });

  test('is read the same byte by byte', () => {
    expect(
      parse(
        createSseParser(),
        Array.from(bytes, (byte) => Uint8Array.of(byte)),
      ),
    ).toEqual(events);
  });
});

const ndjsonSamples: Record<string, { text: string; lines: string[] }> = {
  'one object a line': { text: '{"a":1}\n{"b":2}\n', lines: ['{"a":1}', '{"b":2}'] },
  'CRLF and blank lines': { text: '{"a":1}\r\n\r\n  \n{"b":2}\r\n', lines: ['{"a":1}', '{"b":2}'] },
  'no line break at the end': { text: '{"a":1}\n{"b":"é😀"}', lines: ['{"a":1}', '{"b":"é😀"}'] },
};

test.each(Object.entries(ndjsonSamples))(
  'lines of JSON with %s are read the same wherever they are split',
  (_, { text, lines }) => {
    const bytes = bytesOf(text);
    for (let at = 0; at <= bytes.length; at++) {
      expect(parse(createNdjsonParser(), [bytes.subarray(0, at), bytes.subarray(at)])).toEqual(lines);
    }
    expect(
      parse(
        createNdjsonParser(),
        Array.from(bytes, (byte) => Uint8Array.of(byte)),
      ),
    ).toEqual(lines);
  },
);

test('any event stream reads the same in any chunks as in one', () => {
  const line = fc.oneof(
    fc.string({ unit: 'grapheme' }).map((text) => `data: ${text.replaceAll(/[\r\n]/g, '')}`),
    fc.constantFrom('', '', 'event: x', ': comment', 'data', 'data:', 'other: y'),
  );
  const stream = fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r'))).map((lines) => lines.flat().join(''));
  fc.assert(
    fc.property(stream, fc.array(fc.nat(), { maxLength: 20 }), (text, ends) => {
      const bytes = bytesOf(text);
      expect(parse(createSseParser(), chunked(bytes, ends))).toEqual(parse(createSseParser(), [bytes]));
    }),
  );
});

test('chunks that are views into a larger buffer are read as their own bytes only', () => {
  const whole = bytesOf('xxdata: a\n\ndata: b\n\nyy');
  expect(parse(createSseParser(), [whole.subarray(2, whole.length - 2)])).toEqual([{ data: 'a' }, { data: 'b' }]);
});

test('a line that never ends is refused instead of filling the memory', () => {
  const reader = createLineReader(() => {}, 100);
  reader.push(bytesOf('x'.repeat(60)));
  expect(() => reader.push(bytesOf('x'.repeat(60)))).toThrow(expect.objectContaining({ code: 'upstream_failed' }));
});
