import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { startChatHost, type ChatHost } from './chat-host.ts';
import { compare, median, type Figures, type Target } from './load.ts';
import { attack, HOSTILE, uploadHostile, type Hostile } from './plugins-hostile.ts';
import { round, table, type Section } from './report.ts';

const ROUNDS = 5;
const ATTACKERS = 4;
const LOAD = { requests: 80, concurrency: 4, rounds: 1 };
const CALM = 'nothing else';
const KINDS = Object.keys(HOSTILE) as Hostile[];

/** What ordinary requests notice of plugins that do their worst in the same process. */
export const plugins: Section = {
  name: 'plugins',
  title: 'Plugins: ordinary requests beside hostile plugins',
  async run() {
    const model = spawn(process.execPath, ['test/bench/chat-model.ts'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [port] = (await once(model.stdout, 'data')) as [Buffer];
    const env = { COMPAT_API_BASE_URLS: `http://127.0.0.1:${port.toString().trim()}/v1`, COMPAT_API_KEYS: 'bench' };
    const host = await startChatHost(env);
    try {
      return report(await measure(host));
    } finally {
      await host.stop();
      model.kill();
    }
  },
};

interface Measured {
  /** By what runs beside, then by target: one entry for each round. */
  readonly figures: ReadonlyMap<string, ReadonlyMap<string, Figures[]>>;
  readonly answered: ReadonlyMap<string, ReadonlyMap<number, number>>;
}

/** Every round runs each attack once, so that a slow minute of the machine hits all of them. */
async function measure(host: ChatHost): Promise<Measured> {
  const ids = await uploadHostile(host.url);
  const targets = targetsOf(host);
  const figures = new Map([CALM, ...KINDS].map((name) => [name, new Map<string, Figures[]>()]));
  const answered = new Map<string, Map<number, number>>();
  const block = async (name: string) => {
    for (const one of await compare(targets, LOAD)) {
      const known = figures.get(name);
      known?.set(one.name, [...(known.get(one.name) ?? []), one]);
    }
  };
  for (let n = 0; n < ROUNDS; n += 1) {
    await block(CALM);
    for (const kind of KINDS) {
      const running = attack(host.url, { model: ids[kind], key: host.keys.unlimited, times: ATTACKERS });
      await sleep(200); // it is under way
      await block(kind);
      await running.stop();
      const seen = answered.get(kind) ?? new Map<number, number>();
      for (const [status, count] of running.answered) seen.set(status, (seen.get(status) ?? 0) + count);
      answered.set(kind, seen);
    }
  }
  return { figures, answered };
}

function targetsOf({ url, keys }: ChatHost): Target[] {
  const authorization = `Bearer ${keys.unlimited}`;
  const asked = { model: 't20d0', stream: true, messages: [{ role: 'user', content: 'word '.repeat(80) }] };
  return [
    { name: 'GET /api/version', url: `${url}/api/version` },
    { name: 'GET /api/auth/validate by key', url: `${url}/api/auth/validate`, headers: { authorization } },
    {
      name: 'streamed completion of 20 tokens',
      url: `${url}/api/chat/completions`,
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: () => JSON.stringify(asked),
    },
  ];
}

function report({ figures, answered }: Measured): string {
  const calm = figures.get(CALM) ?? new Map<string, Figures[]>();
  const rows = [...calm.keys()].flatMap((target) =>
    [...figures].map(([beside, of]) => {
      const own = of.get(target) ?? [];
      const ratio = (key: 'p50' | 'p99') =>
        round(median(own.flatMap((one, i) => one[key] / (calm.get(target)?.[i]?.[key] ?? Infinity))));
      const [p50, p99] = (['p50', 'p99'] as const).map((key) => round(median(own.map((one) => one[key]))));
      return [target, beside, p50 ?? 0, p99 ?? 0, ratio('p50'), ratio('p99')];
    }),
  );
  const head = ['Ordinary request', 'Beside', 'p50 ms', 'p99 ms', 'p50 as a ratio to alone', 'p99 as a ratio to alone'];
  const said = [...answered].map(([kind, seen]) => [
    kind,
    [...seen].map(([status, n]) => `${n} × ${status}`).join(', '),
  ]);
  return [NOTES, table(head, rows), table(['Hostile plugin', 'Its own requests were answered'], said)].join('\n\n');
}

const NOTES = `${LOAD.requests} requests for each round and target, ${LOAD.concurrency} at a time; each hostile plugin is asked ${ATTACKERS} times at once, without a pause, in
the process that answers everything else. Medians of ${ROUNDS} rounds. An endless loop lasts longer than a round, so its requests
are cut by whoever asked and have no answer here.`;
