import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { AwsFault } from './fault.ts';
import type { AwsAnswer } from './dispatch.ts';
import type { AwsCall } from './wire.ts';

/** SES takes 40 MB of mail; in base64 inside JSON nothing else comes near. */
const MAX_BODY = 60 * 1024 * 1024;
const GRACE = 2000;

export interface LoopbackServer {
  readonly endpoint: string;
  serve(handle: (call: AwsCall) => Promise<AwsAnswer>, accessKeyId: string | undefined): void;
  stop(): Promise<void>;
}

/** Nothing here checks signatures, so it listens where only this machine can reach it. */
export async function listenOnLoopback(host: string, port: number): Promise<LoopbackServer> {
  if (!isLoopback(host))
    throw new Error(`The local AWS host serves this machine only; ${host} is not a loopback address`);
  const server = createServer({ keepAliveTimeout: 65_000 });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  const address = server.address();
  const bound = typeof address === 'object' && address ? address.port : port;
  const stopping = new AbortController();
  const active = new Set<Promise<void>>();
  return {
    endpoint: `http://${isIPv6(host) ? `[${host}]` : host}:${bound}`,
    serve: (handle, accessKeyId) =>
      server.on('request', (request, response) => {
        const exchange = { request, response, stopping: stopping.signal, handle, accessKeyId };
        // Only a caller that hung up in the middle of its request gets here.
        const work = answer(exchange).catch(() => void response.destroy());
        active.add(work);
        void work.then(() => active.delete(work));
      }),
    stop: () => stop(server, stopping, active),
  };
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly stopping: AbortSignal;
  readonly handle: (call: AwsCall) => Promise<AwsAnswer>;
  readonly accessKeyId: string | undefined;
}

async function answer({ request, response, stopping, handle, accessKeyId }: Exchange): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  response.setHeader('x-amzn-requestid', randomUUID());
  const credential = /^AWS4-HMAC-SHA256 Credential=([^/,]+)\//.exec(request.headers.authorization ?? '')?.[1];
  // A browser cannot send this header to us, so no web page can reach the host through the user's machine.
  if (!credential)
    return refuse(response, new AwsFault('MissingAuthenticationTokenException', 'The request is not signed.', 403));
  if (accessKeyId !== undefined && credential !== accessKeyId)
    return refuse(
      response,
      new AwsFault('UnrecognizedClientException', 'The access key is unknown to this host.', 403),
    );
  const body = await readBody(request);
  if (!body) return refuse(response, new AwsFault('RequestEntityTooLargeException', 'The request is too large.', 413));
  const [path = '/', search] = (request.url ?? '/').split('?', 2);
  const signal = AbortSignal.any([gone.signal, stopping]);
  const query = new URLSearchParams(search);
  const result = await handle({ method: request.method ?? 'GET', path, query, headers: request.headers, body, signal });
  if (gone.signal.aborted) return;
  response.writeHead(result.status, result.headers);
  await new Promise<void>((resolve) => response.end(result.body, () => resolve()));
}

function refuse(response: ServerResponse, { status, code, message }: AwsFault) {
  response.writeHead(status, { 'content-type': 'application/json', 'x-amzn-errortype': code, connection: 'close' });
  response.end(JSON.stringify({ __type: code, message }));
}

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY) return undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > MAX_BODY) return undefined;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

async function stop(server: Server, stopping: AbortController, active: ReadonlySet<Promise<void>>) {
  const closed = new Promise((resolve) => server.close(resolve));
  stopping.abort();
  await Promise.race([Promise.all(active), setTimeout(GRACE, undefined, { ref: false })]);
  server.closeAllConnections();
  await closed;
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

const isLoopback = (host: string) =>
  host === 'localhost' || (isIP(host) !== 0 && loopback.check(host, isIPv6(host) ? 'ipv6' : 'ipv4'));
