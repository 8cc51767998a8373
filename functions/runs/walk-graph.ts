import { setMaxListeners } from 'node:events';
import type { RunError } from '../../shared/workflow/run-record.ts';
import type { CompiledNode } from './compiled-graph.ts';
import { executeNode } from './execute-node.ts';
import { NodeFailure } from './failure.ts';
import { outputOfFrame, type Frame } from './frame.ts';
import type { GraphEnd, Parked } from './job.ts';
import { newStep } from './new-step.ts';
import { NO_OUTPUT } from './output.ts';
import { planNext } from './plan.ts';
import { keepStep, type Session } from './session.ts';

/** Waits no longer than this in the process; longer waits are for the queue. */
const SHORT_WAIT_MS = 3000;

interface Walk {
  readonly session: Session;
  readonly frame: Frame;
  readonly active: Map<string, Promise<void>>;
  readonly parked: Map<string, Parked>;
  /** Ends the siblings of a node that failed. */
  readonly stop: AbortController;
  readonly signal: AbortSignal;
  error?: RunError;
  fatal?: Error;
}

/** Does whatever can be done, side by side, until the graph is done, has failed, or must wait for something. */
export async function walkGraph(session: Session, frame: Frame, outer = session.signal): Promise<GraphEnd> {
  const stop = new AbortController();
  const signal = AbortSignal.any([outer, stop.signal]);
  setMaxListeners(0, signal); // every node of a wide graph listens
  const walk: Walk = { session, frame, active: new Map(), parked: new Map(), stop, signal };
  for (;;) {
    const { ready, skipped } = planNext(frame.graph, frame.settled);
    for (const node of skipped) await skip(walk, node);
    const startable = ready.filter(({ node }) => !walk.active.has(node.id) && !walk.parked.has(node.id));
    const mayStart = !walk.error && !walk.fatal && !session.isOutOfTime();
    if (mayStart) for (const node of startable) begin(walk, node);
    if (walk.active.size > 0) await Promise.race(walk.active.values());
    else {
      const end = await atRest(walk, startable.length > 0 && !mayStart);
      if (end) return end;
    }
  }
}

function begin(walk: Walk, node: CompiledNode) {
  const { session, frame, signal, active } = walk;
  const { id } = node.node;
  const inner = (one: Frame) => walkGraph(session, one, signal);
  const work = Promise.resolve()
    .then(() => {
      demandStepsLeft(session);
      return executeNode({ session, frame, node, signal, walk: inner });
    })
    .then((end) => {
      if (end.kind === 'settled') frame.settled.set(id, end.settled);
      if (end.kind === 'parked') walk.parked.set(id, end);
      if (end.kind === 'failed') fail(walk, { error: end.error });
    })
    .catch((error: unknown) => fail(walk, { fatal: asError(error) }))
    .finally(() => active.delete(id));
  active.set(id, work);
}

/** The first failure decides; what its siblings say while they are stopped does not count. */
function fail(walk: Walk, { error, fatal }: { error?: RunError; fatal?: Error }) {
  if (walk.stop.signal.aborted) return;
  walk.error = error;
  walk.fatal = fatal;
  walk.stop.abort(new NodeFailure('stopped', 'Another node of the graph failed'));
}

/** Nothing runs: the graph is done, has failed, waits, or goes on after a short breath. */
async function atRest(walk: Walk, isInterrupted: boolean): Promise<GraphEnd | undefined> {
  const { session, frame, parked, signal } = walk;
  if (walk.fatal) throw walk.fatal;
  if (walk.error) return { kind: 'failed', error: walk.error };
  const { now, sleep } = session.ports;
  if (isInterrupted) return { kind: 'parked', at: now(), reason: 'time' };
  const [first] = [...parked.values()].toSorted((a, b) => a.at - b.at);
  if (!first) return { kind: 'done', output: outputOfFrame(frame) };
  const wait = first.at - now();
  if (first.reason !== 'retry' || wait > SHORT_WAIT_MS || session.isOutOfTime()) return first;
  await sleep(Math.max(0, wait), signal);
  if (signal.aborted) throw signal.reason;
  for (const [id, { at, reason }] of parked) if (reason === 'retry' && at <= now()) parked.delete(id);
  return undefined;
}

async function skip({ session, frame }: Walk, node: CompiledNode) {
  const { id } = node.node;
  frame.settled.set(id, { status: 'skipped', taken: [], output: NO_OUTPUT, error: null });
  const step = newStep(session, node, `${frame.prefix}${id}`);
  await keepStep(session, { ...step, status: 'skipped', attempt: 0, finished_at: step.started_at });
}

function demandStepsLeft({ steps, settings }: Session) {
  const done = [...steps.values()].filter(({ status }) => status !== 'skipped').length;
  if (done >= settings.max_steps)
    throw new NodeFailure('too_many_steps', `The run has taken ${settings.max_steps} steps, which is its limit`);
}

const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));
