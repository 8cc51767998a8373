import { brokenAnswer } from './broken.ts';
import type { Framing } from './head.ts';

/** Takes what it needs of the bytes and gives back the rest. */
export type Step = (bytes: Buffer) => Buffer;

export interface BodyReceiver {
  /** A view of the bytes as they came; nothing is copied. */
  chunk(chunk: Buffer): void;
  end(): void;
}

const NOTHING: Buffer = Buffer.alloc(0);

export function createBody(framing: Framing, receiver: BodyReceiver): Step {
  switch (framing.kind) {
    case 'none':
      receiver.end();
      return (bytes) => bytes;
    case 'length':
      return measured(framing.length, receiver, () => receiver.end());
    case 'chunked':
      return chunked(receiver);
    case 'untilClose':
      return (bytes) => {
        receiver.chunk(bytes);
        return NOTHING;
      };
  }
}

function measured(length: number, receiver: BodyReceiver, after: () => void): Step {
  let left = length;
  return (bytes) => {
    const part = bytes.length <= left ? bytes : bytes.subarray(0, left);
    left -= part.length;
    receiver.chunk(part);
    if (left === 0) after();
    return bytes.subarray(part.length);
  };
}

const CHUNK_SIZE = /^([0-9a-f]{1,8})[ \t]*(?:;.*)?$/i;

function chunked(receiver: BodyReceiver): Step {
  const size = line((text) => {
    const digits = CHUNK_SIZE.exec(text)?.[1];
    if (digits === undefined) throw brokenAnswer('a chunk has no size');
    const length = Number.parseInt(digits, 16);
    step = length === 0 ? trailer : measured(length, receiver, () => void (step = end));
  });
  const end = line((text) => {
    if (text !== '') throw brokenAnswer('a chunk is longer than it said');
    step = size;
  });
  const trailer = line((text) => {
    if (text === '') receiver.end();
  });
  let step = size;
  return (bytes) => step(bytes);
}

const LARGEST_LINE = 4096;
const LINE_END = 10;
const RETURN = 13;

/** A line at a time, whatever pieces it comes in. */
function line(read: (text: string) => void): Step {
  let held: Buffer = NOTHING;
  return (bytes) => {
    const known = held.length === 0 ? bytes : Buffer.concat([held, bytes]);
    const end = known.indexOf(LINE_END);
    if (end === -1 && known.length > LARGEST_LINE) throw brokenAnswer('a line in it is too long');
    held = end === -1 ? known : NOTHING;
    if (end === -1) return NOTHING;
    read(known.toString('latin1', 0, known[end - 1] === RETURN ? end - 1 : end));
    return known.subarray(end + 1);
  };
}
