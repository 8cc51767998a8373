import { randomUUID } from 'node:crypto';
import { runIdFor } from '../../shared/events/delivery.ts';
import { runKey } from '../../shared/workflow/keys.ts';
import { isOver, RunRow } from '../../shared/workflow/run-record.ts';
import { quantile } from './load.ts';
import { round, table } from './report.ts';
import { createPost, EVENT_KEY, EVENT_TYPE, startBenchHost, until, type BenchHost } from './workflows-host.ts';
import { fill, type Stored } from './workflows-stored.ts';

const SIZES: readonly Stored[] = [
  { subscriptions: 10, events: 1000 },
  { subscriptions: 1000, events: 1000 },
  { subscriptions: 10_000, events: 1000 },
  { subscriptions: 10, events: 100_000 },
];
const WARM_UP = 5;
const ROUNDS = 50;

interface Measured {
  readonly host: BenchHost;
  readonly stored: Stored;
  readonly times: number[];
}

/** From the request of an ingest to the start of each of the three runs, on hosts that hold more and more. */
export async function startLatency(): Promise<string> {
  const hosts: BenchHost[] = [];
  try {
    for (const _ of SIZES) hosts.push(await startBenchHost());
    const measured = await Promise.all(
      SIZES.map(async (size, n): Promise<Measured> => {
        const host = hosts[n];
        if (!host) throw new Error('There are fewer hosts than sizes');
        return { host, stored: await fill(host, size), times: [] };
      }),
    );
    for (const { host } of measured) for (let n = 0; n < WARM_UP; n += 1) await startTimes(host);
    for (let n = 0; n < ROUNDS; n += 1) for (const { host, times } of measured) times.push(...(await startTimes(host)));
    return report(measured);
  } finally {
    await Promise.all(hosts.map((host) => host.stop()));
  }
}

/** One event alone; the next one waits until its runs are over. */
async function startTimes({ url, engine, matching }: BenchHost): Promise<number[]> {
  const event = { event_type: EVENT_TYPE, source: 'bench', correlation_id: randomUUID(), payload: { amount: 12 } };
  const sentAt = Date.now();
  const { event_id = '' } = await createPost(url)('/api/v1/events/ingest', event, EVENT_KEY);
  const keys = matching.map(({ tenant, id }) =>
    runKey(tenant, runIdFor({ event_id, tenant, subscription_id: id, replay_id: null })),
  );
  const runs = await until('A run', async () => {
    const rows = (await engine.read('workflows', keys)).map((row) => RunRow.parse(row));
    return rows.length === keys.length && rows.every(({ status }) => isOver(status)) ? rows : undefined;
  });
  return runs.map(({ status, started_at }) => {
    if (status !== 'succeeded' || started_at === null) throw new Error(`A run of the bench has ${status}`);
    return started_at - sentAt;
  });
}

function report(measured: readonly Measured[]): string {
  const sorted = measured.map(({ times }) => times.toSorted((a, b) => a - b));
  const base = quantile(sorted[0] ?? [], 0.5) || 1;
  const rows = measured.map(({ stored }, n) => {
    const times = sorted[n] ?? [];
    const p50 = quantile(times, 0.5);
    return [stored.subscriptions, stored.events, p50, quantile(times, 0.99), round(p50 / base)];
  });
  const short = measured.filter(({ stored }, n) => stored.events < (SIZES[n]?.events ?? 0));
  const note = short.map(({ stored }) => `The time for loading ended at ${stored.events} events.`);
  return [
    `From the ingest request to the start of a run: ${ROUNDS} events for each host, one at a time and in turn, each starting three runs. Each row is a host of its own; the other subscriptions wait for other event types, the stored events have the measured type.`,
    table(['Subscriptions (3 match)', 'Stored events', 'p50 ms', 'p99 ms', 'p50 as a ratio to the first row'], rows),
    ...note,
  ].join('\n\n');
}
