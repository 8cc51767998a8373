import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { AppError } from '../errors.ts';
import { newRequestId } from '../ids.ts';
import { log } from '../log.ts';
import { clientAddress } from './client-address.ts';
import { failureResponse } from './failure.ts';
import { chunkWriter, type ChunkWriter } from './chunk-writer.ts';
import { MAX_TEXT_BODY } from './parse.ts';
import { receivedRequest, type HttpRequest } from './request.ts';
import type { Serve } from './serve.ts';
import { StreamedResponse, type Answered, type Sink } from './streamed.ts';

export interface NodeOptions {
  readonly serve: Serve;
  /** The most a buffered answer may weigh: what a function cannot return in the cloud must fail here too. */
  readonly maxAnswer?: number;
  /** Proxies in front of this host whose X-Forwarded-For can be believed. */
  readonly trustedHops?: number;
  /** Work that outlives its request; the host waits for it before it stops. */
  readonly background?: Set<Promise<unknown>>;
}

/** The same core as in the cloud, behind a plain `node:http` server. */
export const toNodeListener =
  (options: NodeOptions): RequestListener =>
  (incoming, outgoing) => {
    handle(incoming, outgoing, options).catch((error: unknown) => {
      log.error('connection failed', { error });
      outgoing.destroy();
    });
  };

async function handle(incoming: IncomingMessage, outgoing: ServerResponse, options: NodeOptions) {
  const requestId = newRequestId();
  const url = addressOf(incoming);
  if (!url) return sendWhole(malformed(requestId), outgoing, { isHead: false, requestId });
  const request = await toRequest(incoming, url);
  const isHead = request.method === 'HEAD';
  const forwarded = request.headers.get('x-forwarded-for');
  const connection = {
    requestId,
    ip: clientAddress(incoming.socket.remoteAddress ?? '', forwarded, options.trustedHops ?? 0),
    waitUntil: keep(options.background),
  };
  const response = await options.serve(request, connection);
  if (response instanceof StreamedResponse && !isHead) await produceInto(response, outgoing);
  else await sendWhole(response, outgoing, { isHead, requestId, ...options });
  if (!incoming.complete) incoming.resume(); // an over-large body is drained so the client can read the answer
}

const keep = (background: Set<Promise<unknown>> | undefined) => (work: Promise<unknown>) => {
  const settled = work
    .catch((error: unknown) => log.error('background work failed', { error }))
    .finally(() => background?.delete(settled));
  background?.add(settled);
};

/** The full address, also when a client behind a proxy sends it as its target; nothing when it is not one. */
function addressOf({ url: target = '/', headers }: IncomingMessage) {
  const url = URL.parse(target.startsWith('/') ? `http://${headers.host ?? 'localhost'}${target}` : target);
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url : undefined;
}

const malformed = (requestId: string) =>
  failureResponse(new AppError('invalid_request', 'The address of this request is malformed'), requestId);

async function toRequest(incoming: IncomingMessage, url: URL): Promise<HttpRequest> {
  const { method = 'GET', headers } = incoming;
  if (method === 'GET' || method === 'HEAD') return receivedRequest({ method, url, headers });
  const { bytes, size } = await readBody(incoming);
  // The observed size: what the limit is checked against.
  const measured = { ...headers, 'content-length': String(size) };
  return receivedRequest({ method, url, headers: measured, ...(bytes && { bytes }) });
}

interface Body {
  /** Not there when the body is larger than any route takes. */
  readonly bytes: Uint8Array<ArrayBuffer> | undefined;
  readonly size: number;
}

/** By events: an iterator over the stream would cost more than the rest of reading a small body. */
const readBody = (incoming: IncomingMessage) =>
  new Promise<Body>((resolve, reject) => {
    const declared = Number(incoming.headers['content-length'] ?? 0);
    if (declared > MAX_TEXT_BODY) return resolve({ bytes: undefined, size: declared });
    const chunks: Buffer[] = [];
    let size = 0;
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_TEXT_BODY) return settle({ bytes: undefined, size });
      chunks.push(chunk);
    };
    const settle = (body: Body) => {
      incoming.off('data', take);
      incoming.pause();
      resolve(body);
    };
    incoming.on('data', take);
    incoming.once('end', () => resolve({ bytes: new Uint8Array(Buffer.concat(chunks)), size }));
    incoming.once('error', reject);
    incoming.once('close', () => {
      if (!incoming.complete) reject(new Error('The client has gone before its request was complete'));
    });
  });

interface WholeOptions {
  readonly isHead: boolean;
  readonly requestId: string;
  readonly maxAnswer?: number;
}

async function sendWhole(response: Answered, outgoing: ServerResponse, { isHead, requestId, maxAnswer }: WholeOptions) {
  const hasBytes = response instanceof Response && response.body !== null;
  const bytes = hasBytes ? Buffer.from(await response.arrayBuffer()) : undefined;
  if (bytes && maxAnswer !== undefined && bytes.length > maxAnswer) {
    const failure = new AppError(
      'upstream_failed',
      `The answer is larger than the ${maxAnswer} bytes a function may return`,
    );
    return sendWhole(failureResponse(failure, requestId), outgoing, { isHead, requestId });
  }
  outgoing.writeHead(response.status, headerList(response.headers));
  outgoing.end(isHead ? undefined : bytes);
}

function headerList(headers: Answered['headers']) {
  const list: string[] = [];
  headers.forEach((value, name) => list.push(name, value)); // set-cookie comes once per cookie
  return list;
}

/** Made once: an abort without a reason makes an exception with a stack every time. */
const GONE = new Error('The client has gone');

async function produceInto(response: StreamedResponse, outgoing: ServerResponse) {
  const gone = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) gone.abort(GONE);
  });
  outgoing.writeHead(response.status, headerList(response.headers));
  const writer = chunkWriter(outgoing);
  try {
    await response.produce(socketSink(writer, gone.signal));
    writer.end();
  } catch (error) {
    log.error('stream failed', { error });
    outgoing.destroy(); // the headers are out: a cut connection is the only honest signal left
  }
}

const socketSink = (writer: ChunkWriter, gone: AbortSignal): Sink => ({
  gone,
  write(chunk) {
    if (gone.aborted || writer.write(chunk)) return;
    return new Promise((resolve) => {
      writer.onceDrained(resolve);
      gone.addEventListener('abort', () => resolve(), { once: true });
    });
  },
});
