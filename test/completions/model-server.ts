import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CallerFormat } from '../../shared/llm/caller-format.ts';
import { CALLER_FORMATS } from '../../shared/llm/caller-formats.ts';
import { chatError, messagesError, runtimeError, type ModelError } from '../../shared/llm/model-error.ts';
import { replyEvents, type Reply } from '../../shared/llm/reply.ts';
import type { TurnEvent } from '../../shared/llm/turn-event.ts';

/** A model server that speaks all three upstream formats and behaves as badly as servers do. The model's name says how. */
export interface ModelServer {
  /** Base address of the chat-completions API. */
  readonly compat: string;
  /** Base address of the messages API. */
  readonly messages: string;
  /** Base address of the runtime. */
  readonly runtime: string;
  readonly seen: SeenRequest[];
  /** Requests for completions of this model. */
  asked(model: string): SeenRequest[];
  /** Lets every reply that waits after its first word go on. */
  release(): void;
  stop(): Promise<void>;
}

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  // oxlint-disable-next-line typescript/no-explicit-any -- tests assert on whatever was sent
  readonly body: any;
  /** The caller has hung up before the answer was complete. */
  isAbandoned: boolean;
}

const plain = (text: string): Reply => ({
  text,
  thinking: '',
  toolCalls: [],
  finish: 'stop',
  usage: { input: 7, output: 5 },
});

export const TEXT = 'Grüße 😀, "world"\n\nsecond \\ line';

const REPLIES: Readonly<Record<string, Reply>> = {
  plain: plain(TEXT),
  thinking: { ...plain('Four.'), thinking: 'Two and two.' },
  tools: {
    ...plain(''),
    toolCalls: [
      { id: 'call_a', name: 'weather', arguments: '{"city":"Zürich"}' },
      { id: 'call_b', name: 'now', arguments: '{}' },
    ],
    finish: 'tool_calls',
  },
  limited: { ...plain('Once upon'), finish: 'length' },
};

const FAILURE: ModelError = { status: 429, message: 'Too many tokens today', type: 'rate_limit_error' };

export const MODELS = [
  ...Object.keys(REPLIES),
  'awkward',
  'crlf',
  'endless',
  'held',
  'refuses',
  'unauthorized',
  'breaks',
  'cut',
  'whole',
  'title',
];

export async function startModelServer(): Promise<ModelServer> {
  const seen: SeenRequest[] = [];
  const waiting = new Set<() => void>();
  const hold = () => new Promise<void>((resolve) => void waiting.add(resolve));
  const server = createServer((request, response) => {
    void answer(request, response, { seen, hold }).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    compat: `${base}/v1`,
    messages: `${base}/anthropic/v1`,
    runtime: base,
    seen,
    asked: (model) => seen.filter(({ body, method }) => method === 'POST' && body?.model === model),
    release() {
      for (const resolve of waiting) resolve();
      waiting.clear();
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Stage {
  readonly seen: SeenRequest[];
  readonly hold: () => Promise<void>;
}

async function answer(request: IncomingMessage, response: ServerResponse, stage: Stage) {
  const text = await readAll(request);
  const path = request.url ?? '/';
  const seen: SeenRequest = {
    method: request.method ?? '',
    path,
    headers: request.headers,
    body: text === '' ? undefined : JSON.parse(text),
    isAbandoned: false,
  };
  stage.seen.push(seen);
  response.once('close', () => (seen.isAbandoned = !response.writableFinished));
  if (path === '/api/pull' || path === '/api/push') return sendProgress(response);
  const format = FORMATS[path];
  if (format) return speak(format, seen, response, stage.hold);
  const [status, body] = plainAnswer(seen);
  response.writeHead(status, { 'content-type': 'application/json' });
  return response.end(JSON.stringify(body));
}

interface Spoken {
  readonly format: CallerFormat;
  readonly error: (error: ModelError) => object;
  /** Whether it streams unless told otherwise. */
  readonly streams: boolean;
}

async function sendProgress(response: ServerResponse) {
  response.writeHead(200, { 'content-type': 'application/x-ndjson' });
  for (const completed of [0, 50, 100]) {
    response.write(`${JSON.stringify({ status: 'working', completed, total: 100 })}\n`);
    await nextTurn();
  }
  return response.end('{"status":"success"}\n');
}

const FORMATS: Readonly<Record<string, Spoken>> = {
  '/v1/chat/completions': { format: CALLER_FORMATS.chat, error: chatError, streams: false },
  '/anthropic/v1/messages': { format: CALLER_FORMATS.messages, error: messagesError, streams: false },
  '/api/chat': { format: CALLER_FORMATS.runtime, error: runtimeError, streams: true },
  '/api/generate': { format: CALLER_FORMATS.generate, error: runtimeError, streams: true },
};

async function speak(spoken: Spoken, { body, path }: SeenRequest, response: ServerResponse, hold: Stage['hold']) {
  const { model, stream = spoken.streams } = body as { model: string; stream?: boolean };
  const head = {
    id: 'upstream',
    model,
    created: 1_700_000_000,
    wantsUsage: path !== '/v1/chat/completions' || Boolean(body.stream_options?.include_usage),
  };
  if (model === 'refuses' || model === 'unauthorized') {
    const status = model === 'refuses' ? 429 : 401;
    response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '7' });
    return response.end(JSON.stringify(spoken.error({ ...FAILURE, status })));
  }
  const reply =
    REPLIES[model] ??
    plain(model === 'title' ? '{"title":"A fine title","tags":["one","Two"],"follow_ups":["Why?"]}' : TEXT);
  if (!stream || model === 'whole') {
    if (model === 'held') await hold();
    response.writeHead(200, { 'content-type': 'application/json' });
    return response.end(JSON.stringify(spoken.format.encodeReply(head, reply)));
  }
  response.writeHead(200, { 'content-type': spoken.format.contentType });
  const write = spoken.format.createWriter(head);
  const frames = [...inPieces(reply)].map(write).filter(Boolean);
  return sendFrames({ frames, model, response, hold, errorFrame: write({ type: 'error', error: FAILURE }) });
}

interface Sending {
  readonly frames: readonly string[];
  readonly model: string;
  readonly response: ServerResponse;
  readonly hold: Stage['hold'];
  readonly errorFrame: string;
}

async function sendFrames({ frames, model, response, hold, errorFrame }: Sending) {
  if (model === 'awkward') await sendInBits(Buffer.from(frames.join('').replace(/\n\n$/, '')), response);
  else if (model === 'crlf') await sendInBits(Buffer.from(frames.join('').replaceAll('\n', '\r\n')), response);
  else {
    const half = Math.ceil(frames.length / 2);
    for (const [at, frame] of frames.entries()) {
      if (at === half && model === 'breaks') return response.end(errorFrame);
      if (at === half && model === 'cut') return response.destroy();
      response.write(frame);
      if (model === 'held' && at === 2) await hold();
      if (model === 'endless') while (!response.destroyed) await pauseAfter(response, frames[2] ?? '');
      await nextTurn();
    }
  }
  return response.end();
}

const pauseAfter = async (response: ServerResponse, frame: string) => {
  response.write(frame);
  await new Promise((resolve) => setTimeout(resolve, 20));
};

/** Cuts through characters, lines and events; now and then several events come at once. */
async function sendInBits(bytes: Buffer, response: ServerResponse) {
  const sizes = [1, 2, 3, 5, 7, 11, 400];
  for (let at = 0, n = 0; at < bytes.length; n += 1) {
    const size = sizes[n % sizes.length] ?? 1;
    response.write(bytes.subarray(at, at + size));
    at += size;
    await nextTurn();
  }
}

function* inPieces(reply: Reply): Generator<TurnEvent> {
  for (const event of replyEvents(reply)) {
    if (event.type === 'text' || event.type === 'thinking') {
      for (const text of event.text.split(/(?<=\s)/)) yield { ...event, text };
    } else yield event;
  }
}

export const RUNTIME_MODELS = [
  'plain',
  'thinking',
  'tools',
  'awkward',
  'cut',
  'breaks',
  'held',
  'refuses',
  'local-only',
  'limited',
];

function plainAnswer({ method, path, body }: SeenRequest): [number, unknown] {
  switch (`${method} ${path}`) {
    case 'GET /v1/models':
    case 'GET /anthropic/v1/models':
      return [
        200,
        { object: 'list', data: MODELS.map((id) => ({ id, object: 'model', created: 1, owned_by: 'tests' })) },
      ];
    case 'GET /api/tags':
      return [
        200,
        {
          models: RUNTIME_MODELS.map((name) => ({
            name,
            model: name,
            size: 1,
            digest: 'd',
            details: { family: 'test' },
          })),
        },
      ];
    case 'GET /api/version':
      return [200, { version: '0.9.1' }];
    case 'GET /api/ps':
      return [200, { models: [{ name: 'plain', model: 'plain', expires_at: '2026-01-01T00:00:00Z' }] }];
    case 'POST /api/show':
      return [200, { modelfile: 'FROM x', details: { family: 'test' }, asked: body.model }];
    case 'POST /api/embed':
      return [200, { model: body.model, embeddings: [body.input].flat().map((_: unknown, i: number) => [i, 0.5]) }];
    case 'POST /api/embeddings':
      return [200, { embedding: [1, 2, 3] }];
    case 'POST /v1/embeddings':
      return [200, { object: 'list', model: body.model, data: [{ object: 'embedding', index: 0, embedding: [1, 2] }] }];
    case 'POST /v1/completions':
      return [
        200,
        {
          id: 'cmpl',
          object: 'text_completion',
          model: body.model,
          choices: [{ index: 0, text: 'and on', finish_reason: 'stop' }],
        },
      ];
    case 'POST /anthropic/v1/messages/count_tokens':
      return [200, { input_tokens: 42 }];
    case 'POST /api/copy':
    case 'DELETE /api/delete':
      return [200, null];
    case 'POST /api/create':
      return [400, { error: 'no such base model' }];
    default:
      return [404, { error: `nothing at ${path}` }];
  }
}

async function readAll(request: IncomingMessage) {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}
