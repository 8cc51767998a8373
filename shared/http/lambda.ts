import { PassThrough } from 'node:stream';
import { timingSafeEqual } from 'node:crypto';
import middy from '@middy/core';
import { executionModeStreamifyResponse } from '@middy/core/StreamifyResponse';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { lambdaOnion } from '../lambda/onion.ts';
import { newRequestId } from '../ids.ts';
import { log } from '../log.ts';
import { clientAddress } from './client-address.ts';
import { receivedRequest } from './request.ts';
import type { Serve } from './serve.ts';
import { StreamedResponse, type Answered, type Sink } from './streamed.ts';

type HttpEvent = APIGatewayProxyEventV2;

/** Buffered answers behind the HTTP API. Work left over by the request is finished before the answer leaves. */
export const toHttpHandler = (serve: Serve, originSecret: string) =>
  middy<HttpEvent, APIGatewayProxyStructuredResultV2>()
    .use(lambdaOnion())
    .handler(async (event: HttpEvent, context: Context) => {
      const pending: Promise<unknown>[] = [];
      const response = await serve(
        toRequest(event),
        connectionOf(event, context, { pending, isDistributed: isFromOrigin(event, originSecret) }),
      );
      const result = await bufferedResult(response);
      await Promise.allSettled(pending);
      return result;
    });

/** Streamed answers behind a function URL. Only the distribution knows the origin secret, so nobody gets around it. */
export function toStreamHandler(serve: Serve, originSecret: string) {
  const pending: Promise<unknown>[] = [];
  const finishWork = async () => void (await Promise.allSettled(pending.splice(0)));
  return middy<HttpEvent, unknown>({ executionMode: executionModeStreamifyResponse, requestEnd: finishWork })
    .use(lambdaOnion())
    .handler(async (event: HttpEvent, context: Context) => {
      if (!isFromOrigin(event, originSecret)) return { statusCode: 403, headers: {}, body: '' };
      const response = await serve(toRequest(event), connectionOf(event, context, { pending, isDistributed: true }));
      return { ...head(response), body: bodyOf(response, pending) };
    });
}

interface Arrival {
  readonly pending: Promise<unknown>[];
  /** It came through our distribution, whose last word on the client's address can be believed. */
  readonly isDistributed: boolean;
}

const connectionOf = (event: HttpEvent, context: Context, { pending, isDistributed }: Arrival) => ({
  requestId: context.awsRequestId ?? newRequestId(),
  ip: clientAddress(event.requestContext.http.sourceIp, event.headers['x-forwarded-for'], isDistributed ? 1 : 0),
  waitUntil(work: Promise<unknown>) {
    pending.push(work.catch((error: unknown) => log.error('background work failed', { error })));
  },
});

export function toRequest(event: HttpEvent) {
  const query = event.rawQueryString ? `?${event.rawQueryString}` : '';
  const headers: Record<string, string | undefined> = {};
  for (const name in event.headers) headers[name.toLowerCase()] = event.headers[name];
  if (event.cookies?.length) headers['cookie'] = event.cookies.join('; ');
  const { method } = event.requestContext.http;
  // Bodies stay bytes until a schema asks for text: decoding here would destroy uploads.
  const body =
    event.body === undefined ? undefined : Buffer.from(event.body, event.isBase64Encoded ? 'base64' : 'utf8');
  const hasBody = body !== undefined && method !== 'GET' && method !== 'HEAD';
  if (hasBody) headers['content-length'] = String(body.length);
  const url = new URL(`https://${event.requestContext.domainName}${event.rawPath}${query}`);
  return receivedRequest({ method, url, headers, ...(hasBody && { bytes: new Uint8Array(body) }) });
}

function isFromOrigin(event: HttpEvent, secret: string) {
  const given = Buffer.from(event.headers['x-origin-secret'] ?? '');
  const expected = Buffer.from(secret);
  return secret !== '' && given.length === expected.length && timingSafeEqual(given, expected);
}

function head(response: Answered) {
  const headers: Record<string, string> = {};
  const cookies: string[] = [];
  response.headers.forEach((value, name) => {
    if (name === 'set-cookie') cookies.push(value);
    else headers[name] = value;
  });
  return { statusCode: response.status, headers, cookies };
}

async function bufferedResult(response: Answered): Promise<APIGatewayProxyStructuredResultV2> {
  const bytes =
    response instanceof StreamedResponse ? await collect(response) : Buffer.from(await response.arrayBuffer());
  const isText = /^(text\/|application\/(json|javascript|x-ndjson|xml)|image\/svg)/.test(
    response.headers.get('content-type') ?? '',
  );
  return { ...head(response), body: bytes.toString(isText ? 'utf8' : 'base64'), isBase64Encoded: !isText };
}

async function collect(response: StreamedResponse) {
  const chunks: Buffer[] = [];
  await response.produce({
    gone: new AbortController().signal,
    write: (chunk) => void chunks.push(Buffer.from(chunk)),
  });
  return Buffer.concat(chunks);
}

function bodyOf(response: Answered, pending: Promise<unknown>[]) {
  const through = new PassThrough();
  pending.push(fill(response, through));
  return through;
}

async function fill(response: Answered, through: PassThrough) {
  try {
    if (response instanceof StreamedResponse) await response.produce(throughSink(through));
    else through.write(Buffer.from(await response.arrayBuffer()));
    through.end();
  } catch (error) {
    log.error('stream failed', { error });
    through.destroy(error instanceof Error ? error : undefined);
  }
}

function throughSink(through: PassThrough): Sink {
  const gone = new AbortController();
  through.once('close', () => gone.abort());
  return {
    gone: gone.signal,
    write(chunk) {
      if (gone.signal.aborted || through.write(chunk)) return;
      return new Promise((resolve) => {
        through.once('drain', resolve);
        gone.signal.addEventListener('abort', () => resolve(), { once: true });
      });
    },
  };
}
