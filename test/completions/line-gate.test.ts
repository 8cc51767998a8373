import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLineGate } from '../../shared/completion/line-gate.ts';

const through = (chunks: readonly Buffer[]) => {
  const gate = createLineGate();
  const passed = chunks.map((chunk) => Buffer.from(gate.take(chunk)));
  return { passed, before: Buffer.concat(passed).toString(), hasEnded: gate.hasEnded(), rest: gate.rest().toString() };
};

const cutAt = (bytes: Buffer, cuts: readonly number[]) => {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b);
  return places.slice(1).map((end, i) => bytes.subarray(places[i], end));
};

describe('a relayed stream', () => {
  const stream = 'data: {"a":"[DONE] data: [DONE]"}\n\n: note\r\n\r\ndata: {"b":"ü😀"}\n\ndata: [DONE]\n\n';

  test('passes unchanged, its end marker last, however it is cut', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 30 }), (cuts) => {
        const { before, rest, hasEnded } = through(cutAt(Buffer.from(stream), cuts));
        expect(before + rest).toBe(stream);
        expect(before).not.toMatch(/^data: \[DONE\]/m);
        expect(rest.startsWith('data: [DONE]')).toBe(true);
        expect(hasEnded).toBe(true);
      }),
    );
  });

  test('never passes the beginning of a line without its end', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 30 }), (cuts) => {
        for (const piece of through(cutAt(Buffer.from(stream), cuts)).passed) {
          expect(piece.length === 0 || piece.at(-1) === 10).toBe(true);
        }
      }),
    );
  });

  test('hands on a whole event without a copy', () => {
    const chunk = Buffer.from('data: {}\n\n');
    expect(createLineGate().take(chunk).buffer).toBe(chunk.buffer);
  });

  test('that starts with the marker is held at once, and one without it only keeps its open line', () => {
    expect(through([Buffer.from('data: [DONE]\n\n')])).toMatchObject({ before: '', rest: 'data: [DONE]\n\n' });
    expect(through([Buffer.from('data: 1\n\nda')])).toMatchObject({
      before: 'data: 1\n\n',
      rest: 'da',
      hasEnded: false,
    });
  });
});
