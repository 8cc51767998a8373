import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { startChatHost } from './chat-host.ts';
import { compareStreams, paired, type Block, type StreamTarget } from './chat-streams.ts';
import { measureTurns } from './chat-turns.ts';
import { median } from './load.ts';
import { round, table, type Section } from './report.ts';

const PORTKEY = 'node_modules/@portkey-ai/gateway/build/start-server.js';
const DIRECT = 'the model itself';
const PLAIN = 'plain node:http proxy';
const OURS = 'this gateway';
const LIMITED = 'this gateway, limited plan';
const OTHER = '@portkey-ai/gateway';

/** What the gateway adds to a streamed completion, with real credentials and real tables behind it. */
export const chat: Section = {
  name: 'chat',
  title: 'Chat: streamed completions through the gateway, and the cost of one more turn',
  async run() {
    const started: (() => Promise<unknown> | void)[] = [];
    try {
      const targets = await startTargets(started);
      return [NOTES, await firstTokens(targets), await throughput(targets), await measureTurns()].join('\n\n');
    } finally {
      for (const stop of started.toReversed()) await stop();
    }
  },
};

const NOTES = `Every request authenticates with an API key. Completions of a plan are counted, on a limited one only far from its limit
(near it each is reserved by a conditional write first). "Added" is the time to the first token beyond that of
the model itself, round by round. Processor time includes the table engine.`;

/** Tokens 5 ms apart, as a fast model sends them. */
async function firstTokens(targets: readonly StreamTarget[]): Promise<string> {
  const rows: (string | number)[][] = [];
  await compareStreams(targets, { model: 't20d5', tokens: 20, requests: 500, concurrency: 16, rounds: 1 }); // warm
  for (const [concurrency, requests] of [
    [1, 40],
    [16, 160],
    [64, 320],
  ] as const) {
    const blocks = await compareStreams(targets, { model: 't20d5', tokens: 20, requests, concurrency, rounds: 5 });
    const of = (name: string) => blocks.get(name) ?? [];
    const added = (own: readonly Block[]) => paired(own, of(DIRECT), (one, other) => one.first - other.first);
    for (const [name, own] of blocks) {
      const isCompared = name !== DIRECT && name !== PLAIN;
      rows.push([
        concurrency,
        name,
        round(median(own.map(({ first }) => first))),
        name === DIRECT ? '' : round(added(own)),
        isCompared ? round(added(own) / added(of(PLAIN))) : '',
        isCompared && of(OTHER).length > 0 ? round(added(own) / added(of(OTHER))) : '',
        ...costOf(own, of(OTHER)),
      ]);
    }
  }
  const head = [
    'Concurrency',
    'Target',
    'First token ms',
    'Added ms',
    'Added ÷ plain proxy',
    `Added ÷ ${OTHER}`,
    ...COST,
  ];
  return `### First token, 20 tokens 5 ms apart\n\n${table(head, rows)}`;
}

/** Long replies: as fast as they come, and at the pace of a model. */
async function throughput(targets: readonly StreamTarget[]): Promise<string> {
  const rows: (string | number)[][] = [];
  for (const { pace, ...load } of [
    { pace: 'none', model: 't200d0', requests: 160, concurrency: 16, rounds: 5 },
    { pace: '5 ms', model: 't200d5', requests: 48, concurrency: 16, rounds: 3 },
    { pace: '5 ms', model: 't200d5', requests: 192, concurrency: 64, rounds: 3 },
  ]) {
    const blocks = await compareStreams(targets, { ...load, tokens: 200 });
    const direct = blocks.get(DIRECT) ?? [];
    for (const [name, own] of blocks)
      rows.push([
        load.concurrency,
        pace,
        name,
        Math.round(median(own.map(({ tokensPerSecond }) => tokensPerSecond))),
        round(paired(own, direct, (one, other) => one.tokensPerSecond / other.tokensPerSecond)),
        ...costOf(own, blocks.get(OTHER) ?? []),
      ]);
  }
  const head = ['Concurrency', 'Pause', 'Target', 'Tokens/s', 'Tokens/s ÷ the model itself', ...COST];
  return `### Replies of 200 tokens\n\n${table(head, rows)}`;
}

const COST = ['CPU ms per reply', `CPU ÷ ${OTHER}`];

function costOf(own: readonly Block[], other: readonly Block[]): (string | number)[] {
  const cpu = own.flatMap((block) => block.cpu ?? []);
  if (cpu.length === 0) return ['', ''];
  const isComparable = other.length > 0 && other !== own;
  return [round(median(cpu)), isComparable ? round(paired(own, other, (a, b) => (a.cpu ?? 0) / (b.cpu ?? 1))) : ''];
}

async function startTargets(started: (() => Promise<unknown> | void)[]): Promise<StreamTarget[]> {
  const start = (child: ChildProcess) => {
    started.push(() => void child.kill());
    return child;
  };
  const model = start(spawn(process.execPath, ['test/bench/chat-model.ts'], PIPED));
  const upstream = `http://127.0.0.1:${await portOf(model)}`;
  const proxy = start(spawn(process.execPath, ['test/bench/chat-proxy.ts', upstream], PIPED));
  const host = await startChatHost({ COMPAT_API_BASE_URLS: `${upstream}/v1`, COMPAT_API_KEYS: 'bench' });
  started.push(() => host.stop());
  const ours = (name: string, key: string) => ({
    name,
    url: `${host.url}/api/chat/completions`,
    headers: { authorization: `Bearer ${key}` },
    pid: host.pid,
  });
  return [
    { name: DIRECT, url: `${upstream}/v1/chat/completions` },
    { name: PLAIN, url: `http://127.0.0.1:${await portOf(proxy)}/v1/chat/completions`, pid: proxy.pid },
    ours(OURS, host.keys.unlimited),
    ours(LIMITED, host.keys.limited),
    ...(existsSync(PORTKEY) ? [await startPortkey(upstream, start)] : []),
  ];
}

const PIPED = { stdio: ['ignore', 'pipe', 'inherit'] as ['ignore', 'pipe', 'inherit'] };

async function portOf(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('The process says nothing');
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  return port.toString().trim();
}

async function startPortkey(upstream: string, start: (child: ChildProcess) => ChildProcess): Promise<StreamTarget> {
  const port = await freePort();
  const env = { ...process.env, TRUSTED_CUSTOM_HOSTS: '127.0.0.1' };
  const args = [PORTKEY, `--port=${port}`, '--headless'];
  const child = start(spawn(process.execPath, args, { stdio: 'ignore', env }));
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; !(await fetch(url).catch(() => undefined)); tries += 1) {
    if (tries > 200) throw new Error(`${OTHER} does not start`);
    await sleep(100);
  }
  const headers = {
    authorization: 'Bearer sk-bench',
    'x-portkey-provider': 'openai',
    'x-portkey-custom-host': `${upstream}/v1`,
  };
  return { name: OTHER, url: `${url}/v1/chat/completions`, headers, pid: child.pid };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
