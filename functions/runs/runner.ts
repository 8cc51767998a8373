import { log } from '../../shared/log.ts';
import type { RunRow, WorkRow } from '../../shared/workflow/run-record.ts';
import { endEarly, endSession, type RunResult } from './end-run.ts';
import { compileGraph } from './compiled-graph.ts';
import { LeaseLost, NodeFailure, RunCancelled, runError } from './failure.ts';
import type { Frame } from './frame.ts';
import { startHeartbeat } from './heartbeat.ts';
import type { Parked } from './job.ts';
import { claimRun, clearWake, parkRun, type Held } from './lease-store.ts';
import { openSession, type Opened } from './open-session.ts';
import { restoreSettled } from './restore.ts';
import { flush, type RunPorts, type Session } from './session.ts';
import { loadRun, unpackGraph, type LoadedRun } from './store.ts';
import type { FindVersion, RunnableGraph } from './version-cache.ts';
import { walkGraph } from './walk-graph.ts';

export interface RunnerParts {
  readonly ports: RunPorts;
  readonly findVersion: FindVersion;
  readonly leaseMs: number;
  /** Puts a pointer to the run into the queue, to arrive after some seconds. */
  readonly enqueue: (run: Pick<Held, 'tenant' | 'runId'>, delayMs: number) => Promise<void>;
}

/** New work is begun for this long; the longest node fits into what Lambda leaves after that. */
const TURN_MS = 240_000;
const MAX_CLAIMS = 10;
const EXPIRES_MS = 86_400_000;

/** One turn at one run: claim it, go on where the last runner stopped, and leave it ended or waiting. */
export async function runOnce(parts: RunnerParts, { tenant, runId }: Pick<Held, 'tenant' | 'runId'>): Promise<void> {
  const { ports, leaseMs } = parts;
  const held: Held = { tenant, runId, token: ports.newId() };
  const work = await claimRun(held, { now: ports.now(), leaseMs });
  if (!work) return;
  const abort = new AbortController();
  const heartbeat = startHeartbeat(held, { leaseMs, now: ports.now, abort });
  try {
    await takeTurn(parts, held, { work, abort });
  } catch (error) {
    if (error instanceof LeaseLost) return log.warn('run lost to another runner', { id: runId });
    await letGo(parts, held, error);
  } finally {
    heartbeat.stop();
  }
}

async function takeTurn(parts: RunnerParts, held: Held, { work, abort }: { work: WorkRow; abort: AbortController }) {
  const loaded = await loadRun(held.tenant, held.runId);
  if (!loaded) throw new Error(`Run ${held.runId} has a lease and no row`);
  const { run, steps } = loaded;
  const end = (result: RunResult) => endEarly({ held, run, ports: parts.ports }, steps, result);
  const early = work.cancel ? cancelled(work.cancel) : givenUp(run, work.claims, parts.ports.now());
  if (early) return end(early);
  const until = parts.ports.now() + TURN_MS;
  const ready = await prepare(parts, { held, loaded, until, signal: abort.signal }).catch((error: unknown) => {
    if (error instanceof NodeFailure) return failedWith(error);
    throw error;
  });
  if ('status' in ready) return end(ready);
  await walkToRest(parts, { ...ready, abort });
}

type Preparing = Pick<Parameters<typeof openSession>[0], 'held' | 'loaded' | 'until' | 'signal'>;

/** The graph and everything around it; a result when there is none to walk. */
async function prepare(parts: RunnerParts, preparing: Preparing): Promise<Omit<Turn, 'abort'> | RunResult> {
  const runnable = await runnableOf(parts, preparing.loaded);
  if (!runnable) return cancelled('workflow_deleted');
  return { runnable, opened: await openSession({ ...preparing, runnable, ports: parts.ports }) };
}

const cancelled = (reason: string): RunResult => ({ status: 'cancelled', reason });
const failedWith = (failure: NodeFailure): RunResult => ({
  status: 'failed',
  error: runError(failure, { node_id: null, attempt: 1 }),
});

function givenUp({ started_at, created_at }: RunRow, claims: number, now: number): RunResult | undefined {
  if (claims > MAX_CLAIMS)
    return failedWith(new NodeFailure('runner_lost', `The runner died ${MAX_CLAIMS} times at this run`));
  if (started_at === null && now - created_at > EXPIRES_MS)
    return failedWith(new NodeFailure('expired', 'The run waited for more than a day to be started'));
  return undefined;
}

async function runnableOf(
  { ports, findVersion }: RunnerParts,
  { run, graph }: LoadedRun,
): Promise<RunnableGraph | undefined> {
  if (graph) {
    const own = await unpackGraph(ports.spill, graph);
    return { graph: compileGraph(own), settings: own.settings };
  }
  return run.version === null ? undefined : findVersion({ ...run, version: run.version });
}

interface Turn {
  readonly opened: Opened;
  readonly runnable: RunnableGraph;
  readonly abort: AbortController;
}

async function walkToRest(parts: RunnerParts, { opened, runnable, abort }: Turn) {
  const { session, variables } = opened;
  const deadline = deadlineOf(session);
  const timer = setTimeout(() => abort.abort(outOfTime(session)), timerMs(deadline - parts.ports.now()));
  try {
    for (;;) {
      const frame: Frame = {
        prefix: '',
        graph: runnable.graph,
        settled: await restoreSettled(session, ''),
        base: variables,
      };
      const end = await walkGraph(session, frame);
      if (end.kind === 'done') return await endSession(session, { status: 'succeeded', output: end.output });
      if (end.kind === 'failed') return await endSession(session, { status: 'failed', error: end.error });
      if (await park(parts, session, { ...end, at: Math.min(end.at, end.reason === 'human' ? end.at : deadline) }))
        return;
      await lookAgain(session);
    }
  } catch (error) {
    if (error instanceof RunCancelled) return await endSession(session, cancelled(error.reason));
    if (error instanceof NodeFailure) return await endSession(session, failedWith(error));
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

const outOfTime = ({ settings }: Session) =>
  new NodeFailure('timeout', `The run took longer than the ${settings.timeout_s} seconds it has`);

/** Timers end after 24 days; no turn lasts that long. */
const timerMs = (ms: number) => Math.min(Math.max(0, ms), 2 ** 31 - 1);

/** Time in which only a person is waited for does not count. */
function deadlineOf({ run, settings, steps, ports }: Session): number {
  const now = ports.now();
  const waited = [...steps.values()]
    .filter(({ kind }) => kind === 'human')
    .reduce((sum, { started_at, finished_at, answer }) => sum + (finished_at ?? answer?.at ?? now) - started_at, 0);
  return (run.started_at ?? now) + settings.timeout_s * 1000 + waited;
}

/** False when something happened meanwhile that is to be looked at first. */
async function park(parts: RunnerParts, session: Session, { at, reason }: Parked): Promise<boolean> {
  const { held, run } = session;
  await flush(session);
  const isPaused = reason === 'human' || reason === 'retry';
  const rest = {
    at,
    wake: reason === 'time',
    status: isPaused ? 'waiting' : 'running',
    reason,
    startedAt: run.started_at,
  } as const;
  const isParked = await parkRun(held, rest);
  if (isParked && reason !== 'time') await parts.enqueue(held, at - parts.ports.now());
  return isParked;
}

/** Answers of people come by other hands, so the steps are read again. */
async function lookAgain(session: Session) {
  await clearWake(session.held);
  const fresh = await loadRun(session.held.tenant, session.held.runId);
  for (const step of fresh?.steps ?? []) session.steps.set(step.step_id, step);
}

const PAUSE_AFTER_FAILURE_MS = 5000;

/** Something failed that should not have. The run is not lost: somebody tries again, but not for ever. */
async function letGo(parts: RunnerParts, held: Held, error: unknown) {
  log.error('runner failed', { id: held.runId, error });
  const at = parts.ports.now() + PAUSE_AFTER_FAILURE_MS;
  const rest = {
    at,
    wake: false,
    status: 'running',
    reason: 'runner_failed',
    startedAt: null,
    keepsClaims: true,
  } as const;
  await parkRun(held, rest);
  await parts.enqueue(held, PAUSE_AFTER_FAILURE_MS);
}
