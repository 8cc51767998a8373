import http from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A model server that costs next to nothing, in a process of its own: `t200d5` says 200 tokens, 5 ms apart. Frames are
 * encoded once, so what the bench measures is the way to here and back.
 */
const WORDS = 'the quick brown fox jumps over a lazy dog while tokens stream past '.split(/(?<= )/);

const frame = (model: string, delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: 1_700_000_000, model, system_fingerprint: 'fp_bench', choices: [{ index: 0, delta, logprobs: null, finish_reason }] })}\n\n`;

interface Reply {
  readonly frames: readonly Buffer[];
  readonly delay: number;
}

const replies = new Map<string, Reply>();

function replyOf(model: string): Reply {
  const known = replies.get(model);
  if (known) return known;
  const [, tokens = '20', delay = '0'] = /^t(\d+)d(\d+)$/.exec(model) ?? [];
  const said = Array.from({ length: Number(tokens) }, (_, i) => frame(model, { content: WORDS[i % WORDS.length] }));
  const frames = [frame(model, { role: 'assistant', content: '' }) + said[0], ...said.slice(1)];
  const last = `${frame(model, {}, 'stop')}data: [DONE]\n\n`;
  const reply = { frames: [...frames, last].map((text) => Buffer.from(text)), delay: Number(delay) };
  replies.set(model, reply);
  return reply;
}

function stream(response: http.ServerResponse, { frames, delay }: Reply) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  let at = 0;
  const next = () => {
    if (response.destroyed) return;
    response.write(frames[at++]);
    if (at === frames.length) return void response.end();
    if (delay > 0) setTimeout(next, delay);
    else setImmediate(next);
  };
  next();
}

const LIST = JSON.stringify({
  object: 'list',
  data: ['t20d5', 't200d5', 't200d0'].map((id) => ({ id, object: 'model' })),
});

const server = http.createServer({ noDelay: true, keepAliveTimeout: 60_000 }, (request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (request.method === 'GET') return void response.end(LIST);
    const { model } = JSON.parse(Buffer.concat(chunks).toString()) as { model: string };
    return stream(response, replyOf(model));
  });
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
