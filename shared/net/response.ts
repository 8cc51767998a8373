import { AppError } from '../errors.ts';
import type { Head, Headers } from '../wire/head.ts';
import { createBodyQueue, type BodyQueue, type Source } from './body-queue.ts';

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
  readonly body: Source;
}

export interface Arrival {
  readonly response: OutboundResponse;
  /** The side that the connection writes to. */
  readonly arriving: Pick<BodyQueue, 'chunk' | 'end' | 'fail'>;
}

export function createResponse({ head, url, body }: Received): Arrival {
  const queue = createBodyQueue(body);
  const bytes = (limit: number) => collect(queue, limit);
  return {
    arriving: queue,
    response: {
      status: head.status,
      headers: head.headers,
      url,
      pump: (onChunk) => queue.pump(onChunk),
      bytes,
      text: async (limit) => (await bytes(limit)).toString('utf8'),
      json: async (limit) => parseJson(await bytes(limit)),
      close: () => body.destroy(),
    },
  };
}

async function collect({ pump }: Pick<BodyQueue, 'pump'>, limit: number) {
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
