import fc from 'fast-check';
import { replyEvents, type Reply } from '../../shared/llm/reply.ts';
import type { TurnEvent } from '../../shared/llm/turn-event.ts';

/** Text of every kind a model may write: other scripts, quotes, backslashes, line breaks, nothing. */
export const someText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('', '"', '\\', '\\"content":"', '\n\n', 'data: [DONE]', '\r', 'é€😀', '{"a":1}', '\u2028'),
);

const word = fc.stringMatching(/^[a-z][a-z0-9_]{0,11}$/);

export const someArguments = fc
  .dictionary(word, fc.oneof(someText, fc.integer(), fc.boolean(), fc.constant(null), fc.array(fc.integer())))
  .map((value) => JSON.stringify(value));

const someCalls = fc
  .array(fc.record({ name: word, arguments: someArguments }), { maxLength: 3 })
  .map((calls) => calls.map((call, index) => ({ id: `call_${index}_x`, ...call })));

const someUsage = fc.record({ input: fc.nat(), output: fc.nat() });

/** Answers as every format can give them back. */
export const someReply: fc.Arbitrary<Reply> = fc
  .record({
    text: someText,
    thinking: someText,
    toolCalls: someCalls,
    usage: someUsage,
    finish: fc.constantFrom('stop' as const, 'length' as const),
  })
  .map((reply) => (reply.toolCalls.length > 0 && reply.finish === 'stop' ? { ...reply, finish: 'tool_calls' } : reply));

/** An answer and one of the streams that add up to it: the same words cut into other pieces. */
export const someStream = fc
  .tuple(someReply, fc.infiniteStream(fc.nat({ max: 4 })))
  .map(([reply, sizes]) => ({ reply, events: [...replyEvents(reply)].flatMap((event) => cut(event, sizes)) }));

function cut(event: TurnEvent, sizes: Iterator<number>): TurnEvent[] {
  if (event.type === 'text' || event.type === 'thinking') {
    return pieces(event.text, sizes).map((text) => ({ ...event, text }));
  }
  if (event.type !== 'tool_delta') return [event];
  return pieces(event.arguments, sizes).map((piece) => ({ ...event, arguments: piece }));
}

/** Cut between characters, never inside one: no JSON text can carry half a character. */
function pieces(text: string, sizes: Iterator<number>): string[] {
  const letters = Array.from(text);
  const cuts: string[] = [];
  while (letters.length > 0) cuts.push(letters.splice(0, 1 + sizes.next().value).join(''));
  return cuts;
}

export const bytesOf = (text: string) => new TextEncoder().encode(text);

/** The bytes in chunks that end at the given places. */
export function chunked(bytes: Uint8Array, ends: readonly number[]): Uint8Array[] {
  const places = [...new Set([...ends.map((end) => end % (bytes.length + 1)), bytes.length])].toSorted((a, b) => a - b);
  return places.map((end, at) => bytes.subarray(places[at - 1] ?? 0, end));
}
