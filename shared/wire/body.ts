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
const LINE_END = 10;
const RETURN = 13;

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

/** Chunks mostly come whole, so the size is read where it stands; a line that is cut goes the slower way. */
function chunked(receiver: BodyReceiver): Step {
  const size = line((text) => {
    const length = sizeIn(text);
    step = length === 0 ? trailer : measured(length, receiver, () => void (step = end));
  });
  const end = line((text) => {
    if (text !== '') throw brokenAnswer('a chunk is longer than it said');
    step = whole;
  });
  const trailer = line((text) => {
    if (text === '') receiver.end();
  });
  const whole: Step = (bytes) => {
    const found = wholeChunk(bytes);
    if (found) {
      receiver.chunk(found);
      return bytes.subarray(found.byteOffset - bytes.byteOffset + found.length + 2);
    }
    step = size;
    return bytes;
  };
  let step = whole;
  return (bytes) => step(bytes);
}

const CHUNK_SIZE = /^([0-9a-f]{1,8})[ \t]*(?:;.*)?$/i;

function sizeIn(line: string): number {
  const digits = CHUNK_SIZE.exec(line)?.[1];
  if (digits === undefined) throw brokenAnswer('a chunk has no size');
  return Number.parseInt(digits, 16);
}

/** The chunk that the bytes begin with, if all of it is here and its size is plain. */
function wholeChunk(bytes: Buffer): Buffer | undefined {
  let at = 0;
  let length = 0;
  for (let digit = HEX[bytes[0] ?? 0] ?? -1; digit !== -1; digit = HEX[bytes[++at] ?? 0] ?? -1)
    length = length * 16 + digit;
  if (at === 0 || at > 6 || length === 0 || bytes[at] !== RETURN || bytes[at + 1] !== LINE_END) return undefined;
  const end = at + 2 + length;
  return bytes[end] === RETURN && bytes[end + 1] === LINE_END ? bytes.subarray(at + 2, end) : undefined;
}

/** The value of every byte that is a hexadecimal digit. */
const HEX = Int8Array.from({ length: 256 }, (_, byte) => {
  const digit = Number.parseInt(String.fromCharCode(byte), 16);
  return Number.isNaN(digit) ? -1 : digit;
});

const LARGEST_LINE = 4096;

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
