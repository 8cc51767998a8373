import { batchGet } from '../../shared/store/batch.ts';
import { when, type Condition } from '../../shared/store/expression.ts';
import { openTable, type Query } from '../../shared/store/table.ts';
import type { CursorPage, CursorPaging } from '../../shared/workflow/cursor-page.ts';
import { filteredPage } from '../../shared/workflow/filtered-page.ts';
import {
  openTasks,
  runInputKey,
  runKey,
  runPartition,
  runsOfTenant,
  runsOfWorkflow,
  sortableTime,
  stepKey,
} from '../../shared/workflow/keys.ts';
import { RunRow } from '../../shared/workflow/run-record.ts';
import { StepRow } from '../../shared/workflow/step-record.ts';
import { StoredJson } from '../../shared/workflow/stored-json.ts';
import type { Spill } from '../../shared/store/spill.ts';
import { conversationSchema, type Turn } from './conversation.ts';
import type { RunFilter } from './records.ts';
import { loadTurns } from './store.ts';

const table = openTable('workflows');

/** Everything the endpoints read about runs. */
export interface Reads {
  run(tenant: string, runId: string): Promise<RunRow | undefined>;
  wholeRun(tenant: string, runId: string): Promise<WholeRun | undefined>;
  step(tenant: string, runId: string, stepId: string): Promise<StepRow | undefined>;
  steps(tenant: string, runId: string, paging: CursorPaging): Promise<CursorPage<StepRow>>;
  /** What was said to and by an agent. */
  messages(run: { readonly tenant: string; readonly runId: string }, stepId: string): Promise<Turn['message'][]>;
  runs(where: Where, query: RunFilter & CursorPaging): Promise<CursorPage<RunRow>>;
  tasks(tenant: string, paging: CursorPaging, keep: (step: StepRow) => boolean): Promise<CursorPage<OpenTask>>;
}

export const createReads = (spill: Spill): Reads => ({
  run: readRun,
  wholeRun: readWholeRun,
  step: readStep,
  steps: listSteps,
  async messages(run, stepId) {
    const turns = conversationSchema.parse(await loadTurns(spill, run, stepId));
    return turns.map(({ message }) => message);
  },
  runs: listRuns,
  tasks: listTasks,
});

/** Runs of one workflow, or of all. */
interface Where {
  readonly tenant: string;
  readonly workflowId?: string;
}

export async function readRun(tenant: string, runId: string): Promise<RunRow | undefined> {
  const row = await table.get(runKey(tenant, runId));
  return row && RunRow.parse(row);
}

export interface WholeRun {
  readonly run: RunRow;
  readonly state: StoredJson;
  readonly output: StoredJson | undefined;
}

async function readWholeRun(tenant: string, runId: string): Promise<WholeRun | undefined> {
  const keys = [runKey(tenant, runId), runInputKey(tenant, runId)];
  const [run, input] = await batchGet(keys.map((key) => ({ table, key })));
  if (!run || !input) return undefined;
  return {
    run: RunRow.parse(run),
    state: StoredJson.parse(input['state']),
    output: StoredJson.optional().parse(input['output']),
  };
}

async function readStep(tenant: string, runId: string, stepId: string): Promise<StepRow | undefined> {
  const row = await table.get(stepKey(tenant, runId, stepId));
  return row && StepRow.parse(row);
}

const listSteps = (tenant: string, runId: string, paging: CursorPaging): Promise<CursorPage<StepRow>> =>
  filteredPage(table, { pk: runPartition(tenant, runId), prefix: 'STEP#', ...paging }, (row) => StepRow.parse(row));

function listRuns(
  { tenant, workflowId }: Where,
  { since = 0, until = Number.MAX_SAFE_INTEGER / 100, ...query }: RunFilter & CursorPaging,
): Promise<CursorPage<RunRow>> {
  const where: Query = workflowId
    ? { pk: runsOfWorkflow(tenant, workflowId), index: 'gsi1' }
    : { pk: runsOfTenant(tenant), index: 'gsi2' };
  const between = [sortableTime(since), `${sortableTime(Math.floor(until))}~`] as const;
  const { status, correlation_id, trigger_type, event_id, ...paging } = query;
  const filter = all([
    ...(status ? [when('#status = :status', { status })] : []),
    ...(correlation_id ? [when('#correlation_id = :correlation_id', { correlation_id })] : []),
    ...(trigger_type ? [when('#trigger.#type = :type', { type: trigger_type })] : []),
    ...(event_id ? [when('#trigger.#event_id = :event_id', { event_id })] : []),
  ]);
  return filteredPage(table, { ...where, between, newestFirst: true, filter, ...paging }, (row) => RunRow.parse(row));
}

const all = (conditions: readonly Condition[]): Condition | undefined =>
  conditions.length === 0
    ? undefined
    : when(
        conditions.map(({ expression }) => expression).join(' AND '),
        Object.assign({}, ...conditions.map(({ values }) => values)) as Record<string, unknown>,
      );

export interface OpenTask extends StepRow {
  readonly workflow_id: string;
}

const listTasks = (
  tenant: string,
  paging: CursorPaging,
  keep: (step: StepRow) => boolean,
): Promise<CursorPage<OpenTask>> =>
  filteredPage(table, { pk: openTasks(tenant), index: 'gsi1', ...paging }, (row) => {
    const step = StepRow.parse(row);
    return keep(step) ? { ...step, workflow_id: String(row['workflow_id']) } : undefined;
  });
