import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { AppError } from '../errors.ts';
import { asUpstreamFailure } from './failure.ts';

/** An upstream's answer. Its body is read once: by chunk, or whole up to a limit. */
export interface OutboundResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Where the answer came from, after redirects. */
  readonly url: string;
  /** Hands over each chunk as it arrives and waits for the promise it gets back; that is the back-pressure. */
  pump(onChunk: (chunk: Buffer) => Promise<void> | void): Promise<void>;
  chunks(): AsyncGenerator<Buffer>;
  bytes(limit: number): Promise<Buffer>;
  text(limit: number): Promise<string>;
  json(limit: number): Promise<unknown>;
  /** Gives up on the rest. */
  close(): void;
}

export interface Received {
  readonly incoming: IncomingMessage;
  readonly url: string;
  /** Why the exchange was cut short from our side (time-out, abort), if it was. */
  readonly cutBy: () => unknown;
}

export function createResponse({ incoming, url, cutBy }: Received): OutboundResponse {
  let broken: unknown;
  // Listening from the start: the connection may break before anyone reads.
  incoming.on('error', (error) => (broken = error));
  const failure = () => cutBy() ?? asUpstreamFailure(broken ?? new Error('The answer was cut short'));
  const bytes = (limit: number) => collect(incoming, limit, failure);
  return {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers,
    url,
    pump: (onChunk) => pump(incoming, onChunk, failure),
    chunks: () => chunksOf(incoming, failure),
    bytes,
    text: async (limit) => (await bytes(limit)).toString('utf8'),
    json: async (limit) => parseJson(await bytes(limit)),
    close: () => void incoming.destroy(),
  };
}

type Failure = () => unknown;

/** Flowing mode: no iterator between the socket and the consumer, so a relayed chunk costs one call. */
const pump = (incoming: IncomingMessage, onChunk: (chunk: Buffer) => Promise<void> | void, failure: Failure) =>
  new Promise<void>((resolve, reject) => {
    const fail = (error: unknown) => {
      incoming.destroy();
      reject(error);
    };
    incoming.on('data', (chunk: Buffer) => {
      try {
        const busy = onChunk(chunk);
        if (!busy) return;
        incoming.pause();
        busy.then(() => void incoming.resume(), fail);
      } catch (error) {
        fail(error);
      }
    });
    incoming.once('end', resolve);
    if (incoming.destroyed) reject(failure());
    incoming.once('close', () => {
      if (!incoming.readableEnded) reject(failure());
    });
  });

async function* chunksOf(incoming: IncomingMessage, failure: Failure) {
  try {
    for await (const chunk of incoming as AsyncIterable<Buffer>) yield chunk;
  } catch {
    throw failure();
  }
}

async function collect(incoming: IncomingMessage, limit: number, failure: Failure) {
  const kept: Buffer[] = [];
  let size = 0;
  await pump(
    incoming,
    (chunk) => {
      size += chunk.length;
      if (size > limit) throw tooLong(limit);
      kept.push(chunk);
    },
    failure,
  );
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
