import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerChat, type ChatBody } from './model-server/chat.ts';
import { knobsOf } from './model-server/knobs.ts';
import type { Scripted } from './model-server/script.ts';
import {
  answerGenerate,
  answerRuntimeChat,
  embeddingsReply,
  embedReply,
  showReply,
  tagOf,
  type RuntimeBody,
} from './model-server/runtime.ts';
import { sendJson } from './model-server/send.ts';

/** A request as the server got it. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

export interface ModelServer {
  /** Base address of a local runtime. */
  readonly url: string;
  /** Base address of the compatible API. */
  readonly compatUrl: string;
  readonly received: Received[];
  /** How many connections are open. */
  connections(): Promise<number>;
  stop(): Promise<void>;
}

export interface ModelServerOptions {
  readonly models?: readonly string[];
  /** Refuses requests that do not carry it as a bearer token. */
  readonly key?: string;
  /** What the model says to this request instead of what its name makes it say. */
  readonly script?: (body: ChatBody) => Scripted | undefined;
  /** Called instead of listing models, to make a list that is slow or broken. */
  readonly onList?: (response: http.ServerResponse) => void;
}

/** A model server for tests that speaks both upstream formats; `model-server/knobs.ts` says how it can misbehave. */
export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const received: Received[] = [];
  const server = http.createServer({ noDelay: true }, (incoming, response) => {
    void handle(incoming, response, received, options);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    compatUrl: `${url}/v1`,
    received,
    connections: () => new Promise((resolve) => server.getConnections((_, count) => resolve(count))),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Answer = (response: http.ServerResponse, body: ChatBody & RuntimeBody, options: ModelServerOptions) => unknown;

const MODELS = ['echo', 'tool-user'];

const listCompat: Answer = (response, _, { models = MODELS, onList }) =>
  onList
    ? onList(response)
    : sendJson(response, 200, {
        object: 'list',
        data: models.map((id) => ({ id, object: 'model', created: 1_700_000_000, owned_by: 'test' })),
      });

const listTags: Answer = (response, _, { models = MODELS, onList }) =>
  onList ? onList(response) : sendJson(response, 200, { models: models.map(tagOf) });

const embeddings: Answer = (response, body) => sendJson(response, 200, embeddingsReply(body));

const ROUTES: Readonly<Record<string, Answer>> = {
  'GET /': (response) => response.end('The runtime is running'),
  'GET /api/version': (response) => sendJson(response, 200, { version: '0.12.3' }),
  'GET /api/tags': listTags,
  'GET /api/ps': (response, _, { models = MODELS }) =>
    sendJson(response, 200, { models: models.slice(0, 1).map(tagOf) }),
  'POST /api/show': (response) => sendJson(response, 200, showReply),
  'POST /api/chat': answerRuntimeChat,
  'POST /api/generate': answerGenerate,
  'POST /api/embed': (response, body) => sendJson(response, 200, embedReply(body)),
  'GET /v1/models': listCompat,
  'POST /v1/chat/completions': answerChat,
  'POST /v1/embeddings': embeddings,
};

async function handle(
  incoming: http.IncomingMessage,
  response: http.ServerResponse,
  received: Received[],
  options: ModelServerOptions,
) {
  const body = await readBody(incoming);
  const path = (incoming.url ?? '/').split('?')[0] ?? '/';
  const method = incoming.method ?? 'GET';
  received.push({ method, path, headers: incoming.headers, body });
  if (options.key !== undefined && incoming.headers.authorization !== `Bearer ${options.key}`)
    return sendJson(response, 401, {
      error: { message: 'Incorrect API key', type: 'invalid_request_error', code: 'invalid_api_key' },
    });
  const route = ROUTES[`${method} ${path}`];
  if (!route) return sendJson(response, 404, { error: { message: `There is no ${path}` } });
  const model = typeof body['model'] === 'string' ? body['model'] : '';
  if (misbehaves(response, model, path)) return undefined;
  return route(response, { ...body, model }, options);
}

/** Answers that do not depend on the format. */
function misbehaves(response: http.ServerResponse, model: string, path: string): boolean {
  const knobs = knobsOf(model);
  if (knobs.has('hang')) return true;
  const status = knobs.number('status');
  if (status === undefined) return false;
  if (status === 429) response.setHeader('retry-after', '7');
  if (knobs.has('html')) response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');
  else if (path.startsWith('/api/')) sendJson(response, status, { error: `asked for ${status}` });
  else sendJson(response, status, { error: { message: `asked for ${status}`, type: 'test_error', code: null } });
  return true;
}

async function readBody(incoming: http.IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
  try {
    return JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
  } catch {
    return {};
  }
}
