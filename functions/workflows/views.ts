import type { Graph } from '../../shared/workflow/graph.ts';
import type { Verdict } from '../../shared/workflow/problem.ts';
import type { VersionRow, WorkflowRow } from '../../shared/workflow/workflow-row.ts';

interface Shown {
  readonly workflow: WorkflowRow;
  readonly graph: Graph;
}

export const workflowView = ({ workflow, graph }: Shown, validate: (graph: Graph) => Verdict) => {
  const { errors, warnings } = validate(graph);
  return { ...workflow, graph, warnings: [...errors, ...warnings] };
};

export const snapshotView = <V extends VersionRow>(
  version: V,
  { live_version }: Pick<WorkflowRow, 'live_version'>,
) => ({
  ...version,
  is_live: live_version?.version === version.version,
});
