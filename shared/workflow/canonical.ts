import { createHash } from 'node:crypto';
import { edgeIdentity, type Graph } from './graph.ts';
import { nodeView } from './node-view.ts';

/** The same value always gives the same text, whatever order its keys were written in. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  const ordered = fields.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${ordered.map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`).join(',')}}`;
}

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Names what a graph does. Layout, the order of lists and the ids of edges make no difference, exactly as in a diff. */
export function graphHash({ nodes, edges, configs, settings }: Graph): string {
  const views = Object.fromEntries(nodes.map((node) => [node.id, nodeView(node, configs)]));
  const links = Object.fromEntries(edges.map((edge) => [edgeIdentity(edge), edge.label ?? null]));
  return sha256(canonicalJson({ nodes: views, edges: links, settings }));
}
