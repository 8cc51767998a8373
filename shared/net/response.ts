import { AppError } from '../errors.ts';
import type { Exchange } from '../wire/connection.ts';
import type { Head, Headers } from '../wire/head.ts';

/** An upstream's answer. Its body is read once: chunk by chunk, or whole up to a limit. */
export interface OutboundResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Where the answer came from, after redirects. */
  readonly url: string;
  /** Hands over each chunk as it arrives and waits for the promise it gets back; that is the back-pressure. */
  pump(onChunk: (chunk: Buffer) => Promise<void> | void): Promise<void>;
  bytes(limit: number): Promise<Buffer>;
  text(limit: number): Promise<string>;
  json(limit: number): Promise<unknown>;
  /** Gives up on the rest. */
  close(): void;
}

export interface Received {
  readonly head: Head;
  readonly url: string;
  readonly body: Pick<Exchange, 'pause' | 'resume' | 'destroy'>;
}

/** The side of an answer that the connection writes to. */
export interface Arriving {
  readonly response: OutboundResponse;
  chunk(chunk: Buffer): void;
  end(): void;
  fail(error: unknown): void;
}

export function createResponse({ head, url, body }: Received): Arriving {
  const queue = createQueue(body);
  const bytes = (limit: number) => collect(queue.pump, limit);
  return {
    ...queue,
    response: {
      status: head.status,
      headers: head.headers,
      url,
      pump: queue.pump,
      bytes,
      text: async (limit) => (await bytes(limit)).toString('utf8'),
      json: async (limit) => parseJson(await bytes(limit)),
      close: () => body.destroy(),
    },
  };
}

type OnChunk = (chunk: Buffer) => Promise<void> | void;
type Pump = (onChunk: OnChunk) => Promise<void>;
type End = { readonly error?: unknown };

/** More than this waits in the socket rather than here. */
const MOST_WAITING = 64 * 1024;

/**
 * What has arrived and nobody has taken. Once somebody pumps and keeps up, a chunk goes straight through: no iterator
 * and no stream stands between the socket and the consumer.
 */
function createQueue(body: Received['body']) {
  const waiting: Buffer[] = [];
  let size = 0;
  let end: End | undefined;
  let consumer: { readonly onChunk: OnChunk; readonly settle: (end: End) => void } | undefined;
  let isBusy = false;

  const fail = (error: unknown) => {
    end = { error };
    waiting.length = 0;
    body.destroy();
    consumer?.settle(end);
  };
  const give = (chunk: Buffer) => {
    try {
      const busy = consumer?.onChunk(chunk);
      if (!busy) return;
      isBusy = true;
      body.pause();
      busy.then(resume, fail);
    } catch (error) {
      fail(error);
    }
  };
  const flush = () => {
    while (consumer && !isBusy && waiting.length > 0) {
      const next = waiting.shift();
      size -= next?.length ?? 0;
      if (next) give(next);
    }
    if (end && waiting.length === 0 && !isBusy) consumer?.settle(end);
  };
  const resume = () => {
    isBusy = false;
    flush();
    if (!isBusy) body.resume();
  };
  return {
    chunk(chunk: Buffer) {
      if (consumer && !isBusy && waiting.length === 0) return give(chunk);
      waiting.push(chunk);
      size += chunk.length;
      if (size > MOST_WAITING) body.pause();
    },
    end() {
      end ??= {};
      flush();
    },
    fail(error: unknown) {
      end ??= { error };
      flush();
    },
    pump: (onChunk: OnChunk) =>
      new Promise<void>((resolve, reject) => {
        const settle = ({ error }: End) => (error === undefined ? resolve() : reject(error));
        consumer = { onChunk, settle };
        resume();
      }),
  };
}

async function collect(pump: Pump, limit: number) {
  const kept: Buffer[] = [];
  let size = 0;
  await pump((chunk) => {
    size += chunk.length;
    if (size > limit) throw tooLong(limit);
    kept.push(chunk);
  });
  return Buffer.concat(kept, size);
}

const tooLong = (limit: number) =>
  new AppError('upstream_failed', `The answer of the upstream is larger than ${Math.floor(limit / 1024)} KB`);

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (cause) {
    throw new AppError('upstream_failed', 'The answer of the upstream is not JSON', { cause });
  }
}
