import type { EventSink } from '../../shared/http/streamed.ts';
import { isOver, type RunRow } from '../../shared/workflow/run-record.ts';
import type { StepRow } from '../../shared/workflow/step-record.ts';
import { RunSummary } from './records.ts';
import { stepView } from './views.ts';

export interface FollowParts {
  /** The run and its steps as they are now. */
  readonly read: () => Promise<{ readonly run: RunRow; readonly steps: readonly StepRow[] } | undefined>;
  readonly now: () => number;
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
}

const POLL_MS = 500;
const SLOWEST_POLL_MS = 5000;
/** Functions end after 15 minutes; ending a little earlier lets the client return in order. */
const LIFE_MS = 14 * 60_000;
/** Steps that run side by side are not committed in the order of their times; this much is told again after a break. */
const OVERLAP_MS = 60_000;

/** Tells every change of a run and its steps until it ends. A change is the whole step, so telling it twice does no harm. */
export async function followRun(
  { read, now, pause }: FollowParts,
  lastEventId: string | null,
  sink: EventSink,
): Promise<void> {
  const told = new Map<string, string>();
  const from = Number(/^(\d{1,15})(?:-|$)/.exec(lastEventId ?? '')?.[1] ?? 0) - OVERLAP_MS;
  const endsAt = now() + LIFE_MS;
  await sink.write('retry: 1000\n\n');
  while (!sink.gone.aborted && now() < endsAt) {
    const seen = await read();
    if (!seen) return;
    for (const step of seen.steps.toSorted((a, b) => changedAt(a) - changedAt(b))) {
      if (changedAt(step) >= from)
        await tell(sink, told, { name: 'step', id: step.step_id, value: stepView(step), at: changedAt(step) });
    }
    const run = RunSummary.parse(seen.run);
    await tell(sink, told, {
      name: 'run',
      id: '',
      value: run,
      at: run.finished_at ?? run.started_at ?? run.created_at,
    });
    if (isOver(run.status)) {
      await sink.send({ event: 'end', data: { run_id: run.run_id, status: run.status } });
      return;
    }
    // The more there is to read, the less often it is read.
    await pause(Math.min(POLL_MS + seen.steps.length, SLOWEST_POLL_MS), sink.gone);
  }
}

interface Change {
  readonly name: 'run' | 'step';
  readonly id: string;
  readonly value: object;
  readonly at: number;
}

async function tell(sink: EventSink, told: Map<string, string>, { name, id, value, at }: Change) {
  const text = JSON.stringify(value);
  if (told.get(`${name}${id}`) === text) return;
  told.set(`${name}${id}`, text);
  await sink.send({ event: name, id: `${at}-${id}`, data: text });
}

const changedAt = ({ started_at, finished_at, attempts, answer }: StepRow) =>
  Math.max(started_at, finished_at ?? 0, attempts.at(-1)?.finished_at ?? 0, answer?.at ?? 0);
