import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { AppError } from '../errors.ts';
import { newRequestId } from '../ids.ts';
import { log } from '../log.ts';
import { clientAddress } from './client-address.ts';
import { failureResponse } from './failure.ts';
import { MAX_TEXT_BODY } from './parse.ts';
import type { Serve } from './serve.ts';
import { StreamedResponse, type Sink } from './streamed.ts';

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
  const connection = {
    requestId,
    ip: clientAddress(
      incoming.socket.remoteAddress ?? '',
      request.headers.get('x-forwarded-for'),
      options.trustedHops ?? 0,
    ),
    waitUntil: keep(options.background),
  };
  const response = await options.serve(request, connection);
  if (response instanceof StreamedResponse && request.method !== 'HEAD') await produceInto(response, outgoing);
  else await sendWhole(response, outgoing, { isHead: request.method === 'HEAD', requestId, ...options });
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
  const url = target.startsWith('/') ? `http://${headers.host ?? 'localhost'}${target}` : target;
  return URL.canParse(url) && /^https?:\/\//.test(url) ? url : undefined;
}

const malformed = (requestId: string) =>
  failureResponse(new AppError('invalid_request', 'The address of this request is malformed'), requestId);

async function toRequest(incoming: IncomingMessage, url: string) {
  const headers = new Headers();
  for (let i = 0; i < incoming.rawHeaders.length; i += 2) {
    headers.append(incoming.rawHeaders[i] ?? '', incoming.rawHeaders[i + 1] ?? '');
  }
  const method = incoming.method ?? 'GET';
  if (method === 'GET' || method === 'HEAD') return new Request(url, { method, headers });
  const { bytes, size } = await readBody(incoming);
  headers.set('content-length', String(size)); // the observed size: what the limit is checked against
  return new ReceivedRequest(url, { method, headers }, bytes);
}

/** The body is here already, so reading it needs no stream. */
class ReceivedRequest extends Request {
  readonly #bytes: Uint8Array<ArrayBuffer>;

  constructor(url: string, init: RequestInit, bytes = new Uint8Array(0)) {
    super(url, init);
    this.#bytes = bytes;
  }

  override text = async () => UTF8.decode(this.#bytes);
  override json = async () => JSON.parse(await this.text()) as unknown;
  override arrayBuffer = async () =>
    this.#bytes.buffer.slice(this.#bytes.byteOffset, this.#bytes.byteOffset + this.#bytes.byteLength);
  override formData = async () => new Response(this.#bytes, { headers: this.headers }).formData();
}

const UTF8 = new TextDecoder();

async function readBody(incoming: IncomingMessage) {
  const declared = Number(incoming.headers['content-length'] ?? 0);
  if (declared > MAX_TEXT_BODY) return { bytes: undefined, size: declared };
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_TEXT_BODY) return { bytes: undefined, size };
    chunks.push(chunk);
  }
  return { bytes: size === 0 ? undefined : new Uint8Array(Buffer.concat(chunks)), size };
}

interface WholeOptions {
  readonly isHead: boolean;
  readonly requestId: string;
  readonly maxAnswer?: number;
}

async function sendWhole(response: Response, outgoing: ServerResponse, { isHead, requestId, maxAnswer }: WholeOptions) {
  const bytes = response.body === null ? undefined : Buffer.from(await response.arrayBuffer());
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

function headerList(headers: Headers) {
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
  outgoing.flushHeaders();
  try {
    await response.produce(socketSink(outgoing, gone.signal));
    outgoing.end();
  } catch (error) {
    log.error('stream failed', { error });
    outgoing.destroy(); // the headers are out: a cut connection is the only honest signal left
  }
}

const socketSink = (outgoing: ServerResponse, gone: AbortSignal): Sink => ({
  gone,
  write(chunk) {
    if (gone.aborted || outgoing.write(chunk)) return;
    return new Promise((resolve) => {
      outgoing.once('drain', resolve);
      gone.addEventListener('abort', () => resolve(), { once: true });
    });
  },
});
