import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CreateScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { GetQueueUrlCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LOCAL_CREDENTIALS } from '../../infra/local/objects.ts';
import { call } from '../support/call.ts';
import { spawnHost, TEST_ENVIRONMENT, type SpawnedHost } from '../support/spawn-host.ts';
import type { Row } from '../triggers/published.ts';
import { chain, transform } from '../workflows/making.ts';

/** How many events; the full storm is 5000. */
const EVENTS = Number(process.env['STORM_EVENTS'] ?? 250);
const CORRELATIONS = Math.max(4, Math.round(EVENTS / 12));
const SENDERS = 12;
const KEY = { 'x-api-key': TEST_ENVIRONMENT.SVC_EVENT_API_KEY };

const dataDir = mkdtempSync(path.join(tmpdir(), 'atrium-storm-'));
let host: SpawnedHost;
const start = async () => {
  // Tokens name the address they were made for, and every start has a port of its own.
  const env = { WORKFLOW_LEASE_SECONDS: '2', SVC_URL: 'http://storm.example.test' };
  host = await spawnHost({ dataDir, env });
};
beforeAll(start);
afterAll(async () => {
  await host.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const aws = () => ({ endpoint: host.endpoints.aws, region: 'us-east-1', credentials: LOCAL_CREDENTIALS });

let token = '';
/** One call, again and again while the host is down. */
async function persistently(target: string, body?: unknown, headers: Record<string, string> = {}): Promise<Row> {
  for (let attempt = 0; ; attempt += 1) {
    const answer = await call(target, body, { token, headers, url: host.url }).catch(() => undefined);
    if (answer && answer.status < 300) return answer;
    if (answer && answer.status < 500) throw new Error(`${target}: ${JSON.stringify(answer.body)}`);
    if (attempt > 600) throw new Error(`${target} never succeeded`);
    await sleep(50);
  }
}

async function signUp() {
  const person = { name: 'Storm', email: `${randomUUID()}@example.test`, password: 'Long enough, 1 hopes' };
  await persistently('POST /api/auth/register', person);
  const { body } = await persistently('POST /api/auth/login', person);
  token = body.token ?? body.access_token;
}

async function aSubscribed(event_type: string, fields: object): Promise<{ workflowId: string; id: string }> {
  const base = '/api/v1/agent-workflows';
  const graph = chain({ one: transform({ n: 'payload["n"]' }), two: transform({ n: 'nodes.one.output["n"] + 1' }) });
  const { body } = await persistently(`POST ${base}`, { name: 'Storm', graph });
  for (const step of ['stage', 'approve']) await persistently(`POST ${base}/${body.id}/${step}`, {});
  const made = await persistently(`POST ${base}/${body.id}/triggers/event`, { name: 'Storm', event_type, ...fields });
  return { workflowId: body.id, id: made.body.id };
}

/** A second pointer straight into the queue, as the bus may deliver it. */
async function deliverAgain(event_id: string, event_type: string) {
  const sqs = new SQSClient({ ...aws(), maxAttempts: 1 });
  const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName: 'dispatch' }));
  const detail = { tenant: 'broadcast', event_id, event_type };
  await sqs.send(
    new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify({ 'detail-type': 'bus_event', detail }) }),
  );
  sqs.destroy();
}

/** Leases of killed runners end; the sweeper, which comes every minute, is called earlier. */
async function sweepRuns() {
  const scheduler = new SchedulerClient(aws());
  const Arn = 'arn:aws:lambda:us-east-1:000000000000:function:runs-sweep';
  await scheduler.send(
    new CreateScheduleCommand({
      Name: randomUUID(),
      ScheduleExpression: `at(${new Date(Date.now() + 1000).toISOString().slice(0, 19)})`,
      FlexibleTimeWindow: { Mode: 'OFF' },
      ActionAfterCompletion: 'DELETE',
      Target: { Arn, RoleArn: 'arn:aws:iam::000000000000:role/local' },
    }),
  );
  scheduler.destroy();
}

async function allOf(pathname: string): Promise<Row[]> {
  const found: Row[] = [];
  for (let cursor = ''; ;) {
    const { body } = await persistently(`GET ${pathname}?limit=200${cursor && `&cursor=${cursor}`}`);
    found.push(...body.data);
    if (body.next_cursor === null) return found;
    cursor = body.next_cursor;
  }
}

async function untilAll(what: string, isDone: () => Promise<boolean>, between: () => Promise<void> = async () => {}) {
  const deadline = Date.now() + 60_000 + EVENTS * 200;
  while (!(await isDone())) {
    if (Date.now() > deadline) throw new Error(`Not in time: ${what}`);
    await between();
    await sleep(500);
  }
}

test(
  `a storm of ${EVENTS} events with repetitions, over two kills: each matching trigger fires exactly once`,
  async () => {
    await signUp();
    const event_type = 'storm_event';
    const parallel = await aSubscribed(event_type, {});
    const filtered = await aSubscribed(event_type, { filter_expr: 'payload["n"] % 3 == 0' });
    const single = await aSubscribed(event_type, { concurrency: 'one_per_correlation' });
    const startedAt = Date.now();

    const ids = new Map<number, string>();
    const count = { requests: 0, duplicates: 0, redeliveries: 0, kills: 0 };
    const ingest = async (n: number) => {
      const event = { event_type, source: 'storm', correlation_id: `c-${n % CORRELATIONS}`, payload: { n } };
      const answer = await persistently('POST /api/v1/events/ingest', event, {
        ...KEY,
        'idempotency-key': `storm-${n}`,
      });
      count.requests += 1;
      if (answer.body.duplicate) count.duplicates += 1;
      expect(ids.get(n) ?? answer.body.event_id).toBe(answer.body.event_id);
      ids.set(n, answer.body.event_id);
      if (n % 5 !== 0) return;
      count.redeliveries += 1;
      await deliverAgain(answer.body.event_id, event_type).catch(() => undefined);
    };
    /** Every fourth event is sent twice, some of them at the same time. */
    const work = Array.from({ length: EVENTS }, (_, n) => (n % 4 === 0 ? [n, n] : [n])).flat();
    const sending = Array.from({ length: SENDERS }, async () => {
      for (let n = work.shift(); n !== undefined; n = work.shift()) await ingest(n);
    });
    for (const left of [0.6, 0.3]) {
      while (work.length > EVENTS * left) await sleep(5);
      await host.stop('SIGKILL');
      count.kills += 1;
      await start();
    }
    await Promise.all(sending);

    await untilAll('every event dispatched', async () => {
      const last = await persistently(`GET /api/v1/events/${ids.get(EVENTS - 1)}`);
      const total = (await allOf(`/api/v1/agent-workflows/${parallel.workflowId}/triggers/${parallel.id}/deliveries`))
        .length;
      return last.body.dispatched_at !== null && total === EVENTS;
    });
    const deliveries = new Map<string, Row[]>();
    const runs = new Map<string, Row[]>();
    for (const [name, { workflowId, id }] of Object.entries({ parallel, filtered, single })) {
      const trigger = `/api/v1/agent-workflows/${workflowId}/triggers/${id}/deliveries`;
      await untilAll(`${name} delivered`, async () => (await allOf(trigger)).length === EVENTS);
      deliveries.set(name, await allOf(trigger));
      const over = async () => {
        runs.set(name, await allOf(`/api/v1/agent-workflows/${workflowId}/runs`));
        return runs.get(name)!.every(({ finished_at }) => finished_at !== null);
      };
      await untilAll(`${name} ended`, over, sweepRuns);
    }

    const outcomes = (name: string) =>
      Object.fromEntries(
        Object.entries(Object.groupBy(deliveries.get(name)!, ({ outcome }) => outcome)).map(([k, v]) => [k, v!.length]),
      );
    const expectedFiltered = Math.ceil(EVENTS / 3);
    expect(new Set(ids.values()).size).toBe(EVENTS);
    expect(outcomes('parallel')).toEqual({ started: EVENTS });
    expect(outcomes('filtered')).toEqual({ started: expectedFiltered, skipped_filter: EVENTS - expectedFiltered });
    const { started = 0, skipped_busy = 0, ...others } = outcomes('single');
    expect({ sum: started + skipped_busy, others }).toEqual({ sum: EVENTS, others: {} });
    for (const name of deliveries.keys()) {
      const rows = deliveries.get(name)!;
      expect(new Set(rows.map(({ event_id }) => event_id))).toEqual(new Set(ids.values()));
      const startedRuns = rows.filter(({ outcome }) => outcome === 'started').map(({ run_id }) => run_id);
      expect(new Set(runs.get(name)!.map(({ run_id }) => run_id))).toEqual(new Set(startedRuns));
      expect(runs.get(name)!.filter(({ status, steps_done }) => status !== 'succeeded' || steps_done !== 4)).toEqual(
        [],
      );
    }
    expect(overlaps(runs.get('single')!)).toEqual([]);

    const seconds = (Date.now() - startedAt) / 1000;
    console.log(
      `storm: ${JSON.stringify({
        events: EVENTS,
        ...count,
        parallel: outcomes('parallel'),
        filtered: outcomes('filtered'),
        one_per_correlation: outcomes('single'),
        runs: [...runs.values()].flat().length,
        overlapping: 0,
        seconds: Math.round(seconds),
        events_per_second: Math.round(EVENTS / seconds),
      })}`,
    );
  },
  120_000 + EVENTS * 500,
);

/** Runs of one correlation id that were active at the same time. */
function overlaps(all: readonly Row[]) {
  const byCorrelation = Object.values(Object.groupBy(all, ({ correlation_id }) => correlation_id));
  return byCorrelation.flatMap((group) => {
    const inOrder = (group ?? []).toSorted((a, b) => a.started_at - b.started_at);
    return inOrder.slice(1).filter((run, i) => run.started_at < inOrder[i].finished_at);
  });
}
