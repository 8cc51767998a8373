import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SeenRequest {
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests assert on whatever came
  readonly body: any;
}

export interface ScriptedAnswer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body: unknown;
}

/** A server on this machine that answers by script and remembers what it was asked. */
export interface TestServer {
  readonly url: string;
  readonly seen: SeenRequest[];
  stop(): Promise<void>;
}

export async function aServer(
  answer: (request: SeenRequest, nth: number) => ScriptedAnswer | Promise<ScriptedAnswer>,
): Promise<TestServer> {
  const seen: SeenRequest[] = [];
  const handle = async (request: http.IncomingMessage, response: http.ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const asked = { path: request.url ?? '/', headers: request.headers, body: parsed(text) };
    const nth = seen.push(asked);
    const { status = 200, headers = {}, body } = await answer(asked, nth);
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
  const server = http.createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

interface Call {
  readonly id: string;
  readonly name: string;
  readonly args: unknown;
}

/** An answer in the chat-completions format. */
export const completion = (content: string, calls: readonly Call[] = []): ScriptedAnswer => ({
  body: {
    id: 'cmpl-1',
    object: 'chat.completion',
    model: 'm-1',
    choices: [
      {
        index: 0,
        finish_reason: calls.length > 0 ? 'tool_calls' : 'stop',
        message: {
          role: 'assistant',
          content,
          ...(calls.length > 0 && {
            tool_calls: calls.map(({ id, name, args }) => ({
              id,
              type: 'function',
              function: { name, arguments: JSON.stringify(args) },
            })),
          }),
        },
      },
    ],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  },
});
