import type { WorkflowSettings } from '../../shared/workflow/graph.ts';
import type { WorkflowReader } from '../../shared/workflow/workflow-reader.ts';
import type { RunRow } from '../../shared/workflow/run-record.ts';
import { compileGraph, type CompiledGraph } from './compiled-graph.ts';

export interface RunnableGraph {
  readonly graph: CompiledGraph;
  readonly settings: WorkflowSettings;
}

export type FindVersion = (run: RunRow & { readonly version: number }) => Promise<RunnableGraph | undefined>;

const MOST_REMEMBERED = 200;

/** Snapshots never change, so a process needs to read and compile each only once. */
export function createFindVersion(reader: WorkflowReader): FindVersion {
  const known = new Map<string, RunnableGraph>();
  return async ({ tenant, workflow_id, version }) => {
    const name = `${tenant}/${workflow_id}/${version}`;
    const found = known.get(name);
    if (found) return found;
    const snapshot = await reader.version(tenant, workflow_id, version);
    if (!snapshot) return undefined;
    if (known.size >= MOST_REMEMBERED) known.clear();
    const runnable = { graph: compileGraph(snapshot.graph), settings: snapshot.graph.settings };
    known.set(name, runnable);
    return runnable;
  };
}
