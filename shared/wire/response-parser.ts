import { brokenAnswer } from './broken.ts';
import { createBody, type Step } from './body.ts';
import { framingOf, readHead, type Head, type KeepAlive } from './head.ts';

export interface Receiver {
  head(head: Head): void;
  body(chunk: Buffer): void;
}

/**
 * Reads one HTTP/1.1 answer from bytes in whatever pieces they come. Ours because it stands under every token and every
 * table read; a test holds it against Node's own.
 */
export interface ResponseParser {
  push(bytes: Buffer): void;
  /** The connection has ended, which also ends an answer without a stated length. */
  close(): void;
  hasEnded(): boolean;
  /** The connection may carry another exchange. */
  isReusable(): boolean;
  /** How long the other side keeps a quiet connection open, if it says. */
  keptMs(): number | undefined;
}

const LARGEST_HEAD = 64 * 1024;
const NOTHING: Buffer = Buffer.alloc(0);

export function createResponseParser(method: string, receiver: Receiver): ResponseParser {
  let held: Buffer = NOTHING;
  let hasEnded = false;
  let keepAlive: KeepAlive = { isKept: false };
  let lastsUntilClose = false;

  const end = () => void (hasEnded = true);
  const begin = (head: Head) => {
    const framing = framingOf(method, head);
    lastsUntilClose = framing.kind === 'untilClose';
    keepAlive = lastsUntilClose ? { isKept: false } : head.keepAlive;
    step = createBody(framing, { chunk: (chunk) => receiver.body(chunk), end });
    receiver.head(head);
  };
  const readingHead: Step = (bytes) => {
    const known = held.length === 0 ? bytes : Buffer.concat([held, bytes]);
    const size = endOfHead(known);
    if (size === -1 && known.length > LARGEST_HEAD) throw brokenAnswer('its head is too long');
    held = size === -1 ? known : NOTHING;
    if (size === -1) return NOTHING;
    const head = readHead(known.toString('latin1', 0, size));
    if (head.status === 101) throw brokenAnswer('it changes to another protocol');
    // Interim answers say nothing about the answer itself.
    if (head.status >= 200) begin(head);
    return known.subarray(size);
  };

  let step = readingHead;
  return {
    push(bytes) {
      for (let rest = bytes; rest.length > 0; rest = step(rest))
        if (hasEnded) throw brokenAnswer('more came after its end');
    },
    close() {
      if (lastsUntilClose) end();
    },
    hasEnded: () => hasEnded,
    isReusable: () => keepAlive.isKept,
    keptMs: () => keepAlive.forMs,
  };
}

/** Where the empty line is over; simple servers end their lines without a carriage return. */
function endOfHead(bytes: Buffer): number {
  const proper = bytes.indexOf('\r\n\r\n');
  if (proper !== -1) return proper + 4;
  const simple = bytes.indexOf('\n\n');
  return simple === -1 ? -1 : simple + 2;
}
