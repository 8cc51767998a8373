import { edgeIdentity, type GraphNode, type NodeConfig, type SubGraph } from './graph.ts';

/** A node as far as it matters for what the workflow does: where it is drawn is left out. */
export interface NodeView {
  readonly kind: string;
  readonly name: string;
  readonly disabled: boolean;
  readonly config: NodeConfig;
}

export const nodeView = ({ id, kind, name, disabled }: GraphNode, configs: SubGraph['configs']): NodeView => ({
  kind,
  name,
  disabled,
  config: kind === 'map' ? withoutLayout(configs[id] ?? {}) : (configs[id] ?? {}),
});

/** The graph inside a map node has a layout of its own. */
function withoutLayout(config: NodeConfig): NodeConfig {
  const { body } = config;
  if (!isRecord(body)) return config;
  const { nodes, edges } = body;
  return {
    ...config,
    body: {
      ...body,
      ...(Array.isArray(nodes) && { nodes: nodes.map((node: unknown) => without(node, 'position')) }),
      ...(Array.isArray(edges) && { edges: edges.map(namedByEnds) }),
    },
  };
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function without(value: unknown, key: string): unknown {
  if (!isRecord(value)) return value;
  const { [key]: _, ...rest } = value;
  return rest;
}

function namedByEnds(edge: unknown): unknown {
  if (!isRecord(edge)) return edge;
  const { source, target, source_handle = 'out' } = edge;
  const ends = { source: String(source), target: String(target), source_handle: String(source_handle) };
  return { ...edge, ...ends, id: edgeIdentity(ends) };
}
