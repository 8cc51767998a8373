import * as z from 'zod';

/** The graph as it is saved. It may still be wrong: `validate.ts` tells everything that keeps it from being published. */

export const MAX_NODES = 200;
export const MAX_EDGES = 400;
export const MAX_GRAPH_BYTES = 1024 * 1024;

export const GraphNode = z.object({
  id: z.string().min(1).max(200),
  kind: z.string().min(1).max(40),
  name: z.string().max(120).default(''),
  /** Where the editor draws it; never a change of the workflow. */
  position: z.object({ x: z.number(), y: z.number() }).default({ x: 0, y: 0 }),
  /** Passes its input on without doing anything. */
  disabled: z.boolean().default(false),
});
export type GraphNode = z.output<typeof GraphNode>;

export const GraphEdge = z
  .object({
    id: z.string().min(1).max(500).optional(),
    source: z.string().min(1).max(200),
    target: z.string().min(1).max(200),
    source_handle: z.string().min(1).max(80).default('out'),
    label: z.string().max(200).optional(),
  })
  .transform((edge) => ({ ...edge, id: edge.id ?? edgeIdentity(edge) }));
export type GraphEdge = z.output<typeof GraphEdge>;

interface EdgeEnds {
  readonly source: string;
  readonly source_handle: string;
  readonly target: string;
}

/** What makes two edges the same edge, whatever id the editor gave them. */
export const edgeIdentity = ({ source, source_handle, target }: EdgeEnds) => `${source}:${source_handle}>${target}`;

/** What a caller may set; what is not given keeps its value. */
export const SettingsChange = z
  .object({
    timeout_s: z.int().min(1).max(86_400),
    max_steps: z.int().min(1).max(5000),
    retention_days: z.int().min(1).max(365),
    /** Published on the bus when a run fails. */
    error_event_type: z
      .string()
      .regex(/^[a-z][a-z0-9_]{0,99}$/, 'must be snake_case')
      .nullable(),
    catalog_id: z.string().min(1).max(80).nullable(),
    space_id: z.string().min(1).max(80).nullable(),
  })
  .partial();
export type SettingsChange = z.output<typeof SettingsChange>;

const DEFAULT_SETTINGS = {
  timeout_s: 900,
  max_steps: 500,
  retention_days: 30,
  error_event_type: null,
  catalog_id: null,
  space_id: null,
} as const satisfies Required<SettingsChange>;

export const WorkflowSettings = SettingsChange.transform((given): Required<SettingsChange> => ({
  ...DEFAULT_SETTINGS,
  ...given,
}));
export type WorkflowSettings = z.output<typeof WorkflowSettings>;

export const NodeConfig = z.record(z.string(), z.unknown());
export type NodeConfig = z.output<typeof NodeConfig>;

export const SubGraph = z.object({
  nodes: z.array(GraphNode).default([]),
  edges: z.array(GraphEdge).default([]),
  configs: z.record(z.string(), NodeConfig).default({}),
});
export type SubGraph = z.output<typeof SubGraph>;

export const Graph = z.object({
  schema: z.literal(1).default(1),
  ...SubGraph.shape,
  settings: WorkflowSettings.prefault({}),
});
export type Graph = z.output<typeof Graph>;

/** A graph as callers send it: settings they leave out stay as they are. */
export const GraphInput = z.object({
  schema: z.literal(1).default(1),
  ...SubGraph.shape,
  settings: SettingsChange.default({}),
});
export type GraphInput = z.output<typeof GraphInput>;

/** Where a new workflow begins. */
export const starterGraph = (): Graph =>
  Graph.parse({
    nodes: [
      { id: 'start', kind: 'start', name: 'Start' },
      { id: 'end', kind: 'end', name: 'End', position: { x: 320, y: 0 } },
    ],
    edges: [{ source: 'start', target: 'end' }],
  });
