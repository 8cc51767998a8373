import { brokenAnswer } from './broken.ts';
import { framingOf, readHead, type Head } from './head.ts';

export interface Receiver {
  head(head: Head): void;
  body(chunk: Buffer): void;
}

/**
 * Reads one HTTP/1.1 answer from bytes in whatever pieces they come. Chunks of the body are views of those pieces, so
 * nothing is copied. Ours because it stands under every token and every table read; a test holds it against Node's own.
 */
export interface ResponseParser {
  push(bytes: Buffer): void;
  /** The connection has ended, which also ends an answer without a stated length. */
  close(): void;
  hasEnded(): boolean;
  /** The connection may carry another exchange. */
  isReusable(): boolean;
}

/** Takes what it needs of the bytes and gives back the rest. */
type Step = (bytes: Buffer) => Buffer;

const LARGEST_HEAD = 64 * 1024;
const LARGEST_LINE = 4096;
const LINE_END = 10;
const NOTHING: Buffer = Buffer.alloc(0);
const CHUNK_SIZE = /^([0-9a-f]{1,8})[ \t]*(?:;.*)?$/i;

export function createResponseParser(method: string, receiver: Receiver): ResponseParser {
  let held: Buffer = NOTHING;
  let left = 0;
  let isKeptAlive = false;

  /** Joins what a piece ended in the middle of with what comes now. */
  const withHeld = (bytes: Buffer) => {
    const joined = held.length === 0 ? bytes : Buffer.concat([held, bytes]);
    held = NOTHING;
    return joined;
  };
  const hold = (bytes: Buffer, limit: number) => {
    if (bytes.length > limit) throw brokenAnswer('its head is too long');
    held = bytes;
    return NOTHING;
  };
  const line =
    (read: (text: string) => void): Step =>
    (bytes) => {
      const known = withHeld(bytes);
      const end = known.indexOf(LINE_END);
      if (end === -1) return hold(known, LARGEST_LINE);
      read(known.toString('latin1', 0, known[end - 1] === 13 ? end - 1 : end));
      return known.subarray(end + 1);
    };
  const data =
    (after: () => void): Step =>
    (bytes) => {
      const part = bytes.length <= left ? bytes : bytes.subarray(0, left);
      left -= part.length;
      receiver.body(part);
      if (left === 0) after();
      return bytes.subarray(part.length);
    };

  const ended: Step = () => {
    throw brokenAnswer('more came after its end');
  };
  const finish = () => void (step = ended);
  const wholeBody = data(finish);
  const untilClose: Step = (bytes) => {
    receiver.body(bytes);
    return NOTHING;
  };
  const trailer = line((text) => (text === '' ? finish() : undefined));
  const chunkEnd = line((text) => {
    if (text !== '') throw brokenAnswer('a chunk is longer than it said');
    step = chunkSize;
  });
  const chunkData = data(() => void (step = chunkEnd));
  const chunkSize = line((text) => {
    const size = CHUNK_SIZE.exec(text)?.[1];
    if (size === undefined) throw brokenAnswer('a chunk has no size');
    left = Number.parseInt(size, 16);
    step = left === 0 ? trailer : chunkData;
  });

  const head: Step = (bytes) => {
    const known = withHeld(bytes);
    const end = endOfHead(known);
    if (end === -1) return hold(known, LARGEST_HEAD);
    const read = readHead(known.toString('latin1', 0, end));
    if (read.status === 101) throw brokenAnswer('it changes to another protocol');
    if (read.status >= 200) begin(read);
    return known.subarray(end);
  };
  const begin = (read: Head) => {
    const framing = framingOf(method, read);
    isKeptAlive = read.isKeptAlive && framing.kind !== 'untilClose';
    if (framing.kind === 'length') left = framing.length;
    step = { none: ended, length: wholeBody, chunked: chunkSize, untilClose }[framing.kind];
    receiver.head(read);
  };

  let step: Step = head;
  return {
    push(bytes) {
      for (let rest = bytes; rest.length > 0;) rest = step(rest);
    },
    close() {
      if (step === untilClose) finish();
    },
    hasEnded: () => step === ended,
    isReusable: () => isKeptAlive,
  };
}

/** Where the empty line is over; simple servers end their lines without a carriage return. */
function endOfHead(bytes: Buffer): number {
  const proper = bytes.indexOf('\r\n\r\n');
  if (proper !== -1) return proper + 4;
  const simple = bytes.indexOf('\n\n');
  return simple === -1 ? -1 : simple + 2;
}
