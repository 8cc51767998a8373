import { checkConfig, type ConfigContext } from './check-config.ts';
import { checkShape } from './check-shape.ts';
import { MAX_EDGES, MAX_NODES, type Graph } from './graph.ts';
import { isNodeKind } from './kinds/table.ts';
import type { GraphProblem, Verdict } from './problem.ts';
import { ancestorsOf, topologyOf } from './topology.ts';

export type ValidationContext = Pick<ConfigContext, 'checkText' | 'isKnownTool'>;

/** Every problem of a graph at once. Saving a draft only shows them; staging refuses the errors. */
export function validateGraph(graph: Graph, context: ValidationContext): Verdict {
  const topology = topologyOf(graph);
  const known = new Set(graph.nodes.map(({ id }) => id));
  const configs = graph.nodes.flatMap((node) =>
    checkConfig(node, graph, { ...context, topology, known, upstream: ancestorsOf(topology, node.id), names: NAMES }),
  );
  const problems = [...checkSize(graph), ...checkShape(graph, topology), ...configs, ...checkCatalog(graph)];
  const warnings = problems.filter(({ code }) => WARNINGS.has(code));
  const errors = problems.filter(({ code }) => !WARNINGS.has(code));
  return { valid: errors.length === 0, errors, warnings };
}

/** What every expression of a workflow can name. */
export const NAMES = ['payload', 'event', 'input', 'nodes', 'run', 'vars'] as const;

const WARNINGS: ReadonlySet<GraphProblem['code']> = new Set(['dead_end', 'no_catalog']);

function checkSize({ nodes, edges }: Graph): GraphProblem[] {
  const over = (code: 'too_many_nodes' | 'too_many_edges', path: string, most: number): GraphProblem => ({
    code,
    path,
    message: `A workflow has at most ${most} ${path}`,
  });
  return [
    ...(nodes.length > MAX_NODES ? [over('too_many_nodes', 'nodes', MAX_NODES)] : []),
    ...(edges.length > MAX_EDGES ? [over('too_many_edges', 'edges', MAX_EDGES)] : []),
  ];
}

function checkCatalog({ nodes, settings }: Graph): GraphProblem[] {
  if (settings.catalog_id !== null) return [];
  return nodes
    .filter(({ kind, disabled }) => isNodeKind(kind) && kind === 'agent' && !disabled)
    .map(({ id }) => ({
      code: 'no_catalog',
      path: 'settings.catalog_id',
      node_id: id,
      message: `The agent "${id}" runs only where the trigger names a catalog, because the workflow names none`,
    }));
}
