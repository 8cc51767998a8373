import { type Answered, streamed, type Sink } from '../../shared/http/streamed.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

/** Up to this size an answer goes out whole, with its length; beyond it is written as it is made. */
const LARGEST_WHOLE = 1024 * 1024;
const PIECE = 128 * 1024;

/** An answer of JSON text that comes in pieces and may be larger than a buffered answer can be. */
export function jsonAnswer(pieces: Iterable<string>): Answered {
  const iterator = pieces[Symbol.iterator]();
  let start = '';
  for (let next = iterator.next(); ; next = iterator.next()) {
    if (next.done) return new Response(start, { headers: JSON_TYPE });
    start += next.value;
    if (start.length > LARGEST_WHOLE) break;
  }
  return streamed(async (sink) => {
    await sink.write(start);
    await writeAll(sink, { [Symbol.iterator]: () => iterator });
  }, JSON_TYPE);
}

/** Small pieces are gathered, so that one write does not carry a few bytes only. */
export async function writeAll(sink: Sink, pieces: Iterable<string>): Promise<void> {
  let held = '';
  for (const piece of pieces) {
    if (sink.gone.aborted) return;
    held += piece;
    if (held.length < PIECE) continue;
    await sink.write(held);
    held = '';
  }
  await sink.write(held);
}

/** One JSON document per line, each made when its turn comes. */
export const linesAnswer = (documents: AsyncIterable<Iterable<string>>) =>
  streamed(
    async (sink) => {
      for await (const document of documents) {
        if (sink.gone.aborted) return;
        await writeAll(sink, document);
        await sink.write('\n');
      }
    },
    { 'content-type': 'application/x-ndjson' },
  );
