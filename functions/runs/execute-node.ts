import type { Retry } from '../../shared/workflow/kinds/shape.ts';
import { NO_USAGE, type RunError } from '../../shared/workflow/run-record.ts';
import type { StepRow } from '../../shared/workflow/step-record.ts';
import { packText } from '../../shared/workflow/stored-json.ts';
import type { CompiledNode } from './compiled-graph.ts';
import { executorOf } from './executors.ts';
import { asNodeFailure, NodeFailure, runError } from './failure.ts';
import { previousOf, type Frame, type SettledNode } from './frame.ts';
import type { GraphEnd, Job, NodeDone, Parked } from './job.ts';
import { NO_OUTPUT, type Output } from './output.ts';
import { newStep } from './new-step.ts';
import { retryDelay } from './retry.ts';
import { keepStep, type Session } from './session.ts';

export type StepEnd =
  | { readonly kind: 'settled'; readonly settled: SettledNode }
  /** The node has failed, and with it the graph. */
  | { readonly kind: 'failed'; readonly error: RunError }
  | Parked;

interface Work {
  readonly session: Session;
  readonly frame: Frame;
  readonly node: CompiledNode;
  readonly signal: AbortSignal;
  readonly walk: (frame: Frame) => Promise<GraphEnd>;
}

/** Does one node and keeps its row: at most one result, however often somebody tries. */
export async function executeNode(work: Work): Promise<StepEnd> {
  const { session, frame, node, signal } = work;
  const stepId = `${frame.prefix}${node.node.id}`;
  const known = session.steps.get(stepId);
  const now = session.ports.now();
  if (known?.retry_at && known.retry_at > now) return { kind: 'parked', at: known.retry_at, reason: 'retry' };
  const previous = previousOf(frame, node);
  const { effect } = executorOf(node.kind);
  const step = beginning(work, stepId, known);
  if (node.node.disabled) return settle(work, step, { kind: 'done', output: previous, taken: ['out'] });
  if (effect === 'outside' && known?.status !== 'running') await keepStep(session, step, { isUrgent: true });
  const job: Job = { ...work, node, stepId, known, previous };
  try {
    const end = await withinTime(job, () => executorOf(node.kind).execute(job));
    return end.kind === 'done' ? await settle(work, step, end) : end;
  } catch (error) {
    // Why everything stops counts more than what it broke.
    if (signal.aborted) throw signal.reason;
    return await failed(work, step, asNodeFailure(error));
  }
}

/** What an earlier runner left half done goes on as the same attempt; a failed attempt is followed by the next. */
function beginning({ session, node }: Work, stepId: string, known: StepRow | undefined): StepRow {
  const fresh = newStep(session, node, stepId);
  if (!known) return fresh;
  const { attempt, attempts, task, answer, started_at } = known;
  const kept = { attempts, task, started_at, ...(answer && { answer }) };
  return { ...fresh, ...kept, attempt: known.status === 'pending' ? attempt + 1 : attempt };
}

/** Requests bring their own time-outs; this one is for what hangs in spite of them. */
async function withinTime<T>({ node, signal }: Job, run: () => T | Promise<T>): Promise<T> {
  const seconds =
    'timeout_s' in node.config && node.kind !== 'agent' && node.kind !== 'human' ? node.config.timeout_s : undefined;
  if (seconds === undefined) return run();
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new NodeFailure('timeout', `The node took longer than ${seconds} seconds`, { retryable: true })),
    seconds * 1000 + GRACE_MS,
  );
  const stop = () => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([run(), promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

const GRACE_MS = 1000;
const INLINE_BYTES = 64 * 1024;
const LONGEST_OUTPUT = 1024 * 1024;

async function settle(work: Work, step: StepRow, end: NodeDone): Promise<StepEnd> {
  const { session } = work;
  if (Buffer.byteLength(end.output.text) > LONGEST_OUTPUT)
    return failed(work, step, new NodeFailure('output_too_large', 'The output of a node may have 1 MB as JSON'));
  const row: StepRow = {
    ...step,
    status: 'succeeded',
    output: await packOutput(session, step, end.output),
    usage: end.usage ?? NO_USAGE,
    emitted_event_ids: [...(end.emitted ?? [])],
    taken: [...end.taken],
    finished_at: session.ports.now(),
  };
  const isUrgent = executorOf(work.node.kind).effect !== 'pure';
  await keepStep(session, row, { isUrgent, rows: end.rows });
  return { kind: 'settled', settled: { status: 'succeeded', taken: end.taken, output: end.output, error: null } };
}

const packOutput = ({ ports, run }: Session, { step_id, attempt }: StepRow, output: Output) =>
  packText(
    ports.spill,
    `runs/${run.tenant}/${run.run_id}/${step_id}/output-${attempt}.json`,
    output.text,
    INLINE_BYTES,
  );

async function failed(work: Work, step: StepRow, failure: NodeFailure): Promise<StepEnd> {
  const { session, node } = work;
  const now = session.ports.now();
  const error = runError(failure, { node_id: step.step_id, attempt: step.attempt });
  const attempts = [...step.attempts, { n: step.attempt, started_at: step.started_at, finished_at: now, error }];
  const failures = attempts.filter((one) => one.error !== null).length;
  const delay = retryDelay(retryOf(node), failure, { failures, random: Math.random() });
  if (delay !== undefined) {
    const retry_at = now + delay;
    await keepStep(session, { ...step, status: 'pending', attempts, error, retry_at }, { isUrgent: true });
    return { kind: 'parked', at: retry_at, reason: 'retry' };
  }
  const onError = 'on_error' in node.config ? node.config.on_error : 'fail';
  const taken = onError === 'continue' ? waysOut(node) : onError === 'branch' ? ['error'] : [];
  const row: StepRow = { ...step, status: 'failed', attempts, error, taken, finished_at: now };
  await keepStep(session, row, { isUrgent: onError !== 'fail' });
  if (onError === 'fail') return { kind: 'failed', error };
  return { kind: 'settled', settled: { status: 'failed', taken, output: NO_OUTPUT, error } };
}

const retryOf = ({ config }: CompiledNode): Retry | undefined => ('retry' in config ? config.retry : undefined);

/** A condition that could not be decided goes on by its last way. */
const waysOut = ({ kind }: CompiledNode) => (kind === 'condition' ? ['else'] : ['out']);
