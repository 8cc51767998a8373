import type { GraphEdge, SubGraph } from './graph.ts';

/** How the nodes of a graph hang together. Edges that lead nowhere are left out; the validator reports them. */
export interface Topology {
  readonly incoming: ReadonlyMap<string, readonly GraphEdge[]>;
  readonly outgoing: ReadonlyMap<string, readonly GraphEdge[]>;
}

export function topologyOf({ nodes, edges }: Pick<SubGraph, 'nodes' | 'edges'>): Topology {
  const ids = new Set(nodes.map(({ id }) => id));
  const sound = edges.filter(({ source, target }) => ids.has(source) && ids.has(target));
  const grouped = (end: 'source' | 'target') => {
    const groups = Map.groupBy(sound, (edge) => edge[end]);
    return new Map([...ids].map((id) => [id, groups.get(id) ?? []]));
  };
  return { incoming: grouped('target'), outgoing: grouped('source') };
}

/** Everything that can be reached from these nodes by at least one edge. */
export const descendantsOf = ({ outgoing }: Topology, ids: readonly string[]) =>
  walk(ids, (id) => (outgoing.get(id) ?? []).map(({ target }) => target));

/** Everything that must have been decided before this node. */
export const ancestorsOf = ({ incoming }: Topology, id: string) =>
  walk([id], (at) => (incoming.get(at) ?? []).map(({ source }) => source));

function walk(from: readonly string[], next: (id: string) => readonly string[]): Set<string> {
  const seen = new Set<string>();
  const pending = from.flatMap(next);
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    pending.push(...next(id));
  }
  return seen;
}

/** The loops of a graph, each as the nodes it goes through. */
export function cyclesOf(topology: Topology): string[][] {
  const ids = [...topology.outgoing.keys()];
  const reach = new Map(ids.map((id) => [id, descendantsOf(topology, [id])]));
  const looping = ids.filter((id) => reach.get(id)?.has(id));
  const meets = (a: string, b: string) => reach.get(a)?.has(b) === true && reach.get(b)?.has(a) === true;
  const firsts = looping.filter((id, at) => !looping.slice(0, at).some((other) => meets(id, other)));
  return firsts.map((id) => looping.filter((other) => meets(id, other)));
}
