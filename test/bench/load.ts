import http from 'node:http';

export interface Target {
  readonly name: string;
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A fresh body for each request, when it needs one. */
  readonly body?: () => string;
  readonly expect?: number;
}

export interface Figures {
  readonly name: string;
  readonly rps: number;
  readonly p50: number;
  readonly p99: number;
}

export interface LoadOptions {
  readonly requests: number;
  readonly concurrency: number;
  readonly rounds: number;
}

/** Closed loops, targets interleaved round by round: only ratios inside one run mean anything on a shared machine. */
export async function compare(
  targets: readonly Target[],
  { requests, concurrency, rounds }: LoadOptions,
): Promise<Figures[]> {
  const all = new Map(targets.map((target) => [target.name, [] as Figures[]]));
  for (const target of targets) await round(target, Math.ceil(requests / 4), concurrency); // warm-up
  for (let n = 0; n < rounds; n += 1) {
    for (const target of targets) all.get(target.name)?.push(await round(target, requests, concurrency));
  }
  return targets.map(({ name }) => medianOf(name, all.get(name) ?? []));
}

async function round(target: Target, requests: number, concurrency: number): Promise<Figures> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: concurrency });
  const times: number[] = [];
  let left = requests;
  const startedAt = performance.now();
  const loop = async () => {
    while (left-- > 0) times.push(await once(target, agent));
  };
  await Promise.all(Array.from({ length: concurrency }, loop));
  const seconds = (performance.now() - startedAt) / 1000;
  agent.destroy();
  times.sort((a, b) => a - b);
  return { name: target.name, rps: times.length / seconds, p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
}

const once = ({ url, method = 'GET', headers, body, expect = 200 }: Target, agent: http.Agent) =>
  new Promise<number>((resolve, reject) => {
    const startedAt = performance.now();
    const request = http.request(url, { method, headers, agent }, (response) => {
      response.resume();
      response.once('end', () =>
        response.statusCode === expect
          ? resolve(performance.now() - startedAt)
          : reject(new Error(`${method} ${url} answered ${response.statusCode}`)),
      );
    });
    request.once('error', reject);
    request.end(body?.());
  });

export const quantile = (sorted: readonly number[], q: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0;

export const median = (values: readonly number[]) =>
  quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  );

const medianOf = (name: string, figures: readonly Figures[]): Figures => ({
  name,
  rps: median(figures.map(({ rps }) => rps)),
  p50: median(figures.map(({ p50 }) => p50)),
  p99: median(figures.map(({ p99 }) => p99)),
});
