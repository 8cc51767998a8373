import type { GraphEdge, GraphNode, SubGraph } from '../../shared/workflow/graph.ts';
import { isNodeKind, kindSpec, type ConfigOf, type NodeKind } from '../../shared/workflow/kinds/table.ts';
import { ancestorsOf, topologyOf } from '../../shared/workflow/topology.ts';
import { NodeFailure } from './failure.ts';

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
    if (!isNodeKind(node.kind)) throw unusable(node, 'there is no such kind any more');
    const ancestors = ancestorsOf(topology, node.id);
    return {
      depth: ancestors.size,
      node,
      kind: node.kind,
      config: configOf(node, node.kind, graph),
      incoming: topology.incoming.get(node.id) ?? [],
      isFirstAgent: node.kind === 'agent' && ![...ancestors].some((id) => agents.has(id)),
    };
  });
  // Every ancestor of a node has fewer ancestors than the node itself.
  const ordered = compiled.toSorted((a, b) => a.depth - b.depth);
  // The kind says which configuration it is; a list of mixed kinds cannot express that.
  return { nodes: new Map(ordered.map((one) => [one.node.id, one as unknown as CompiledNode])) };
}

/** What was published fits unless a kind has changed since; then the run says so instead of being tried for ever. */
function configOf(node: GraphNode, kind: NodeKind, { configs }: SubGraph): unknown {
  const parsed = kindSpec(kind).config.safeParse(configs[node.id] ?? {});
  if (!parsed.success) throw unusable(node, parsed.error.issues[0]?.message ?? 'its configuration does not fit');
  return parsed.data;
}

const unusable = ({ id, kind }: GraphNode, reason: string) =>
  new NodeFailure('bad_graph', `The ${kind} node "${id}" cannot run: ${reason}`);
