import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { localEnvironment } from '../../infra/local/environment.ts';
import { host } from '../support/host.ts';
import { aUser, type Person } from '../support/people.ts';
import { spawnHost, type SpawnedHost } from '../support/spawn-host.ts';
import { as, aPublishedWorkflow, chain } from '../workflows/making.ts';
import { aServer, completion, type TestServer } from './model-server.ts';
import { ended, getRun, startRun, stepsOf, until } from './running.ts';

const LEASE = { WORKFLOW_LEASE_SECONDS: '2', SVC_URL: host.url };
const dataDir = mkdtempSync(path.join(tmpdir(), 'atrium-crash-'));
let running: SpawnedHost;
let person: Person & { url: string };

beforeAll(async () => {
  running = await spawnHost({ env: LEASE, dataDir });
  // Nothing has been read or written yet, so the stores of this process open the spawned host's tables.
  Object.assign(process.env, localEnvironment(running.endpoints));
  person = { ...(await aUser()), url: running.url };
});
afterAll(async () => {
  await running.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const run = promisify(execFile);

/** The end of a run that lost its runner: a message that comes back or the sweeper leads there, whichever is first. */
async function recovered(started: { workflow_id: string; run_id: string }) {
  const env = { PATH: process.env['PATH'], ...localEnvironment(running.endpoints) };
  const sweep = () => run(process.execPath, ['test/runs/sweep-now.ts'], { env });
  await until(
    async () => {
      await sweep();
      return getRun(person, started);
    },
    ({ status }) => status === 'succeeded' || status === 'failed',
    40_000,
  );
  return ended(person, started);
}

/** Kills the host where it stands and starts it again on the same data. */
async function crash() {
  await running.stop('SIGKILL');
  running = await spawnHost({ env: LEASE, dataDir });
  person = { ...person, url: running.url };
}

const counts = (server: TestServer) =>
  Object.fromEntries(
    Map.groupBy(server.seen, ({ path: at }) => at)
      .entries()
      .map(([at, all]) => [at, all.length]),
  );

test('a run goes on after its last finished step when the host is killed in the middle of it', async () => {
  let isOpen = false;
  const server = await aServer(({ path: at }) => (at === '/c' && !isOpen ? new Promise(() => {}) : { body: { at } }));
  const call = (at: string) => ({ kind: 'http', config: { url: `${server.url}/${at}` } });
  const { id } = await aPublishedWorkflow(person, chain({ a: call('a'), b: call('b'), c: call('c'), d: call('d') }));
  const started = await startRun(person, id);
  await until(
    async () => counts(server),
    (seen) => seen['/c'] === 1,
  );
  await crash();
  isOpen = true;
  const over = await recovered(started);
  await server.stop();
  expect(over).toMatchObject({ status: 'succeeded', steps_done: 6 });
  expect(counts(server)).toEqual({ '/a': 1, '/b': 1, '/c': 2, '/d': 1 });
  const steps = await stepsOf(person, over);
  expect(Object.values(steps).map(({ status, attempt }) => [status, attempt])).toEqual(
    Object.values(steps).map(() => ['succeeded', 1]),
  );
  const keys = server.seen.filter(({ path: at }) => at === '/c').map(({ headers }) => headers['idempotency-key']);
  expect(keys).toEqual([`${over.run_id}:c:1`, `${over.run_id}:c:1`]);
}, 60_000);

test('an agent goes on from the turn that was stored, without asking the model again', async () => {
  let isOpen = false;
  const tool = await aServer(() => (isOpen ? { body: { weather: 'fine' } } : new Promise(() => {})));
  const model = await aServer((_, nth) =>
    nth === 1
      ? completion('', [{ id: 'c1', name: 'http_request', args: { url: tool.url } }])
      : completion('It is fine.'),
  );
  const catalog = await as(person).call('POST /api/v1/catalogs', { name: 'x', base_url: model.url, model: 'm' });
  const graph = chain({ ask: { kind: 'agent', config: { tools: [{ tool_id: 'http_request' }] } } });
  const { id } = await aPublishedWorkflow(person, { ...graph, settings: { catalog_id: catalog.body.id } });
  const started = await startRun(person, id);
  await until(
    async () => tool.seen.length,
    (seen) => seen === 1,
  );
  await crash();
  isOpen = true;
  const over = await recovered(started);
  await Promise.all([tool.stop(), model.stop()]);
  expect(over).toMatchObject({
    status: 'succeeded',
    output: { text: 'It is fine.' },
    usage: { model_calls: 2, tool_calls: 1 },
  });
  expect(model.seen).toHaveLength(2);
  expect(tool.seen.map(({ headers }) => headers['idempotency-key'])).toEqual(
    Array.from({ length: 2 }, () => `${over.run_id}:ask:c1`),
  );
}, 60_000);
