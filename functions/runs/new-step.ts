import { NO_USAGE } from '../../shared/workflow/run-record.ts';
import type { StepRow } from '../../shared/workflow/step-record.ts';
import type { CompiledNode } from './compiled-graph.ts';
import type { Session } from './session.ts';

/** The row of a step about which nothing is known yet. */
export const newStep = ({ run, ports }: Session, { node, kind }: CompiledNode, stepId: string): StepRow => ({
  run_id: run.run_id,
  step_id: stepId,
  node_id: node.id,
  kind,
  name: node.name,
  status: 'running',
  attempt: 1,
  attempts: [],
  output: null,
  error: null,
  usage: NO_USAGE,
  emitted_event_ids: [],
  taken: [],
  retry_at: null,
  task: null,
  started_at: ports.now(),
  finished_at: null,
});
