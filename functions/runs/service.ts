import { AppError, conflict, invalidField, notFound } from '../../shared/errors.ts';
import { tenantOf, type UserActor } from '../../shared/identity/actor.ts';
import { canonicalJson, sha256 } from '../../shared/workflow/canonical.ts';
import type { RunContextIds } from '../../shared/workflow/context-reader.ts';
import type { Graph } from '../../shared/workflow/graph.ts';
import type { Verdict } from '../../shared/workflow/problem.ts';
import { isOver, runIdOf, type RunRow } from '../../shared/workflow/run-record.ts';
import type { NewRun } from '../../shared/workflow/run-start.ts';
import type { WorkflowReader } from '../../shared/workflow/workflow-reader.ts';
import { versionIdOf, versionNumberOf, type WorkflowRow } from '../../shared/workflow/workflow-row.ts';
import type { StartRequest } from './records.ts';
import type { StartAlong } from './start-store.ts';

export interface RunsParts {
  readonly reader: WorkflowReader;
  readonly readRun: (tenant: string, runId: string) => Promise<RunRow | undefined>;
  readonly startRun: (start: NewRun, along: StartAlong) => Promise<RunRow>;
  readonly cancelRun: (run: { tenant: string; runId: string; reason: string }) => Promise<boolean>;
  readonly validate: (graph: Graph) => Promise<Verdict>;
  readonly demandUsable: (actor: UserActor, ids: RunContextIds) => Promise<void>;
  readonly now: () => number;
  readonly newId: () => string;
}

/** What a run is to do: a snapshot, or the working graph as it is now. */
export interface Chosen {
  readonly version: number | null;
  readonly version_id: string;
  readonly graph: Graph;
}

export function createRuns(parts: RunsParts) {
  const { reader, readRun } = parts;
  const demandWorkflow = async (actor: UserActor, id: string): Promise<WorkflowRow> => {
    const workflow = await reader.workflow(tenantOf(actor), id);
    if (!workflow) throw notFound('Workflow');
    return workflow;
  };
  const demandRun = async (actor: UserActor, workflowId: string, runId: string): Promise<RunRow> => {
    const run = await readRun(tenantOf(actor), runId);
    if (!run || run.workflow_id !== workflowId) throw notFound('Run');
    return run;
  };
  return {
    demandWorkflow,
    demandRun,
    choose: (workflow: WorkflowRow, version: string) => chooseVersion(parts, workflow, version),

    async start(actor: UserActor, id: string, { request, key }: { request: StartRequest; key: string | null }) {
      const workflow = await demandWorkflow(actor, id);
      if (workflow.archived) throw conflict('The workflow is archived; unarchive it first');
      const [chosen] = await Promise.all([
        chooseVersion(parts, workflow, request.version),
        parts.demandUsable(actor, request),
      ]);
      const run_id = runIdOf('manual', workflow.tenant, workflow.id, key ?? parts.newId());
      const start = manualRun({ run_id, workflow, chosen, request, userId: actor.userId, now: parts.now() });
      const digest = key === null ? undefined : sha256(canonicalJson(request));
      return parts.startRun({ ...start, start_digest: digest }, chosen.version === null ? { graph: chosen.graph } : {});
    },

    async cancel(actor: UserActor, workflowId: string, runId: string) {
      const run = await demandRun(actor, workflowId, runId);
      const isAsked = !isOver(run.status) && (await parts.cancelRun({ tenant: run.tenant, runId, reason: 'by_user' }));
      if (!isAsked) throw conflict('The run has already ended');
      return run;
    },
  };
}

export type Runs = ReturnType<typeof createRuns>;

async function chooseVersion({ reader, validate }: RunsParts, workflow: WorkflowRow, version: string): Promise<Chosen> {
  if (version === 'draft') {
    const draft = await reader.draft(workflow.tenant, workflow.id);
    if (!draft) throw notFound('Workflow');
    demandValid(await validate(draft.graph));
    return { version: null, version_id: 'draft', graph: draft.graph };
  }
  if (version === 'live' && !workflow.live_version)
    throw new AppError('workflow_not_published', 'The workflow has no published version');
  const number = version === 'live' ? workflow.live_version?.version : versionNumberOf(version);
  const snapshot = number === undefined ? undefined : await reader.version(workflow.tenant, workflow.id, number);
  if (!snapshot) throw notFound('Version');
  // A manual snapshot may hold a graph that was never fit to run.
  if (snapshot.type === 'Manual') demandValid(await validate(snapshot.graph));
  return { version: snapshot.version, version_id: versionIdOf(snapshot.version), graph: snapshot.graph };
}

function demandValid({ errors }: Verdict) {
  if (errors.length === 0) return;
  throw new AppError('validation_failed', `The graph has ${errors.length} error(s) and cannot run`, {
    problems: errors.map(({ code, path, message }) => ({
      type: code,
      loc: ['graph', ...path.split('.')],
      msg: message,
    })),
    facts: { problems: errors },
  });
}

interface ManualStart {
  readonly run_id: string;
  readonly workflow: WorkflowRow;
  readonly chosen: Chosen;
  readonly request: StartRequest;
  readonly userId: string;
  readonly now: number;
}

function manualRun({ run_id, workflow, chosen, request, userId, now }: ManualStart): NewRun {
  const correlation_id = request.correlation_id ?? request.event?.correlation_id ?? run_id;
  const event = request.event && {
    id: `evt_${run_id}`,
    type: request.event.event_type,
    payload: request.event.payload ?? null,
    correlation_id,
    source: request.event.source,
    published_at: now,
  };
  return {
    tenant: workflow.tenant,
    run_id,
    workflow_id: workflow.id,
    version: chosen.version,
    version_id: chosen.version_id,
    trigger: { type: request.test ? 'test' : 'manual', trigger_id: null, event_id: null, scheduled_for: null },
    correlation_id,
    user_id: userId,
    catalog_id: request.catalog_id ?? null,
    space_id: request.space_id ?? null,
    depth: 0,
    root_event_id: run_id,
    chain: [],
    event: event ?? null,
    input: request.input === undefined && event ? event.payload : request.input,
    is_test: request.test,
  };
}

const LONGEST_KEY = 200;

/** An idempotency key as it came, if it is one. */
export function keyIn(header: string | null): string | null {
  if (header === null || header === '') return null;
  if (header.length > LONGEST_KEY)
    throw invalidField(['header', 'Idempotency-Key'], `at most ${LONGEST_KEY} characters`);
  return header;
}
