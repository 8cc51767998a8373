import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { spawnHost, TEST_ENVIRONMENT, type SpawnedHost } from '../support/spawn-host.ts';
import { openEngine, type BenchEngine } from './workflows-engine.ts';

export const EVENT_KEY = { 'x-api-key': TEST_ENVIRONMENT.SVC_EVENT_API_KEY, 'content-type': 'application/json' };
export const EVENT_TYPE = 'bench_order';
const WORKFLOWS = '/api/v1/agent-workflows';

/** An event trigger that the API made. */
export interface Subscription {
  readonly tenant: string;
  readonly workflow_id: string;
  readonly id: string;
}

export interface BenchHost extends SpawnedHost {
  readonly engine: BenchEngine;
  /** Three, each of a workflow of its own; nobody else waits for EVENT_TYPE. */
  readonly matching: readonly Subscription[];
}

/** A host of one person with three published workflows that wait for EVENT_TYPE. */
export async function startBenchHost(): Promise<BenchHost> {
  const host = await spawnHost();
  try {
    const post = createPost(host.url);
    const person = { name: 'Bench', email: `${randomUUID()}@example.test`, password: 'correct horse battery staple' };
    await post('/api/auth/register', person);
    const { token = '' } = await post('/api/auth/login', person);
    const subscribe = () => subscribeWorkflow((path, body) => post(path, body, { authorization: `Bearer ${token}` }));
    const matching = [await subscribe(), await subscribe(), await subscribe()];
    return { ...host, engine: openEngine(host), matching };
  } catch (error) {
    await host.stop();
    throw error;
  }
}

type Answer = Readonly<Record<string, string | undefined>>;

export const createPost =
  (url: string) =>
  async (path: string, body: object, headers: Record<string, string> = {}): Promise<Answer> => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } };
    const response = await fetch(`${url}${path}`, { ...init, body: JSON.stringify(body) });
    const answer = (await response.json()) as Answer;
    if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${JSON.stringify(answer)}`);
    return answer;
  };

const GRAPH = {
  nodes: [
    { id: 'start', kind: 'start' },
    { id: 'work', kind: 'transform' },
    { id: 'end', kind: 'end' },
  ],
  edges: [
    { source: 'start', target: 'work' },
    { source: 'work', target: 'end' },
  ],
  configs: { work: { values: { total: 'payload["amount"]' } } },
};

async function subscribeWorkflow(post: (path: string, body: object) => Promise<Answer>): Promise<Subscription> {
  const { id: workflow_id = '' } = await post(WORKFLOWS, { name: 'Bench', graph: GRAPH });
  for (const step of ['stage', 'approve']) await post(`${WORKFLOWS}/${workflow_id}/${step}`, {});
  const trigger = { name: 'Bench', event_type: EVENT_TYPE, filter_expr: 'payload["amount"] > 10' };
  const { id = '', created_by } = await post(`${WORKFLOWS}/${workflow_id}/triggers/event`, trigger);
  return { tenant: `user:${created_by}`, workflow_id, id };
}

const PATIENCE_MS = 60_000;

/** Polls until there is an answer. */
export async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await sleep(15)) {
    const found = await look();
    if (found !== undefined) return found;
  }
  throw new Error(`${what} took longer than ${PATIENCE_MS / 1000} seconds`);
}
