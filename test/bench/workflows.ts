import { deliveriesOfEvent } from '../../shared/events/delivery.ts';
import { newId } from '../../shared/ids.ts';
import { spawnHost } from '../support/spawn-host.ts';
import { compare, median, type Figures, type Target } from './load.ts';
import { round, table, type Section } from './report.ts';
import { openEngine } from './workflows-engine.ts';
import { filterRates } from './workflows-filters.ts';
import { EVENT_KEY, until } from './workflows-host.ts';
import { startLatency } from './workflows-latency.ts';

const LOAD = { requests: 240, concurrency: 8, rounds: 1 };
const ROUNDS = 5;

/** How fast events come in, how soon they start runs whatever is stored already, and what filters cost. */
export const workflows: Section = {
  name: 'workflows',
  title: 'Workflows: ingest, start of runs, filters',
  async run() {
    return [await ingestRate(), await startLatency(), filterRates()].join('\n\n');
  },
};

/** Each round ends when all its events are dispatched, so that the next one does not pay for them. */
async function ingestRate(): Promise<string> {
  const host = await spawnHost();
  const engine = openEngine(host);
  const figures = { health: [] as Figures[], ingest: [] as Figures[], dispatched: [] as number[] };
  try {
    for (let n = 0; n < ROUNDS; n += 1) {
      figures.health.push(...(await compare([{ name: 'health', url: `${host.url}/health` }], LOAD)));
      const ids: string[] = [];
      const startedAt = performance.now();
      figures.ingest.push(...(await compare([ingestTarget(host.url, ids)], LOAD)));
      const keys = ids.map((id) => ({ pk: deliveriesOfEvent(id), sk: 'DONE' }));
      await until(
        'Dispatching',
        async () => (await engine.read('workflows', keys)).length === keys.length || undefined,
      );
      figures.dispatched.push(ids.length / ((performance.now() - startedAt) / 1000));
    }
  } finally {
    await host.stop();
  }
  return ingestReport(figures);
}

const ingestTarget = (url: string, ids: string[]): Target => ({
  name: 'ingest',
  url: `${url}/api/v1/events/ingest`,
  method: 'POST',
  headers: EVENT_KEY,
  expect: 202,
  body() {
    const event_id = `evt_${newId()}`;
    ids.push(event_id);
    const payload = { amount: 12, currency: 'EUR', customer: { id: 'c-1', name: 'Bench' } };
    return JSON.stringify({ event_id, event_type: 'bench_ingest', source: 'bench', correlation_id: event_id, payload });
  },
});

interface Rates {
  readonly health: readonly Figures[];
  readonly ingest: readonly Figures[];
  readonly dispatched: readonly number[];
}

function ingestReport({ health, ingest, dispatched }: Rates): string {
  const base = median(health.map(({ rps }) => rps));
  const row = (name: string, figures: readonly Figures[]) => {
    const [rps, p50, p99] = (['rps', 'p50', 'p99'] as const).map((key) => median(figures.map((one) => one[key])));
    return [name, Math.round(rps ?? 0), round(p50 ?? 0), round(p99 ?? 0), round((rps ?? 0) / base)];
  };
  const head = ['Target', 'Requests/s', 'p50 ms', 'p99 ms', 'Requests/s as a ratio to /health'];
  const rows = [row('GET /health (one read)', health), row('POST /api/v1/events/ingest (one durable write)', ingest)];
  return `${table(head, rows)}\n\nThe same process relays and dispatches meanwhile: ${Math.round(median(dispatched))} events per second from the first ingest to the last dispatch.`;
}
