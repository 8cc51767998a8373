import * as z from 'zod';
import { invalidField, notFound } from '../../shared/errors.ts';
import type { UserActor } from '../../shared/identity/actor.ts';
import type { Graph } from '../../shared/workflow/graph.ts';
import { RunEvent, runIdOf, type RunRow } from '../../shared/workflow/run-record.ts';
import type { StepRow } from '../../shared/workflow/step-record.ts';
import { descendantsOf, topologyOf } from '../../shared/workflow/topology.ts';
import type { ReplayRequest } from './records.ts';
import type { Chosen, Runs, RunsParts } from './service.ts';

/** What is read of the run that is played again. */
export interface Original {
  readonly state: unknown;
  readonly graph: Graph | undefined;
  readonly steps: readonly StepRow[];
}

export interface ReplayParts extends Pick<RunsParts, 'startRun' | 'newId'> {
  readonly runs: Runs;
  readonly readOriginal: (run: RunRow) => Promise<Original | undefined>;
}

const State = z.object({ _event: RunEvent.nullable(), input: z.unknown() });

interface Replaying {
  readonly request: ReplayRequest;
  readonly key: string | null;
}

/** A new run under a new id: a failed run never stands in the way of trying again. */
export const createReplays = (parts: ReplayParts) => ({
  async replay(actor: UserActor, run: RunRow, { request, key }: Replaying): Promise<RunRow> {
    const { runs, readOriginal } = parts;
    const workflow = await runs.demandWorkflow(actor, run.workflow_id);
    const original = await readOriginal(run);
    if (!original) throw notFound('Run');
    const chosen = await chosenFor(runs, { run, original, request, workflow });
    const state = changedState(State.parse(original.state), request);
    const along = {
      ...(chosen.version === null && { graph: chosen.graph }),
      steps: request.from_step === undefined ? [] : keptSteps(original.steps, chosen.graph, request.from_step),
    };
    const { run_id } = run;
    const start = {
      ...run,
      run_id: runIdOf('replay', run_id, key ?? parts.newId()),
      version: chosen.version,
      version_id: chosen.version_id,
      trigger: { ...run.trigger, type: 'replay' as const },
      user_id: actor.userId,
      replay_of: run_id,
      event: state._event,
      input: state.input,
      start_digest: undefined,
    };
    return parts.startRun(start, along);
  },
});

export type Replays = ReturnType<typeof createReplays>;

interface Choosing {
  readonly run: RunRow;
  readonly original: Original;
  readonly request: ReplayRequest;
  readonly workflow: Parameters<Runs['choose']>[0];
}

/** The very graph that ran the first time, unless another one is asked for. */
async function chosenFor(runs: Runs, { run, original, request, workflow }: Choosing): Promise<Chosen> {
  if (request.version !== undefined) return runs.choose(workflow, request.version);
  if (original.graph) return { version: null, version_id: run.version_id, graph: original.graph };
  return runs.choose(workflow, run.version_id);
}

function changedState(state: z.output<typeof State>, { input }: ReplayRequest) {
  if (input === undefined) return state;
  return { _event: state._event && { ...state._event, payload: input }, input };
}

/** Everything settled that neither is the step nor comes after it; what ended the first run is done again as well. */
export function keptSteps(steps: readonly StepRow[], graph: Graph, fromStep: string): readonly StepRow[] {
  if (!graph.nodes.some(({ id }) => id === fromStep))
    throw invalidField(['body', 'from_step'], `There is no node called "${fromStep}" in this version`);
  const redone = new Set([fromStep, ...descendantsOf(topologyOf(graph), [fromStep])]);
  const known = new Set(graph.nodes.map(({ id }) => id));
  return steps.filter(({ step_id, status, taken }) => {
    const [root = ''] = step_id.split('.');
    const wentOn = status === 'succeeded' || status === 'skipped' || (status === 'failed' && taken.length > 0);
    return wentOn && known.has(root) && !redone.has(root);
  });
}
