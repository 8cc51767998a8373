import { edgeIdentity, type GraphEdge, type GraphNode, type SubGraph } from './graph.ts';
import { isNodeKind, kindSpec } from './kinds/table.ts';
import type { GraphProblem } from './problem.ts';
import { cyclesOf, descendantsOf, type Topology } from './topology.ts';

/** What can be wrong with nodes and edges whatever they are configured to do. */
export function checkShape(graph: SubGraph, topology: Topology): GraphProblem[] {
  return [
    ...graph.nodes.flatMap((node, at) => checkNode(node, at, graph.nodes)),
    ...checkEnds(graph.nodes),
    ...graph.edges.flatMap((edge, at) => checkEdge(edge, at, graph)),
    ...checkCycles(topology),
    ...checkReach(graph, topology),
    ...checkOrphans(graph),
  ];
}

const NODE_ID = /^[a-z0-9_]{1,40}$/;

function checkNode(node: GraphNode, at: number, all: readonly GraphNode[]): GraphProblem[] {
  const { id, kind } = node;
  const problem = (code: GraphProblem['code'], message: string): GraphProblem => ({
    code,
    path: `nodes.${at}`,
    node_id: id,
    message,
  });
  const isRepeated = all.findIndex((other) => other.id === id) !== at;
  const spec = isNodeKind(kind) ? kindSpec(kind) : undefined;
  return [
    ...(NODE_ID.test(id) ? [] : [problem('bad_node_id', `The id "${id}" is not 1 to 40 of a-z, 0-9 and _`)]),
    ...(isRepeated ? [problem('duplicate_node', `Two nodes have the id "${id}"`)] : []),
    ...(spec ? [] : [problem('unknown_kind', `There is no kind of node called "${kind}"`)]),
    ...(spec?.unavailable && !node.disabled ? [problem('unavailable_kind', spec.unavailable)] : []),
    ...(spec?.alwaysOn && node.disabled ? [problem('cannot_disable', `A ${kind} node cannot be switched off`)] : []),
  ];
}

function checkEnds(nodes: readonly GraphNode[]): GraphProblem[] {
  const starts = nodes.filter(({ kind }) => kind === 'start');
  const hasEnd = nodes.some(({ kind }) => kind === 'end');
  return [
    ...(starts.length === 0
      ? [{ code: 'no_start', path: 'nodes', message: 'The graph has no start node' } as const]
      : []),
    ...starts.slice(1).map(({ id }) => ({
      code: 'several_starts' as const,
      path: 'nodes',
      node_id: id,
      message: `"${id}" is a second start node`,
    })),
    ...(hasEnd ? [] : [{ code: 'no_end', path: 'nodes', message: 'The graph has no end node' } as const]),
  ];
}

function checkEdge(edge: GraphEdge, at: number, { nodes, edges }: SubGraph): GraphProblem[] {
  const kindOf = (id: string) => nodes.find((node) => node.id === id)?.kind;
  const problem = (code: GraphProblem['code'], message: string, node_id?: string): GraphProblem => ({
    code,
    path: `edges.${at}`,
    edge_id: edge.id,
    node_id,
    message,
  });
  const missing = [edge.source, edge.target].filter((id) => kindOf(id) === undefined);
  const isRepeated = edges.findIndex((other) => edgeIdentity(other) === edgeIdentity(edge)) !== at;
  return [
    ...missing.map((id) => problem('dangling_edge', `The edge names the node "${id}", which does not exist`, id)),
    ...(isRepeated ? [problem('duplicate_edge', `The edge ${edgeIdentity(edge)} stands twice`)] : []),
    ...(kindOf(edge.target) === 'start' ? [problem('bad_edge', 'No edge can lead into the start', edge.target)] : []),
    ...(kindOf(edge.source) === 'end' ? [problem('bad_edge', 'No edge can lead out of an end', edge.source)] : []),
  ];
}

const checkCycles = (topology: Topology): GraphProblem[] =>
  cyclesOf(topology).map((node_ids) => ({
    code: 'cycle',
    path: 'edges',
    node_ids,
    message: `The graph runs in a circle through ${node_ids.join(', ')}`,
  }));

function checkReach({ nodes }: SubGraph, topology: Topology): GraphProblem[] {
  const starts = nodes.filter(({ kind }) => kind === 'start').map(({ id }) => id);
  if (starts.length === 0) return [];
  const reached = new Set([...starts, ...descendantsOf(topology, starts)]);
  const lost = nodes.filter(({ id }) => !reached.has(id));
  const stuck = nodes.filter(({ id, kind }) => kind !== 'end' && topology.outgoing.get(id)?.length === 0);
  const about = (code: 'unreachable' | 'dead_end', text: string) => (node: GraphNode) => ({
    code,
    path: `nodes.${nodes.indexOf(node)}`,
    node_id: node.id,
    message: `"${node.id}" ${text}`,
  });
  return [
    ...lost.map(about('unreachable', 'cannot be reached from the start')),
    ...stuck.map(about('dead_end', 'leads nowhere: what it does has no further effect on the output')),
  ];
}

const checkOrphans = ({ nodes, configs }: SubGraph): GraphProblem[] =>
  Object.keys(configs)
    .filter((id) => !nodes.some((node) => node.id === id))
    .map((id) => ({
      code: 'unknown_node',
      path: `configs.${id}`,
      node_id: id,
      message: `There is a configuration for the node "${id}", which does not exist`,
    }));
