import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { configureLog } from '../../shared/log.ts';
import { toHttpHandler } from '../../shared/http/lambda.ts';
import { toNodeListener } from '../../shared/http/node.ts';
import { finished, serve } from './sample-api.ts';

/** One suite, three doors: whatever a host does, a client must see the same. */
interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: Uint8Array<ArrayBuffer> | string;
}
interface Seen {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly cookies: string[];
  readonly body: Buffer;
}
type Door = (sent: Sent) => Promise<Seen>;

configureLog({ write: () => {} });

const eventOf = ({ method, path, headers = {}, body }: Sent): APIGatewayProxyEventV2 => {
  const [rawPath = '/', rawQueryString = ''] = path.split('?');
  const bytes = body === undefined ? undefined : Buffer.from(body);
  const given = { ...headers, ...(bytes && { 'content-length': String(bytes.length) }) };
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath,
    rawQueryString,
    headers: given,
    isBase64Encoded: true,
    body: bytes?.toString('base64'),
    requestContext: {
      domainName: 'example.test',
      http: { method, path: rawPath, sourceIp: '192.0.2.1', protocol: 'HTTP/1.1', userAgent: '' },
    } as APIGatewayProxyEventV2['requestContext'],
  };
};

const context = { awsRequestId: 'lambda-1' } as Context;

const buffered: Door = async (sent) => {
  const result = (await toHttpHandler(serve, 'origin-secret')(eventOf(sent), context)) as {
    statusCode: number;
    headers: Record<string, string>;
    cookies?: string[];
    body?: string;
    isBase64Encoded?: boolean;
  };
  return {
    status: result.statusCode,
    headers: result.headers,
    cookies: result.cookies ?? [],
    body: Buffer.from(result.body ?? '', result.isBase64Encoded ? 'base64' : 'utf8'),
  };
};

/** The Lambda runtime's streaming global, as far as the runtime documents it. */
const runtime = {
  streamifyResponse: (run: unknown) => run,
  HttpResponseStream: {
    from(stream: PassThrough, head: object) {
      stream.emit('head', head);
      return stream;
    },
  },
};

const streaming: Door = async (sent) => {
  Object.assign(globalThis, { awslambda: runtime });
  const { toStreamHandler } = await import('../../shared/http/lambda.ts');
  const handler = toStreamHandler(serve, 'origin-secret') as unknown as (
    event: object,
    stream: PassThrough,
    context: Context,
  ) => Promise<void>;
  const out = new PassThrough();
  const chunks: Buffer[] = [];
  let head = { statusCode: 0, headers: {}, cookies: [] as string[] };
  out.on('head', (given: typeof head) => (head = given));
  out.on('data', (chunk: Buffer) => chunks.push(chunk));
  await handler(eventOf({ ...sent, headers: { 'x-origin-secret': 'origin-secret', ...sent.headers } }), out, context);
  return { status: head.statusCode, headers: head.headers, cookies: head.cookies, body: Buffer.concat(chunks) };
};

let server: http.Server;
const overSocket: Door = async ({ path, ...init }) => {
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    cookies: response.headers.getSetCookie(),
    body: Buffer.from(await response.arrayBuffer()),
  };
};

beforeAll(async () => {
  server = http.createServer(toNodeListener({ serve }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => void server.close());

const json = (seen: Seen) => JSON.parse(seen.body.toString());
const JSON_TYPE = { 'content-type': 'application/json' };

describe.each([
  ['HTTP API event', buffered],
  ['function URL stream', streaming],
  ['node:http', overSocket],
] as const)('%s', (_name, door) => {
  test('a query and a path parameter reach the handler', async () => {
    expect(json(await door({ method: 'GET', path: '/things/a%20b?deep=true' }))).toEqual({ id: 'a b', deep: true });
  });

  test('a JSON body is parsed and answered with the declared status', async () => {
    const seen = await door({
      method: 'POST',
      path: '/things',
      headers: JSON_TYPE,
      body: '{"name":"grüß","unknown":1}',
    });
    expect([seen.status, json(seen)]).toEqual([201, { name: 'grüß' }]);
  });

  test('all problems of a body come at once, in the documented shape', async () => {
    const seen = await door({ method: 'POST', path: '/things', headers: JSON_TYPE, body: '{"size":"x","tags":[{}]}' });
    expect(seen.status).toBe(422);
    expect(json(seen).detail).toEqual([
      { type: 'missing', loc: ['body', 'name'], msg: 'Field required' },
      expect.objectContaining({ type: 'invalid_type', loc: ['body', 'size'] }),
      { type: 'missing', loc: ['body', 'tags', 0, 'id'], msg: 'Field required' },
    ]);
    expect(json(seen).error).toMatchObject({ code: 'validation_failed', request_id: seen.headers['x-request-id'] });
  });

  test('broken JSON is 422 with its position, a missing body names the field', async () => {
    const broken = await door({ method: 'POST', path: '/things', headers: JSON_TYPE, body: '{"name": nope}' });
    expect([broken.status, json(broken).detail[0].type, json(broken).detail[0].loc[0]]).toEqual([
      422,
      'json_invalid',
      'body',
    ]);
    expect((await door({ method: 'POST', path: '/things', headers: JSON_TYPE, body: '' })).status).toBe(422);
  });

  test('forms, uploads and raw bytes arrive byte for byte', async () => {
    const form = await door({
      method: 'POST',
      path: '/form',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'token=a%2Bb',
    });
    expect(json(form)).toEqual({ token: 'a+b' });
    const multipart = new Response(
      (() => {
        const data = new FormData();
        data.set('file', new File([new Uint8Array([0, 255, 195, 40])], 'ü.bin'));
        data.set('note', 'n');
        return data;
      })(),
    );
    const type = multipart.headers.get('content-type') ?? '';
    const upload = await door({
      method: 'POST',
      path: '/upload',
      headers: { 'content-type': type },
      body: new Uint8Array(await multipart.arrayBuffer()),
    });
    expect(json(upload)).toEqual({ name: 'ü.bin', hex: '00ffc328', note: 'n' });
    const bytes = await door({
      method: 'PUT',
      path: '/bytes',
      headers: { 'content-type': 'application/octet-stream' },
      body: new Uint8Array([0, 255, 195, 40]),
    });
    expect(json(bytes)).toEqual({ hex: '00ffc328' });
  });

  test('binary answers, several cookies and empty answers leave unharmed', async () => {
    expect((await door({ method: 'GET', path: '/picture' })).body).toEqual(Buffer.from([0, 255, 128]));
    expect((await door({ method: 'POST', path: '/cookies' })).cookies).toEqual(['a=1', 'b=2; Path=/']);
    const gone = await door({ method: 'DELETE', path: '/things/1' });
    expect([gone.status, gone.body.length]).toEqual([204, 0]);
  });

  test('unknown paths, wrong methods and HEAD are answered properly', async () => {
    const unknown = await door({ method: 'GET', path: '/nope' });
    expect([unknown.status, json(unknown).detail, json(unknown).error.code]).toEqual([404, 'Not Found', 'not_found']);
    const wrong = await door({ method: 'PUT', path: '/things' });
    expect([wrong.status, wrong.headers['allow']]).toEqual([405, 'POST, OPTIONS']);
    const head = await door({ method: 'HEAD', path: '/things/1' });
    expect(head.status).toBe(200);
  });

  test('a known failure keeps its code and facts, an unknown one tells nothing', async () => {
    const known = await door({ method: 'GET', path: '/refuse' });
    expect([known.status, json(known)]).toMatchObject([
      409,
      { detail: 'Already there', error: { code: 'conflict', id: 7 } },
    ]);
    const unknown = await door({ method: 'GET', path: '/crash' });
    expect([unknown.status, json(unknown).error.code]).toEqual([500, 'internal']);
    expect(unknown.body.toString()).not.toContain('hunter2');
  });

  test('a field outside the contract never leaves', async () => {
    expect(json(await door({ method: 'GET', path: '/leak' }))).toEqual({ id: '1' });
  });

  test('server-sent events and lines are framed as clients expect', async () => {
    const events = await door({ method: 'GET', path: '/events' });
    expect(events.headers['content-type']).toContain('text/event-stream');
    expect(events.body.toString()).toBe(
      'id: 1\nevent: greeting\ndata: {"text":"grüß\\ndich"}\n\ndata: line one\ndata: line two\n\ndata: [DONE]\n\n',
    );
    expect((await door({ method: 'GET', path: '/lines' })).body.toString()).toBe('{"n":0}\n{"n":1}\n{"n":2}\n');
  });

  test('work handed to waitUntil is finished', async () => {
    const before = finished.length;
    expect((await door({ method: 'POST', path: '/later' })).status).toBe(202);
    await expect.poll(() => finished.length).toBe(before + 1);
  });

  test('a preflight says what a browser may send', async () => {
    const headers = {
      origin: 'https://app.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    };
    const seen = await door({ method: 'OPTIONS', path: '/things', headers });
    expect([
      seen.status,
      seen.headers['access-control-allow-origin'],
      seen.headers['access-control-allow-headers'],
    ]).toEqual([204, '*', 'authorization']);
  });

  test('a body over the limit is 413 before anything reads it', async () => {
    const seen = await door({ method: 'POST', path: '/things', headers: JSON_TYPE, body: 'x'.repeat(7 * 1024 * 1024) });
    expect([seen.status, json(seen).error.code]).toEqual([413, 'payload_too_large']);
  });
});

test('a streaming function refuses callers that do not come through the distribution', async () => {
  expect((await streaming({ method: 'GET', path: '/events', headers: { 'x-origin-secret': 'guess' } })).status).toBe(
    403,
  );
});

test('a client that goes away aborts the sink and never throws into the handler', async () => {
  const { createApi } = await import('../../shared/http/api.ts');
  const { createServe } = await import('../../shared/http/serve.ts');
  const { eventStream } = await import('../../shared/http/streamed.ts');
  let outcome = 'running';
  const endless = createApi(
    { endless: { method: 'GET', path: '/endless', auth: 'open', summary: 'endless', transport: 'stream' } },
    {
      endless: () =>
        eventStream(async (events) => {
          while (!events.gone.aborted) {
            await events.send({ data: 'x'.repeat(10_000) });
            await new Promise((resolve) => setTimeout(resolve, 1));
          }
          outcome = 'told';
        }),
    },
    () => Promise.resolve(undefined),
  );
  const own = http.createServer(toNodeListener({ serve: createServe(endless) }));
  await new Promise<void>((resolve) => own.listen(0, '127.0.0.1', resolve));
  const abort = new AbortController();
  const response = await fetch(`http://127.0.0.1:${(own.address() as AddressInfo).port}/endless`, {
    signal: abort.signal,
  });
  await response.body?.getReader().read();
  abort.abort();
  await expect.poll(() => outcome).toBe('told');
  own.close();
});

test.each([
  ['an absolute target', 'GET http://example.test/things/7 HTTP/1.1\r\nHost: example.test\r\n\r\n', 200],
  ['a host that cannot be one', 'GET /things/7 HTTP/1.1\r\nHost: a b\r\n\r\n', 400],
  ['a target that cannot be one', 'GET http:// HTTP/1.1\r\nHost: x\r\n\r\n', 400],
])('%s is answered, not dropped', async (_title, raw, status) => {
  const socket = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.end(raw);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  socket.destroy();
});
