import { causedByRun } from '../../shared/events/loop.ts';
import { derivedEventId } from '../../shared/events/prepare.ts';
import { AppError } from '../../shared/errors.ts';
import { log } from '../../shared/log.ts';
import { ConditionFailed } from '../../shared/store/dynamodb.ts';
import type { Operation } from '../../shared/store/transaction.ts';
import type { RunError, RunRow } from '../../shared/workflow/run-record.ts';
import { isSettled, type StepRow } from '../../shared/workflow/step-record.ts';
import { packText } from '../../shared/workflow/stored-json.ts';
import type { Held } from './lease-store.ts';
import type { Output } from './output.ts';
import { takePending, usageOf, type RunPorts, type Session } from './session.ts';
import { commitRows, finishRun, stepWrite } from './store.ts';

export type RunResult =
  | { readonly status: 'succeeded'; readonly output: Output }
  | { readonly status: 'failed'; readonly error: RunError }
  | { readonly status: 'cancelled'; readonly reason: string };

const MOST_ROWS_AT_END = 50;
/** A transaction has a hundred rows, and the end of a run needs some of them itself. */
const MOST_ROWS = 90;

/** Ends a run whose graph has been walked. */
export async function endSession(session: Session, result: RunResult): Promise<void> {
  const { held, run, steps, settings, ports, pending, ttl } = session;
  const open = cancelOpen(steps.values(), ports.now());
  const waiting = [...takePending(pending), ...open.map((step) => stepWrite(held, step, { ttl }))];
  // A cancelled run may not commit any more, so everything has to go with its end.
  const [first, last] = result.status === 'cancelled' ? [[], waiting] : split(waiting);
  for (const rows of first) await commitRows(held, rows);
  const along = { rows: last, errorEventType: settings.error_event_type };
  await endRun(
    { held, run: counted(run, [...steps.values()]), ports, keepDays: settings.retention_days },
    result,
    along,
  );
}

const KEEP_DAYS = 30;

/** Ends a run before anything of it is done in this turn: cancelled, given up, or without its graph. */
export async function endEarly(
  ending: Omit<Ending, 'keepDays'>,
  steps: readonly StepRow[],
  result: RunResult,
): Promise<void> {
  const { held, run, ports } = ending;
  const now = ports.now();
  const ttl = Math.floor(now / 1000) + KEEP_DAYS * 86_400;
  const rows = cancelOpen(steps, now).map((step) => stepWrite(held, step, { ttl }));
  await endRun({ held, run: counted(run, steps), ports, keepDays: KEEP_DAYS }, result, { rows, errorEventType: null });
}

const counted = (run: RunRow, steps: readonly StepRow[]): RunRow => ({
  ...run,
  usage: usageOf(steps),
  steps_done: steps.filter(({ status }) => status === 'succeeded' || status === 'failed').length,
});

/** What was still open when the run ended. */
const cancelOpen = (steps: Iterable<StepRow>, now: number): StepRow[] =>
  [...steps]
    .filter(({ status }) => !isSettled(status))
    .map((step) => ({ ...step, status: 'cancelled', retry_at: null, finished_at: now }));

function split(rows: readonly Operation[]): [readonly (readonly Operation[])[], readonly Operation[]] {
  const cut = Math.max(0, rows.length - MOST_ROWS_AT_END);
  const first = Array.from({ length: Math.ceil(cut / MOST_ROWS_AT_END) }, (_, at) =>
    rows.slice(at * MOST_ROWS_AT_END, Math.min(cut, (at + 1) * MOST_ROWS_AT_END)),
  );
  return [first, rows.slice(cut)];
}

interface Ending {
  readonly held: Held;
  readonly run: RunRow;
  readonly ports: Pick<RunPorts, 'spill' | 'events' | 'now'>;
  readonly keepDays: number;
}

interface Along {
  readonly rows: readonly Operation[];
  readonly errorEventType: string | null;
}

async function endRun({ held, run, ports, keepDays }: Ending, result: RunResult, along: Along): Promise<void> {
  const now = ports.now();
  const ended: RunRow = {
    ...run,
    status: result.status,
    status_reason: result.status === 'cancelled' ? result.reason : null,
    error: result.status === 'failed' ? result.error : null,
    finished_at: now,
    duration_ms: now - (run.started_at ?? now),
  };
  const output =
    result.status === 'succeeded'
      ? await packText(ports.spill, `runs/${run.tenant}/${run.run_id}/output.json`, result.output.text)
      : null;
  const end = { run: ended, output, ttl: Math.floor(now / 1000) + keepDays * 86_400 };
  const event = along.errorEventType && ended.error ? await errorEvent(ports, ended, along.errorEventType) : [];
  const rows = along.rows.slice(0, MOST_ROWS);
  await finishRun(held, end, [...rows, ...event]).catch((error: unknown) => {
    if (error instanceof ConditionFailed && error.what === 'event') return finishRun(held, end, rows);
    throw error;
  });
}

/** A failure that should start something; in a chain that is already too long it only stays in the run. */
async function errorEvent({ events }: Ending['ports'], run: RunRow, event_type: string): Promise<Operation[]> {
  try {
    const { operation } = await events.appending('event', {
      tenant: run.tenant,
      event_type,
      source: `workflow:${run.workflow_id}`,
      user_id: run.user_id,
      payload: { run_id: run.run_id, workflow_id: run.workflow_id, error: run.error },
      correlation_id: run.correlation_id,
      event_id: derivedEventId(run.run_id, 'failed'),
      cause: causedByRun(run),
    });
    return [operation];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    log.warn('error event not published', { id: run.run_id, reason: error.message });
    return [];
  }
}
