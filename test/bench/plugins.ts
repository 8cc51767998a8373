import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { startChatHost, type ChatHost } from './chat-host.ts';
import { compare, median, type Figures, type Target } from './load.ts';
import { attack, HOSTILE, uploadHostile, type Hostile } from './plugins-hostile.ts';
import { round, table, type Section } from './report.ts';

const ROUNDS = 5;
const ATTACK = { times: 4 };
const LOAD = { requests: 160, concurrency: 4, rounds: 1 };
const LIMITS = { PLUGIN_CPU_MS: '500', PLUGIN_TIMEOUT_MS: '1000' };
const CALM = 'nothing else';
const KINDS = Object.keys(HOSTILE) as Hostile[];

/** What ordinary requests notice of plugins that do their worst in the same process. */
export const plugins: Section = {
  name: 'plugins',
  title: 'Plugins: ordinary requests beside hostile plugins',
  async run() {
    const model = spawn(process.execPath, ['test/bench/chat-model.ts'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [port] = (await once(model.stdout, 'data')) as [Buffer];
    const env = {
      COMPAT_API_BASE_URLS: `http://127.0.0.1:${port.toString().trim()}/v1`,
      COMPAT_API_KEYS: 'bench',
      ...LIMITS,
    };
    const host = await startChatHost(env);
    try {
      return report(await measure(host));
    } finally {
      await host.stop();
      model.kill();
    }
  },
};

/** By what runs beside: one entry for each round, and how its own requests were answered. */
type Measured = ReadonlyMap<
  string,
  { readonly rounds: (readonly Figures[])[]; readonly answered: Map<number, number> }
>;

/** Every round runs all of them, each time in another order, so that a slow minute of the machine hits all alike. */
async function measure(host: ChatHost): Promise<Measured> {
  const ids = await uploadHostile(host.url);
  const targets = targetsOf(host);
  const beside = [CALM, ...KINDS] as const;
  const measured: Measured = new Map(beside.map((name) => [name, { rounds: [], answered: new Map() }]));
  for (let n = 0; n < ROUNDS * beside.length; n += 1) {
    const name = beside[(n + 3 * Math.floor(n / beside.length)) % beside.length] ?? CALM;
    const attacked =
      name === CALM ? undefined : attack(host.url, { ...ATTACK, model: ids[name], key: host.keys.unlimited });
    await sleep(200); // it is under way
    measured.get(name)?.rounds.push(await compare(targets, LOAD));
    await attacked?.stop();
    const answered = measured.get(name)?.answered;
    for (const [status, count] of attacked?.answered ?? []) answered?.set(status, (answered.get(status) ?? 0) + count);
  }
  return measured;
}

function targetsOf({ url, keys }: ChatHost): Target[] {
  const authorization = `Bearer ${keys.unlimited}`;
  const asked = { model: 't200d0', stream: true, messages: [{ role: 'user', content: 'word '.repeat(80) }] };
  return [
    { name: 'GET /api/version', url: `${url}/api/version` },
    { name: 'GET /api/auth/validate by key', url: `${url}/api/auth/validate`, headers: { authorization } },
    {
      name: 'streamed completion of 200 tokens',
      url: `${url}/api/chat/completions`,
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: () => JSON.stringify(asked),
    },
  ];
}

function report(measured: Measured): string {
  const calm = measured.get(CALM)?.rounds ?? [];
  const rows = (calm[0] ?? []).flatMap(({ name: target }, at) =>
    [...measured].map(([beside, { rounds }]) => {
      const of = (key: 'p50' | 'p99') => round(median(rounds.map((one) => one[at]?.[key] ?? 0)));
      const ratio = (key: 'p50' | 'p99') =>
        round(median(rounds.map((one, n) => (one[at]?.[key] ?? 0) / (calm[n]?.[at]?.[key] ?? Infinity))));
      return [target, beside, of('p50'), of('p99'), ratio('p50'), ratio('p99')];
    }),
  );
  const head = ['Ordinary request', 'Beside', 'p50 ms', 'p99 ms', 'p50 as a ratio to alone', 'p99 as a ratio to alone'];
  const said = [...measured]
    .filter(([name]) => name !== CALM)
    .map(([name, { answered }]) => [name, [...answered].map(([status, n]) => `${n} × ${status}`).join(', ')]);
  return [NOTES, table(head, rows), table(['Plugin', 'How its own requests were answered'], said)].join('\n\n');
}

const NOTES = `${LOAD.requests} requests for each round and target, ${LOAD.concurrency} at a time; each hostile plugin is asked ${ATTACK.times} times at once, without a pause, in
the process that answers everything else, and cut after half a second on a processor or one in all, so that new ones start
all the time; who waited in vain for its turn got 503. Medians of ${ROUNDS} rounds.`;
