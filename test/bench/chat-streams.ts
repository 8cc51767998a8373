import { readdirSync, readFileSync } from 'node:fs';
import http from 'node:http';
import { median, quantile } from './load.ts';

/** Somebody who answers streamed chat completions. */
export interface StreamTarget {
  readonly name: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whose processor time counts, its children included. */
  readonly pid?: number;
}

export interface Block {
  /** Milliseconds to the first token, median and 99th percentile. */
  readonly first: number;
  readonly first99: number;
  readonly tokensPerSecond: number;
  /** Milliseconds of processor time for one reply. */
  readonly cpu: number | undefined;
}

export interface StreamLoad {
  readonly model: string;
  readonly tokens: number;
  readonly requests: number;
  readonly concurrency: number;
  readonly rounds: number;
}

/** Every round runs one block of every target, so that a slow minute of the machine hits all of them. */
export async function compareStreams(
  targets: readonly StreamTarget[],
  load: StreamLoad,
): Promise<Map<string, Block[]>> {
  const blocks = new Map(targets.map(({ name }) => [name, [] as Block[]]));
  for (const target of targets) await runBlock(target, { ...load, requests: Math.max(20, load.concurrency) });
  for (let round = 0; round < load.rounds; round += 1) {
    for (let i = 0; i < targets.length; i += 1) {
      const target = targets[(i + round) % targets.length];
      if (target) blocks.get(target.name)?.push(await runBlock(target, load));
    }
  }
  return blocks;
}

/** Differences and ratios are taken round by round; the median round is shown. */
export const paired = (own: readonly Block[], other: readonly Block[], of: (own: Block, other: Block) => number) =>
  median(own.flatMap((block, i) => (other[i] ? [of(block, other[i])] : [])));

async function runBlock(target: StreamTarget, load: StreamLoad): Promise<Block> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: load.concurrency });
  await Promise.all(Array.from({ length: load.concurrency }, () => ask(target, load, agent)));
  const before = cpuOf(target.pid);
  const times: number[] = [];
  let left = load.requests;
  const startedAt = performance.now();
  const loop = async () => {
    while (left-- > 0) times.push(await ask(target, load, agent));
  };
  await Promise.all(Array.from({ length: load.concurrency }, loop));
  const seconds = (performance.now() - startedAt) / 1000;
  const after = cpuOf(target.pid);
  agent.destroy();
  times.sort((a, b) => a - b);
  return {
    first: quantile(times, 0.5),
    first99: quantile(times, 0.99),
    tokensPerSecond: (load.tokens * load.requests) / seconds,
    cpu: before === undefined || after === undefined ? undefined : (after - before) / load.requests,
  };
}

const PROMPT = 'word '.repeat(80);

/** The time to the first token; the whole stream is read and must be complete. */
const ask = ({ name, url, headers }: StreamTarget, { model, tokens }: StreamLoad, agent: http.Agent) =>
  new Promise<number>((resolve, reject) => {
    const body = JSON.stringify({ model, messages: [{ role: 'user', content: PROMPT }], stream: true });
    const startedAt = performance.now();
    const sent = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers };
    const request = http.request(url, { method: 'POST', headers: sent, agent }, (response) => {
      let first = 0;
      let text = '';
      response.setEncoding('latin1');
      response.on('data', (chunk: string) => {
        text += chunk;
        if (first === 0 && text.includes('"content":"the ')) first = performance.now() - startedAt;
      });
      response.once('error', reject);
      response.once('end', () => {
        const said = text.split('"content":"').length - 1 - text.split('"content":""').length + 1;
        if (response.statusCode === 200 && said === tokens && text.includes('[DONE]')) resolve(first);
        else
          reject(
            new Error(
              `${name} answered ${response.statusCode} with ${said} of ${tokens} tokens: ${text.slice(0, 300)}`,
            ),
          );
      });
    });
    request.once('error', reject);
    request.end(body);
  });

/** Milliseconds on a processor so far, of a process, its threads and its children (Linux). */
function cpuOf(pid: number | undefined): number | undefined {
  if (pid === undefined) return undefined;
  try {
    return [pid, ...childrenOf(pid)].reduce((sum, one) => sum + nanosecondsOf(one), 0) / 1e6;
  } catch {
    return undefined;
  }
}

const nanosecondsOf = (pid: number) =>
  readdirSync(`/proc/${pid}/task`).reduce(
    (sum, task) => sum + Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]),
    0,
  );

function childrenOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  return children.flatMap((child) => [child, ...childrenOf(child)]);
}
