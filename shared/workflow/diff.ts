import { canonicalJson } from './canonical.ts';
import { diffFields, type FieldChange } from './field-diff.ts';
import { edgeIdentity, type Graph, type GraphEdge, type GraphNode } from './graph.ts';
import { nodeView, type NodeView } from './node-view.ts';

/** What two graphs do differently. Where a node is drawn only shows as `moved`. */
export interface GraphDiff {
  readonly summary: { readonly nodes: Counts; readonly edges: Counts };
  readonly nodes: NodeDiff[];
  readonly edges: EdgeDiff[];
  readonly settings: FieldChange[];
}

export type DiffStatus = 'added' | 'removed' | 'changed' | 'unchanged';
export type Counts = Readonly<Record<DiffStatus, number>>;

export const MARKS = { added: 'green', removed: 'red', changed: 'yellow', unchanged: null } as const;
export type Mark = (typeof MARKS)[DiffStatus];

export interface NodeDiff {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly status: DiffStatus;
  readonly mark: Mark;
  readonly moved: boolean;
  readonly fields: FieldChange[];
  readonly before?: NodeView;
  readonly after?: NodeView;
}

export interface EdgeDiff {
  readonly source: string;
  readonly source_handle: string;
  readonly target: string;
  readonly status: DiffStatus;
  readonly mark: Mark;
  readonly label_before?: string;
  readonly label_after?: string;
}

export function diffGraphs(a: Graph, b: Graph): GraphDiff {
  const nodes = pair(byId(a), byId(b)).map(([id, before, after]) => nodeDiff(id, before, after));
  const edges = pair(byIdentity(a), byIdentity(b)).map(([, before, after]) => edgeDiff(before, after));
  return {
    summary: { nodes: count(nodes), edges: count(edges) },
    nodes,
    edges,
    settings: diffFields(a.settings, b.settings),
  };
}

interface PlacedNode {
  readonly node: GraphNode;
  readonly view: NodeView;
}

const byId = ({ nodes, configs }: Graph) =>
  new Map(nodes.map((node): [string, PlacedNode] => [node.id, { node, view: nodeView(node, configs) }]));

const byIdentity = ({ edges }: Graph) => new Map(edges.map((edge) => [edgeIdentity(edge), edge]));

/** What stands on either side, in the order of the newer graph; what is gone comes last. */
function pair<T>(a: ReadonlyMap<string, T>, b: ReadonlyMap<string, T>) {
  const ids = [...b.keys(), ...[...a.keys()].filter((id) => !b.has(id))];
  return ids.map((id) => [id, a.get(id), b.get(id)] as const);
}

function nodeDiff(id: string, before: PlacedNode | undefined, after: PlacedNode | undefined): NodeDiff {
  const isSame = canonicalJson(before?.view) === canonicalJson(after?.view);
  const status = statusOf(before, after, isSame);
  const shown = (after ?? before)?.view;
  return {
    id,
    name: shown?.name ?? '',
    kind: shown?.kind ?? '',
    status,
    mark: MARKS[status],
    moved: before !== undefined && after !== undefined && isMoved(before.node, after.node),
    fields: status === 'changed' ? diffFields(before?.view, after?.view) : [],
    ...(status !== 'unchanged' && { before: before?.view, after: after?.view }),
  };
}

const isMoved = (a: GraphNode, b: GraphNode) => a.position.x !== b.position.x || a.position.y !== b.position.y;

function statusOf(before: unknown, after: unknown, isSame: boolean): DiffStatus {
  if (before === undefined) return 'added';
  if (after === undefined) return 'removed';
  return isSame ? 'unchanged' : 'changed';
}

function edgeDiff(before: GraphEdge | undefined, after: GraphEdge | undefined): EdgeDiff {
  const status = statusOf(before, after, before?.label === after?.label);
  const { source = '', source_handle = '', target = '' } = after ?? before ?? {};
  const labels = status === 'changed' ? { label_before: before?.label, label_after: after?.label } : {};
  return { source, source_handle, target, status, mark: MARKS[status], ...labels };
}

const count = (items: readonly { readonly status: DiffStatus }[]): Counts => {
  const counts = { added: 0, removed: 0, changed: 0, unchanged: 0 };
  for (const { status } of items) counts[status] += 1;
  return counts;
};
