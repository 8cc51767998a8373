import type { Spill } from '../../shared/store/spill.ts';
import { absent, when } from '../../shared/store/expression.ts';
import { openTable, type Row } from '../../shared/store/table.ts';
import { deleting, putting, transact, updating, type Operation } from '../../shared/store/transaction.ts';
import { Graph } from '../../shared/workflow/graph.ts';
import {
  activeKey,
  runInputKey,
  runKey,
  runPartition,
  stepKey,
  turnKey,
  turnPrefix,
  workKey,
} from '../../shared/workflow/keys.ts';
import { listed } from '../../shared/workflow/run-start.ts';
import { RunRow } from '../../shared/workflow/run-record.ts';
import { StepRow } from '../../shared/workflow/step-record.ts';
import { packJson, StoredJson, unpackJson } from '../../shared/workflow/stored-json.ts';
import { asLoss, holding, type Held } from './lease-store.ts';

const table = openTable('workflows');

/** Everything a runner reads to go on where the last one stopped. */
export interface LoadedRun {
  readonly run: RunRow;
  /** JSON text of `{_event, _trigger, input}`. */
  readonly state: StoredJson;
  /** Only runs of a working graph bring their own. */
  readonly graph: StoredJson | undefined;
  readonly steps: readonly StepRow[];
}

/** GRAPH, INPUT, META and the steps lie side by side; turns and the lease do not come along. */
export async function loadRun(tenant: string, runId: string): Promise<LoadedRun | undefined> {
  const rows = new Map<string, Row>();
  for await (const row of table.walk({ pk: runPartition(tenant, runId), between: ['GRAPH', 'STEP#~'] }))
    rows.set(String(row['sk']), row);
  const [meta, input] = [rows.get('META'), rows.get('INPUT')];
  if (!meta || !input) return undefined;
  const steps = [...rows].filter(([sk]) => sk.startsWith('STEP#')).map(([, row]) => StepRow.parse(row));
  const graph = rows.get('GRAPH');
  return {
    run: RunRow.parse(meta),
    state: StoredJson.parse(input['state']),
    graph: graph && StoredJson.parse(graph['graph']),
    steps,
  };
}

export const unpackGraph = async (spill: Spill, stored: StoredJson) => Graph.parse(await unpackJson(spill, stored));

/** A settled step is never written again. */
const UNSETTLED = when('attribute_not_exists(pk) OR #status IN (:running, :pending, :waiting)', {
  running: 'running',
  pending: 'pending',
  waiting: 'waiting',
});

export const stepWrite = ({ tenant, runId }: Held, step: StepRow, extra: Row = {}): Operation =>
  putting('step', table, { ...stepKey(tenant, runId, step.step_id), ...step, ...extra }, UNSETTLED);

/** Commits rows if the run is still ours. */
export async function commitRows(held: Held, rows: readonly Operation[]): Promise<void> {
  await transact([holding(held), ...rows]).catch(asLossUnless(['event']));
}

/** Only a lost lease is a loss; other conditions are for the caller to read. */
const asLossUnless = (labels: readonly string[]) => (error: unknown) => {
  if (error instanceof Error && 'what' in error && labels.includes(String(error.what))) throw error;
  return asLoss(error);
};

export interface RunEnd {
  readonly run: RunRow;
  readonly output: StoredJson | null;
  /** Epoch seconds until which the run is kept. */
  readonly ttl: number;
}

/** The last transaction of a run: its result, its place among the active ones, its lease. */
export async function finishRun(held: Held, { run, output, ttl }: RunEnd, rows: readonly Operation[]): Promise<void> {
  const { tenant, runId, token } = held;
  const active = activeKey(tenant, run.workflow_id, run.correlation_id);
  await transact([
    deleting('work', table, workKey(tenant, runId), when('#token = :token', { token })),
    putting('run', table, { ...runKey(tenant, runId), ...run, ...listed(run, run.created_at), ttl }),
    updating('input', table, runInputKey(tenant, runId), { set: { ttl, output: output ?? undefined } }),
    updating('active', table, active, { exclude: { runs: new Set([runId]) } }),
    ...rows,
  ]).catch(asLossUnless(['event']));
}

export async function loadTurns(
  spill: Spill,
  { tenant, runId }: Pick<Held, 'tenant' | 'runId'>,
  stepId: string,
): Promise<unknown[]> {
  const turns: unknown[] = [];
  for await (const row of table.walk({ pk: runPartition(tenant, runId), prefix: turnPrefix(stepId) }))
    turns.push(await unpackJson(spill, StoredJson.parse(row['turn'])));
  return turns;
}

const INLINE_BYTES = 100 * 1024;

export interface NewTurn {
  readonly stepId: string;
  readonly at: number;
  readonly turn: unknown;
  readonly ttl: number;
}

/** A turn is stored once, before anything that follows from it happens. */
export async function turnWrite(
  spill: Spill,
  { tenant, runId }: Held,
  { stepId, at, turn, ttl }: NewTurn,
): Promise<Operation> {
  const key = turnKey(tenant, runId, { stepId, at });
  const stored = await packJson(spill, `runs/${tenant}/${runId}/${stepId}/turn-${at}.json`, turn, INLINE_BYTES);
  return putting('turn', table, { ...key, turn: stored, ttl }, absent);
}
