import type { GraphEdge } from '../../shared/workflow/graph.ts';
import type { CompiledGraph, CompiledNode } from './compiled-graph.ts';

/** What is known about a node that has come to its end. */
export interface Settled {
  readonly status: 'succeeded' | 'failed' | 'skipped';
  /** The ways out that were taken. */
  readonly taken: readonly string[];
}

export interface Plan {
  /** Nodes whose every way in is decided, at least one of them taken. */
  readonly ready: readonly CompiledNode[];
  /** Nodes that no taken way leads to. */
  readonly skipped: readonly CompiledNode[];
}

/** What can happen next: pure, from the graph and what has happened so far. */
export function planNext({ nodes }: CompiledGraph, settled: ReadonlyMap<string, Settled>): Plan {
  const ready: CompiledNode[] = [];
  const skipped: CompiledNode[] = [];
  const passedOver = new Set<string>();
  const wayOf = ({ source, source_handle }: GraphEdge) => {
    if (passedOver.has(source)) return 'dead';
    const before = settled.get(source);
    if (!before) return 'open';
    return before.taken.includes(source_handle) ? 'taken' : 'dead';
  };
  for (const [id, node] of nodes) {
    if (settled.has(id)) continue;
    const ways = node.incoming.map(wayOf);
    if (ways.includes('open')) continue;
    if (node.kind === 'start' || ways.includes('taken')) ready.push(node);
    else {
      skipped.push(node);
      passedOver.add(id);
    }
  }
  return { ready, skipped };
}

/** Where a node's input comes from: the sources whose way to it was taken. */
export const sourcesOf = ({ incoming }: CompiledNode, settled: ReadonlyMap<string, Settled>) => [
  ...new Set(
    incoming
      .filter(({ source, source_handle }) => settled.get(source)?.taken.includes(source_handle))
      .map(({ source }) => source),
  ),
];
