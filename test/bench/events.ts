import { randomUUID } from 'node:crypto';
import { BatchWriteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { LOCAL_CREDENTIALS } from '../../infra/local/objects.ts';
import { localTableName } from '../../infra/local/tables.ts';
import { filterVariables, runSavedFilter } from '../../shared/events/filter.ts';
import { indexKeys } from '../../shared/events/keys.ts';
import { keyOfTrigger, subscriptionKey } from '../../shared/triggers/keys.ts';
import { spawnHost, TEST_ENVIRONMENT, type SpawnedHost } from '../support/spawn-host.ts';
import { compare, quantile, type Target } from './load.ts';
import { round, table, type Section } from './report.ts';

/** Loading takes minutes; `BENCH_STORED_EVENTS=100000` takes more of them. */
const STORED = Number(process.env['BENCH_STORED_EVENTS'] ?? 20_000);

/** The same three matching triggers everywhere; what else there is should make no difference. */
const SETTINGS = [
  { name: '10 triggers, 1,000 events', triggers: 10, events: 1000 },
  { name: '1,000 triggers, 1,000 events', triggers: 1000, events: 1000 },
  { name: '10,000 triggers, 1,000 events', triggers: 10_000, events: 1000 },
  { name: `10 triggers, ${STORED.toLocaleString('en')} events`, triggers: 10, events: STORED },
];
const MATCHING = 3;
const EVENT_TYPE = 'bench_event';

export const events: Section = {
  name: 'events',
  title: 'Events: ingest, dispatch and lists, with more and more that does not match',
  async run() {
    const benches: Bench[] = [];
    for (const setting of SETTINGS) benches.push(await prepare(setting));
    try {
      const ingest = await compare(
        benches.map(({ target }) => target),
        { requests: 150, concurrency: 8, rounds: 3 },
      );
      const lists = await compare(
        benches.map(({ list }) => list),
        { requests: 60, concurrency: 2, rounds: 3 },
      );
      const starts: Awaited<ReturnType<typeof startTimes>>[] = [];
      for (const bench of benches) starts.push(await startTimes(bench));
      const base = ingest[0]?.rps ?? 1;
      return [
        table(
          ['', 'ingest/s', 'of the first', 'ingest p50 / p99 ms', 'ingest → run started p50 / p99 ms', 'list p50 ms'],
          benches.map(({ name }, i) => [
            name,
            Math.round(ingest[i]?.rps ?? 0),
            round((ingest[i]?.rps ?? 0) / base),
            `${round(ingest[i]?.p50 ?? 0, 1)} / ${round(ingest[i]?.p99 ?? 0, 1)}`,
            `${starts[i]?.p50} / ${starts[i]?.p99}`,
            round(lists[i]?.p50 ?? 0, 1),
          ]),
        ),
        filterLine(),
      ].join('\n\n');
    } finally {
      await Promise.all(benches.map(({ host }) => host.stop()));
    }
  },
};

interface Bench {
  readonly name: string;
  readonly host: SpawnedHost;
  readonly token: string;
  readonly workflowIds: readonly string[];
  readonly target: Target;
  readonly list: Target;
}

async function prepare({ name, triggers, events: stored }: (typeof SETTINGS)[number]): Promise<Bench> {
  const host = await spawnHost();
  const call = caller(host);
  const person = { name: 'Bench', email: `${randomUUID()}@example.test`, password: 'Long enough, 1 hopes' };
  const { user } = await call('POST', '/api/auth/register', person);
  const { token } = await call('POST', '/api/auth/login', person);
  const workflowIds: string[] = [];
  for (let i = 0; i < MATCHING; i += 1) {
    const { id } = await call('POST', '/api/v1/agent-workflows', { name: 'Bench' }, token);
    for (const step of ['stage', 'approve']) await call('POST', `/api/v1/agent-workflows/${id}/${step}`, {}, token);
    await call('POST', `/api/v1/agent-workflows/${id}/triggers/event`, { name: 'B', event_type: EVENT_TYPE }, token);
    workflowIds.push(id);
  }
  const tenant = `user:${user.id}`;
  await load(host, 'workflows', otherTriggers(tenant, workflowIds[0] ?? '', triggers - MATCHING));
  await load(host, 'events', storedEvents(stored));
  const headers = { 'content-type': 'application/json', 'x-api-key': TEST_ENVIRONMENT.SVC_EVENT_API_KEY };
  const body = () =>
    JSON.stringify({ event_type: 'bench_unheard', correlation_id: 'c', source: 'bench', payload: { n: 1 } });
  return {
    name,
    host,
    token,
    workflowIds,
    target: { name, url: `${host.url}/api/v1/events/ingest`, method: 'POST', headers, body, expect: 202 },
    list: { name, url: `${host.url}/api/v1/events?limit=50`, headers: { authorization: `Bearer ${token}` } },
  };
}

const caller =
  ({ url }: SpawnedHost) =>
  // oxlint-disable-next-line typescript/no-explicit-any -- answers of every shape
  async (method: string, path: string, body?: unknown, token?: string): Promise<any> => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
    const response = await fetch(`${url}${path}`, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return response.json();
  };

function* otherTriggers(tenant: string, workflow_id: string, count: number) {
  for (let i = 0; i < count; i += 1) {
    const place = { tenant, workflow_id, id: `trg_${i}` };
    yield { ...keyOfTrigger(place), ...place };
    yield { ...subscriptionKey({ ...place, event_type: `other_${i}` }), ...place };
  }
}

/** As large as real ones and in the same lists, under a key that the relay passes over. */
function* storedEvents(count: number) {
  const from = Date.now() - 86_400_000;
  for (let i = 0; i < count; i += 1) {
    const event = {
      tenant: 'broadcast',
      event_id: `old_${i}`,
      event_type: 'bench_old',
      correlation_id: `c_${i % 100}`,
      published_at: from + Math.floor((i * 86_000_000) / count),
    };
    yield { pk: `OLD#${i}`, sk: 'E', ...event, ...indexKeys(event), payload: { inline: '{"n":1}' } };
  }
}

async function load(host: SpawnedHost, name: 'events' | 'workflows', rows: Iterable<Record<string, unknown>>) {
  const client = new DynamoDBClient({
    endpoint: host.endpoints.dynamodb,
    region: 'us-east-1',
    credentials: LOCAL_CREDENTIALS,
  });
  let batch: Record<string, unknown>[] = [];
  const write = async () => {
    const requests = batch.map((row) => ({ PutRequest: { Item: marshall(row) } }));
    if (requests.length > 0)
      await client.send(new BatchWriteItemCommand({ RequestItems: { [localTableName(name)]: requests } }));
    batch = [];
  };
  for (const row of rows) if (batch.push(row) === 25) await write();
  await write();
  client.destroy();
}

const SAMPLES = 40;

async function startTimes({ host, token, workflowIds }: Bench) {
  const call = caller(host);
  const times: number[] = [];
  for (let i = 0; i < SAMPLES; i += 1) {
    const { event_id, published_at } = await call(
      'POST',
      '/api/v1/events/publish',
      { event_type: EVENT_TYPE, payload: i },
      token,
    );
    for (const workflowId of workflowIds) {
      const path = `/api/v1/agent-workflows/${workflowId}/runs?event_id=${event_id}&limit=1`;
      let run: { started_at: number | null } | undefined;
      while (!run?.started_at) [run] = (await call('GET', path, undefined, token)).data;
      times.push(run.started_at - published_at);
    }
  }
  times.sort((a, b) => a - b);
  return { p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
}

function filterLine() {
  const payload = {
    amount: 150,
    currency: 'EUR',
    tags: ['vip', 'eu'],
    items: Array.from({ length: 20 }, (_, n) => ({ n, price: n * 1.5 })),
  };
  const event = {
    event_id: 'e',
    event_type: 't',
    source: 's',
    correlation_id: 'c',
    user_id: 'u',
    published_at: 1,
    payloadText: JSON.stringify(payload),
  };
  const perSecond = (source: string, variables = filterVariables(event)) => {
    const until = performance.now() + 500;
    let count = 0;
    while (performance.now() < until) for (let i = 0; i < 100; i += 1, count += 1) runSavedFilter(source, variables);
    return (count * 2).toLocaleString('en');
  };
  const simple = perSecond('payload["amount"] > 100 and "vip" in payload["tags"]');
  const loop = perSecond('any(item["price"] > 25 for item in payload["items"])');
  return `Filters a second, on one event: comparison and membership ${simple}; \`any(… for …)\` over 20 items ${loop}.`;
}
