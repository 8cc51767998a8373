import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { host } from '../support/host.ts';
import { aUser } from '../support/people.ts';
import { as, aPublishedWorkflow, BASE, chain, simpleGraph, transform } from '../workflows/making.ts';
import { aServer, type TestServer } from './model-server.ts';
import { ended, getRun, runGraph, startRun, stepsOf, until } from './running.ts';

let gate: TestServer;
let open: () => void = () => undefined;
let opened = new Promise<void>((resolve) => (open = resolve));
beforeAll(async () => {
  gate = await aServer(async ({ path }) => {
    if (path === '/gate') await opened;
    return { body: { path } };
  });
});
afterAll(() => gate.stop());

const closeGate = () => {
  opened = new Promise<void>((resolve) => (open = resolve));
};
const waitingGraph = () =>
  chain({
    first: transform({ x: '1' }),
    call: { kind: 'http', config: { url: `${gate.url}/gate` } },
    last: transform({ y: '2' }),
  });

describe('starting', () => {
  test('a run answers 202 and is queued', async () => {
    const person = await aUser();
    const { id } = await aPublishedWorkflow(person);
    const run = await startRun(person, id, { input: { a: 1 }, correlation_id: 'c-1' });
    expect(run).toMatchObject({
      workflow_id: id,
      version_id: 'v1',
      correlation_id: 'c-1',
      user_id: person.userId,
      trigger: { type: 'manual' },
    });
    expect((await ended(person, run)).status).toBe('succeeded');
  });

  test('the same idempotency key is the same run; another request under it is refused', async () => {
    const person = await aUser();
    const { id } = await aPublishedWorkflow(person);
    const headers = { 'idempotency-key': 'once' };
    const both = await Promise.all([
      startRun(person, id, { input: 1 }, headers),
      startRun(person, id, { input: 1 }, headers),
    ]);
    expect(both[0].run_id).toBe(both[1].run_id);
    const other = await as(person).call(`POST /${id}/runs`, { input: 2 }, headers);
    expect(other).toMatchObject({ status: 409, body: { error: { code: 'idempotency_conflict' } } });
    expect((await as(person).call(`GET /${id}/runs`)).body.data).toHaveLength(1);
  });

  test('a version that does not exist, or whose graph is broken, is refused', async () => {
    const person = await aUser();
    const { id } = await aPublishedWorkflow(person);
    expect((await as(person).call(`POST /${id}/runs`, { version: 'v9' })).status).toBe(404);
    await as(person).call(`PUT /${id}`, { graph: { nodes: [] } });
    expect((await as(person).call(`POST /${id}/runs`, { version: 'draft' })).status).toBe(422);
    const { body } = await as(person).call(`POST /${id}/snapshot`, {});
    expect((await as(person).call(`POST /${id}/runs`, { version: body.version_id })).status).toBe(422);
  });
});

describe('reading', () => {
  test('runs are listed newest first, by workflow and over all, with filters', async () => {
    const person = await aUser();
    const { id } = await aPublishedWorkflow(person, chain({ work: transform({ v: '10 // input' }) }));
    for (const [input, correlation_id] of [
      [1, 'a'],
      [0, 'b'],
      [2, 'a'],
    ] as const) {
      await ended(person, await startRun(person, id, { input, correlation_id }));
    }
    const list = async (query: string) =>
      (await as(person).call(`GET ${query}`)).body.data.map((one: { correlation_id: string }) => one.correlation_id);
    expect(await list(`/${id}/runs`)).toEqual(['a', 'b', 'a']);
    expect(await list('/runs?status=failed')).toEqual(['b']);
    expect(await list(`/${id}/runs?correlation_id=a&trigger_type=manual`)).toEqual(['a', 'a']);
    expect(await list(`/${id}/runs?until=1000`)).toEqual([]);
    const first = (await as(person).call(`GET /${id}/runs?limit=2`)).body;
    expect(await list(`/${id}/runs?limit=2&cursor=${first.next_cursor}`)).toEqual(['a']);
    const { body: stats } = await as(person).call(`GET /${id}/stats`);
    expect(stats).toMatchObject({
      complete: true,
      counts: { succeeded: 2, failed: 1 },
      duration_ms: { p50: expect.any(Number) },
    });
  });

  test('runs of others are not found', async () => {
    const [owner, stranger] = [await aUser(), await aUser()];
    const { run } = await runGraph(owner, simpleGraph());
    const path = `/${run.workflow_id}/runs/${run.run_id}`;
    for (const target of [
      `GET ${path}`,
      `GET ${path}/steps`,
      `GET ${path}/steps/work`,
      `GET ${path}/stream`,
      `GET /${run.workflow_id}/runs`,
    ]) {
      expect((await as(stranger).call(target)).status).toBe(404);
    }
    for (const target of [`POST ${path}/cancel`, `POST ${path}/replay`, `POST /${run.workflow_id}/runs`]) {
      expect((await as(stranger).call(target, {})).status).toBe(404);
    }
    const other = await aPublishedWorkflow(owner);
    expect((await as(owner).call(`GET /${other.id}/runs/${run.run_id}`)).status).toBe(404);
  });
});

describe('following', () => {
  const follow = async (
    token: string,
    run: { workflow_id: string; run_id: string },
    headers: Record<string, string> = {},
  ) => {
    const response = await fetch(`${host.url}${BASE}/${run.workflow_id}/runs/${run.run_id}/stream`, {
      headers: { authorization: `Bearer ${token}`, ...headers },
    });
    const frames = (await response.text()).split('\n\n').filter((frame) => frame.includes('event:'));
    return frames.map((frame) => {
      const fields = Object.fromEntries(frame.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2)));
      return { event: fields['event'], id: fields['id'], data: JSON.parse(fields['data'] ?? 'null') };
    });
  };

  test('a run is told step by step until it ends', async () => {
    closeGate();
    const person = await aUser();
    const { id } = await aPublishedWorkflow(person, waitingGraph());
    const run = await startRun(person, id);
    const following = follow(person.token, run);
    await until(
      () => stepsOf(person, run),
      (steps) => steps['call']?.status === 'running',
    );
    open();
    const told = await following;
    const call = told
      .filter(({ event, data }) => event === 'step' && data.step_id === 'call')
      .map(({ data }) => data.status);
    expect(call.at(-1)).toBe('succeeded');
    expect(told.filter(({ event }) => event === 'run').at(-1)?.data.status).toBe('succeeded');
    expect(told.at(-1)).toMatchObject({ event: 'end', data: { status: 'succeeded' } });
    const again = await follow(person.token, run, { 'last-event-id': told.at(-2)?.id ?? '' });
    expect(again.at(-1)?.event).toBe('end');
    const later = await follow(person.token, run, { 'last-event-id': `${Date.now() + 600_000}-x` });
    expect(later.map(({ event }) => event)).toEqual(['run', 'end']);
  });
});

describe('cancelling', () => {
  test('a run in the middle of a call ends within seconds; what was open is cancelled', async () => {
    closeGate();
    const person = await aUser();
    const { id } = await aPublishedWorkflow(person, waitingGraph());
    const run = await startRun(person, id);
    await until(
      () => stepsOf(person, run),
      (steps) => steps['call']?.status === 'running',
    );
    const path = `/${id}/runs/${run.run_id}`;
    expect((await as(person).call(`POST ${path}/cancel`)).status).toBe(202);
    const over = await ended(person, run);
    open();
    expect(over).toMatchObject({ status: 'cancelled', status_reason: 'by_user' });
    const steps = await stepsOf(person, run);
    expect([steps['first'].status, steps['call'].status, steps['last']]).toEqual(['succeeded', 'cancelled', undefined]);
    expect((await as(person).call(`POST ${path}/cancel`)).status).toBe(409);
  });

  test('deleting a workflow cancels its runs', async () => {
    closeGate();
    const person = await aUser();
    const { id } = await aPublishedWorkflow(person, waitingGraph());
    const run = await startRun(person, id);
    await until(
      () => stepsOf(person, run),
      (steps) => steps['call']?.status === 'running',
    );
    await as(person).call(`DELETE /${id}`);
    const over = await ended(person, run);
    open();
    expect(over).toMatchObject({ status: 'cancelled', status_reason: 'workflow_deleted' });
  });
});

describe('replaying', () => {
  test('a replay is a new run of the same version with the same or another input', async () => {
    const person = await aUser();
    const { run } = await runGraph(person, chain({ work: transform({ v: 'input * 10' }) }), { input: 2 });
    await as(person).call(`PUT /${run.workflow_id}`, { graph: simpleGraph('99') });
    const path = `/${run.workflow_id}/runs/${run.run_id}`;
    const same = await ended(person, (await as(person).call(`POST ${path}/replay`)).body);
    expect(same).toMatchObject({ output: { v: 20 }, replay_of: run.run_id, trigger: { type: 'replay' }, version: 1 });
    const other = await ended(person, (await as(person).call(`POST ${path}/replay`, { input: 5 })).body);
    expect(other.output).toEqual({ v: 50 });
  });

  test('a replay from a step takes over what does not come after it', async () => {
    const person = await aUser();
    const counted = await aServer((_, nth) => ({ body: { nth } }));
    const http = { kind: 'http', config: { url: counted.url } };
    const { run } = await runGraph(person, chain({ a: http, b: http, c: http }));
    expect(counted.seen).toHaveLength(3);
    const path = `/${run.workflow_id}/runs/${run.run_id}`;
    const again = await ended(person, (await as(person).call(`POST ${path}/replay`, { from_step: 'b' })).body);
    await counted.stop();
    expect(counted.seen).toHaveLength(5);
    const steps = await stepsOf(person, again);
    expect([steps['a'].output.body.nth, steps['b'].output.body.nth, steps['c'].output.body.nth]).toEqual([1, 4, 5]);
    expect((await as(person).call(`POST ${path}/replay`, { from_step: 'zebra' })).status).toBe(422);
  });

  test('a bulk under one key replays every run once', async () => {
    const person = await aUser();
    const { id } = await aPublishedWorkflow(person, chain({ work: transform({ v: '1 // input' }) }));
    const failed = await Promise.all(
      [0, 0, 1].map(async (input) => ended(person, await startRun(person, id, { input }))),
    );
    const bulk = { action: 'replay', filter: { workflow_id: id, status: 'failed' } };
    const headers = { 'idempotency-key': 'bulk-1' };
    const first = await as(person).call('POST /runs/bulk', bulk, headers);
    expect(first.body.data.map((one: { outcome: string }) => one.outcome)).toEqual(['replayed', 'replayed']);
    const ids = { action: 'replay', run_ids: first.body.data.map((one: { run_id: string }) => one.run_id) };
    const second = await as(person).call('POST /runs/bulk', ids, headers);
    const fresh = (answer: typeof first) =>
      new Set(answer.body.data.map((one: { new_run_id: string }) => one.new_run_id));
    expect(fresh(second)).toEqual(fresh(first));
    expect(failed).toHaveLength(3);
    const empty = await as(person).call('POST /runs/bulk', { action: 'cancel', filter: { workflow_id: id } });
    expect(empty.status).toBe(422);
    const cancel = await as(person).call('POST /runs/bulk', {
      action: 'cancel',
      run_ids: [failed[2].run_id, 'run_unknown'],
    });
    expect(cancel.body.data.map((one: { outcome: string }) => one.outcome)).toEqual(['conflict', 'not_found']);
  });
});

test('a run in the queue is not lost while the run list is read at the same time', async () => {
  const person = await aUser();
  const { id } = await aPublishedWorkflow(person);
  const runs = await Promise.all(Array.from({ length: 20 }, (_, at) => startRun(person, id, { input: at })));
  await Promise.all(runs.map((run) => ended(person, run)));
  const all = await Promise.all(runs.map((run) => getRun(person, run)));
  expect(all.map(({ status }) => status)).toEqual(all.map(() => 'succeeded'));
});
