import { spawn, type ChildProcess } from 'node:child_process';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { call } from '../support/call.ts';
import { anOperator } from '../support/people.ts';

/** A model that calls what its last message lists as JSON, then says what came back. */
export const CALLING_MODEL = `export const plugin = definePlugin({ name: 'Caller', pipe(body) {
  const results = body.messages.filter(({ role }) => role === 'tool');
  const said = body.messages.findLast(({ role, content }) => role === 'user' && typeof content === 'string').content;
  if (said === 'list') return (body.tools ?? []).map((tool) => tool.function.name).join(' ');
  const wanted = JSON.parse(said);
  if (results.length >= (wanted.rounds ?? 1) * wanted.calls.length) return results.map(({ content }) => content).join(' | ');
  const tool_calls = wanted.calls.map(({ name, args }, index) => ({
    id: 'call_' + results.length + '_' + index, type: 'function', function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args ?? {}) },
  }));
  return { choices: [{ index: 0, message: { role: 'assistant', content: null, tool_calls }, finish_reason: 'tool_calls' }] };
} });`;

export interface Recorder {
  readonly url: string;
  readonly seen: {
    readonly method: string;
    readonly path: string;
    readonly headers: http.IncomingHttpHeaders;
    readonly body: string;
  }[];
  stop(): Promise<void>;
}

/** A server that remembers every request and answers by script, or passes it on. */
export async function aRecorder(
  answer: (request: Recorder['seen'][number]) => { status?: number; headers?: Record<string, string>; body: unknown },
  port = 0,
): Promise<Recorder> {
  return listen(async (_request, response, entry) => {
    const { status = 200, headers = {}, body } = answer(entry);
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  }, port);
}

export const aProxyTo = (port: number): Promise<Recorder> =>
  listen(async (request, response, { body }) => {
    const onward = http.request(
      { port, host: '127.0.0.1', path: request.url, method: request.method, headers: request.headers },
      (incoming) => {
        response.writeHead(incoming.statusCode ?? 502, incoming.headers);
        incoming.pipe(response);
      },
    );
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    onward.end(body);
  });

type Handle = (
  request: http.IncomingMessage,
  response: http.ServerResponse,
  entry: Recorder['seen'][number],
) => Promise<void>;

async function listen(handle: Handle, port = 0): Promise<Recorder> {
  const seen: Recorder['seen'] = [];
  const server = http.createServer((request, response) => {
    void (async () => {
      const chunks = await Array.fromAsync(request as AsyncIterable<Buffer>);
      const entry = {
        method: request.method ?? '',
        path: request.url ?? '/',
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      };
      seen.push(entry);
      await handle(request, response, entry);
    })();
  });
  const url = await started(server, port);
  return { url, seen, stop: () => stopped(server) };
}

export async function started(server: http.Server, port = 0): Promise<string> {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export async function stopped(server: http.Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

/** For programs that have to be told their port before they start. */
export async function freePort(): Promise<number> {
  const server = http.createServer();
  const url = await started(server);
  await stopped(server);
  return Number(new URL(url).port);
}

/** The official MCP test server, in a process of its own. */
export async function startEverything(): Promise<{ port: number; stop: () => Promise<void> }> {
  const port = await freePort();
  const entry = 'node_modules/@modelcontextprotocol/server-everything/dist/index.js';
  const child = spawn(process.execPath, [entry, 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: 'pipe',
  });
  await listening(child);
  return {
    port,
    async stop() {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await gone;
    },
  };
}

async function listening(child: ChildProcess) {
  let printed = '';
  child.stderr?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.stdout?.on('data', () => {});
  for (let waited = 0; waited < 30_000 && !printed.includes('listening'); waited += 50) await sleep(50);
  if (!printed.includes('listening')) throw new Error(`The MCP server did not start: ${printed}`);
}

/** Connects a tool server, as an operator does. */
export async function connect(
  input: Record<string, unknown> & { info: { id: string; name?: string; [field: string]: unknown } },
  url?: string,
) {
  const { token } = await anOperator();
  const { status, body } = await call(`PUT /api/v1/configs/tool_servers/${input.info.id}`, input, { token, url });
  expect(body).toMatchObject({ info: { id: input.info.id } });
  expect(status).toBe(200);
  return token;
}
