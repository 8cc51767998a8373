import type { GraphEdge, GraphNode, SubGraph } from '../../shared/workflow/graph.ts';
import { isNodeKind, kindSpec, type ConfigOf, type NodeKind } from '../../shared/workflow/kinds/table.ts';
import { ancestorsOf, topologyOf } from '../../shared/workflow/topology.ts';

export type CompiledNode = {
  readonly [K in NodeKind]: {
    readonly node: GraphNode;
    readonly kind: K;
    readonly config: ConfigOf<K>;
    readonly incoming: readonly GraphEdge[];
    /** No agent comes before this one. */
    readonly isFirstAgent: boolean;
  };
}[NodeKind];

/** A graph that has passed validation, ready to be walked. */
export interface CompiledGraph {
  /** In an order in which every node comes after all it depends on. */
  readonly nodes: ReadonlyMap<string, CompiledNode>;
}

export function compileGraph(graph: SubGraph): CompiledGraph {
  const topology = topologyOf(graph);
  const agents = new Set(graph.nodes.filter(({ kind }) => kind === 'agent').map(({ id }) => id));
  const compiled = graph.nodes.map((node) => {
    if (!isNodeKind(node.kind)) throw new Error(`The graph has a node of an unknown kind: ${node.kind}`);
    const ancestors = ancestorsOf(topology, node.id);
    return {
      depth: ancestors.size,
      node,
      kind: node.kind,
      config: kindSpec(node.kind).config.parse(graph.configs[node.id] ?? {}),
      incoming: topology.incoming.get(node.id) ?? [],
      isFirstAgent: node.kind === 'agent' && ![...ancestors].some((id) => agents.has(id)),
    };
  });
  // Every ancestor of a node has fewer ancestors than the node itself.
  const ordered = compiled.toSorted((a, b) => a.depth - b.depth);
  // The kind says which configuration it is; a list of mixed kinds cannot express that.
  return { nodes: new Map(ordered.map((one) => [one.node.id, one as unknown as CompiledNode])) };
}
