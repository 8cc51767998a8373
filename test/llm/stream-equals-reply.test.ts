import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CallerFormat } from '../../shared/llm/caller-format.ts';
import { CALLER_FORMATS } from '../../shared/llm/caller-formats.ts';
import { collect, replyEvents, type Reply } from '../../shared/llm/reply.ts';
import { createSseParser } from '../../shared/llm/sse-parser.ts';
import type { TurnEvent } from '../../shared/llm/turn-event.ts';
import { UPSTREAM_FORMATS } from '../../shared/llm/upstream-formats.ts';
import { bytesOf, chunked, someArguments, someReply, someStream, someText } from './arbitrary.ts';

const head = { id: 'r1', model: 'demo', created: 1_700_000_000, wantsUsage: true };
const cuts = fc.array(fc.nat(), { maxLength: 12 });

const frames = (format: CallerFormat, events: Iterable<TurnEvent>) => {
  const write = format.createWriter(head);
  return Iterator.from(events).map(write).toArray().join('');
};

const readBack = (format: 'chat' | 'messages' | 'runtime', text: string, ends: readonly number[]): TurnEvent[] => {
  const reader = UPSTREAM_FORMATS[format].createReader('seed');
  return [...chunked(bytesOf(text), ends).flatMap((chunk) => reader.push(chunk)), ...reader.end()];
};

test('a stream adds up to the answer it was cut from', () => {
  fc.assert(
    fc.property(someStream, ({ reply, events }) => {
      expect(collect(events)).toEqual(reply);
    }),
  );
});

test('an answer survives being told as a stream', () => {
  fc.assert(
    fc.property(someReply, (reply) => {
      expect(collect(replyEvents(reply))).toEqual(reply);
    }),
  );
});

describe.each(['chat', 'messages', 'runtime'] as const)('in the %s format', (format) => {
  test('a streamed answer equals the one that is not streamed', () => {
    fc.assert(
      fc.property(someStream, cuts, ({ reply, events }, ends) => {
        const streamed = collect(readBack(format, frames(CALLER_FORMATS[format], events), ends));
        const whole = JSON.stringify(CALLER_FORMATS[format].encodeReply(head, reply));
        expect(streamed).toEqual(UPSTREAM_FORMATS[format].decodeReply(JSON.parse(whole), 'seed'));
        expect(streamed).toMatchObject({
          text: reply.text,
          thinking: reply.thinking,
          toolCalls: reply.toolCalls,
          finish: reply.finish,
        });
        expect(streamed.usage).toMatchObject({ ...reply.usage });
      }),
    );
  });

  test('a stream that is cut off anywhere ends in an error or in the whole answer', () => {
    fc.assert(
      fc.property(someStream, fc.nat(), ({ reply, events }, at) => {
        const text = frames(CALLER_FORMATS[format], events);
        const bytes = bytesOf(text);
        const read = readBack(format, Buffer.from(bytes.subarray(0, at % (bytes.length + 1))).toString(), []);
        const { error, ...rest } = collect(read);
        expect(read.filter(({ type }) => type === 'finish' || type === 'error')).toHaveLength(1);
        if (!error) expect(rest).toMatchObject({ text: reply.text, toolCalls: reply.toolCalls, finish: reply.finish });
      }),
    );
  });

  test('an error after some words arrives as an error', () => {
    const events: TurnEvent[] = [
      { type: 'text', text: 'Half' },
      { type: 'error', error: { status: 429, message: 'Slow down', type: 'rate_limit_error' } },
    ];
    const reply = collect(readBack(format, frames(CALLER_FORMATS[format], events), []));
    expect(reply).toMatchObject({ text: 'Half', error: { message: 'Slow down' } });
    expect(reply.finish).toBeUndefined();
  });
});

test('in the responses format the last event of a stream holds the answer that is not streamed', () => {
  fc.assert(
    fc.property(someStream, ({ reply, events }) => {
      const sent = createSseParser().push(bytesOf(frames(CALLER_FORMATS.responses, events)));
      const last = JSON.parse(sent.at(-1)!.data);
      const whole = CALLER_FORMATS.responses.encodeReply(head, reply);
      expect(last.response).toEqual(JSON.parse(JSON.stringify(whole)));
      expect(last.sequence_number).toBe(sent.length - 1);
    }),
  );
});

/** Words and calls in any order, as a chat model may mix them. */
const someMixture = fc
  .array(
    fc.oneof(
      someText.map((text): TurnEvent[] => [{ type: 'text', text }]),
      someText.map((text): TurnEvent[] => [{ type: 'thinking', text }]),
      someArguments.map((text): TurnEvent[] => [
        { type: 'tool_start', index: 0, id: '', name: 'tool' },
        { type: 'tool_delta', index: 0, arguments: text },
        { type: 'tool_end', index: 0 },
      ]),
    ),
    { maxLength: 8 },
  )
  .map((groups): TurnEvent[] => {
    let calls = 0;
    const numbered = groups.flatMap((group) => {
      const index = group.length > 1 ? calls++ : 0;
      return group.map((event) =>
        event.type === 'tool_start'
          ? { ...event, index, id: `call_${index}` }
          : 'index' in event
            ? { ...event, index }
            : event,
      );
    });
    return [...numbered, { type: 'finish', reason: calls > 0 ? 'tool_calls' : 'stop' }];
  });

test.each(['chat', 'runtime'] as const)('in the %s format words and calls in any order lose nothing', (format) => {
  fc.assert(
    fc.property(someMixture, cuts, (events, ends) => {
      const { usage: _, ...read } = collect(readBack(format, frames(CALLER_FORMATS[format], events), ends));
      expect(read).toEqual(collect(events));
    }),
  );
});

test('usage and what stands beside the answer survive the chat format', () => {
  const reply: Reply = {
    text: 'x',
    thinking: '',
    toolCalls: [],
    finish: 'stop',
    usage: { input: 10, output: 5, cached: 4, reasoning: 2, extra: { cost: 0.5 } },
    extra: { sources: [{ source: { name: 'a.txt' } }] },
  };
  const streamed = collect(readBack('chat', frames(CALLER_FORMATS.chat, replyEvents(reply)), []));
  expect(streamed).toMatchObject({ usage: { input: 10, output: 5, cached: 4, reasoning: 2, extra: { cost: 0.5 } } });
  expect(CALLER_FORMATS.chat.encodeReply(head, reply)).toMatchObject({
    sources: reply.extra?.sources,
    usage: { total_tokens: 15, cost: 0.5 },
  });
});
