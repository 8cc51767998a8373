import * as z from 'zod';

export const PROBLEM_CODES = [
  'too_many_nodes',
  'too_many_edges',
  'bad_node_id',
  'duplicate_node',
  'unknown_kind',
  'unavailable_kind',
  'cannot_disable',
  'no_start',
  'several_starts',
  'no_end',
  'duplicate_edge',
  'dangling_edge',
  'bad_edge',
  'bad_handle',
  'cycle',
  'unreachable',
  'dead_end',
  'unknown_node',
  'bad_config',
  'bad_expression',
  'unknown_name',
  'unknown_reference',
  'not_upstream',
  'unknown_tool',
  'no_catalog',
  'unknown_catalog',
  'unknown_space',
] as const;

export type ProblemCode = (typeof PROBLEM_CODES)[number];

/** One thing that is wrong with a graph, and where. */
export const GraphProblem = z.object({
  code: z.enum(PROBLEM_CODES),
  /** Dotted, from the root of the graph. */
  path: z.string(),
  message: z.string(),
  node_id: z.string().optional(),
  /** For what concerns several nodes, such as a cycle. */
  node_ids: z.array(z.string()).optional(),
  edge_id: z.string().optional(),
  /** Within the text of an expression. */
  position: z.object({ offset: z.int(), line: z.int(), column: z.int() }).optional(),
});
export type GraphProblem = z.output<typeof GraphProblem>;

export interface Verdict {
  readonly valid: boolean;
  readonly errors: GraphProblem[];
  readonly warnings: GraphProblem[];
}

/** The same problem as seen from outside the graph it was found in. */
export const within = (path: string, problem: GraphProblem): GraphProblem => ({
  ...problem,
  path: `${path}.${problem.path}`,
});
