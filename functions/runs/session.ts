import type { EventLog } from '../../shared/events/event-log.ts';
import type { Outbound } from '../../shared/net/outbound.ts';
import type { Spill } from '../../shared/store/spill.ts';
import type { Row } from '../../shared/store/table.ts';
import type { Operation } from '../../shared/store/transaction.ts';
import type { WorkflowSettings } from '../../shared/workflow/graph.ts';
import { addUsage, NO_USAGE, type RunRow, type Usage } from '../../shared/workflow/run-record.ts';
import type { StepRow } from '../../shared/workflow/step-record.ts';
import type { CompleteChat } from './complete-chat.ts';
import { commitRows, stepWrite } from './store.ts';
import { standing, type Held } from './lease-store.ts';
import type { Output } from './output.ts';
import type { RunSpace } from './run-context.ts';

/** What a runner brings along. */
export interface RunPorts {
  readonly spill: Spill;
  readonly events: EventLog;
  readonly outbound: Outbound;
  readonly completeChat: CompleteChat;
  readonly notify: (run: RunRow, step: StepRow) => Promise<void>;
  readonly now: () => number;
  readonly newId: () => string;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** One runner's turn at one run. */
export interface Session {
  readonly held: Held;
  readonly run: RunRow;
  readonly settings: WorkflowSettings;
  readonly space: RunSpace;
  /** `_event` as JSON text, or the input when no event started the run. */
  readonly event: Output;
  readonly input: Output;
  readonly ports: RunPorts;
  /** Aborted with the reason when the run must stop: lost, cancelled, out of its own time. */
  readonly signal: AbortSignal;
  /** Everything known about steps, by their id; rows that were not settled are here too. */
  readonly steps: Map<string, StepRow>;
  /** Events that the run has published. */
  readonly emitted: Set<string>;
  /** Rows that wait to be written together. */
  readonly pending: Pending;
  /** Epoch seconds until which steps are kept. */
  readonly ttl: number;
  /** No new work should begin: what is left is for the next runner. */
  isOutOfTime(): boolean;
}

export interface Pending {
  rows: Operation[];
  bytes: number;
  /** Whether the run is known to be running. */
  isAnnounced: boolean;
}

interface Keeping {
  readonly isUrgent?: boolean;
  /** Rows that belong to this result. */
  readonly rows?: readonly Operation[];
  /** Attributes beside the step's own. */
  readonly extra?: Row;
}

const MOST_ROWS = 40;
const MOST_BYTES = 1024 * 1024;

/** Remembers a step's row. Results without effects outside may wait for others; everything else is written at once. */
export async function keepStep(session: Session, step: StepRow, keeping: Keeping = {}) {
  const { isUrgent = false, rows = [], extra = {} } = keeping;
  const { pending, held, ttl } = session;
  session.steps.set(step.step_id, step);
  pending.rows.push(stepWrite(held, step, { ttl, ...extra }), ...rows);
  pending.bytes += sizeOf(step);
  if (isUrgent || pending.rows.length >= MOST_ROWS || pending.bytes >= MOST_BYTES) await flush(session);
}

export async function flush({ held, pending, run }: Session): Promise<void> {
  const rows = takePending(pending);
  if (rows.length === 0) return;
  const first = pending.isAnnounced
    ? []
    : [standing(held, { status: 'running', reason: null, startedAt: run.started_at })];
  pending.isAnnounced = true;
  await commitRows(held, [...rows, ...first]);
}

/** What is waiting, for a transaction that takes it along. */
export function takePending(pending: Pending): readonly Operation[] {
  const { rows } = pending;
  pending.rows = [];
  pending.bytes = 0;
  return rows;
}

const sizeOf = ({ output }: StepRow) => 1000 + (output && 'inline' in output ? output.inline.length : 0);

export const usageOf = (steps: Iterable<StepRow>): Usage =>
  [...steps].reduce((sum, { usage }) => addUsage(sum, usage), NO_USAGE);
