/** What one message says about its place. Messages are saved one by one, so two of them may disagree. */
export interface Link {
  readonly id: string;
  readonly parentId: string | null;
  readonly childrenIds: readonly string[];
  readonly timestamp: number;
  /** Replies of several models to the same question stand side by side in this order. */
  readonly modelIdx: number;
}

export interface Place {
  readonly parentId: string | null;
  readonly childrenIds: readonly string[];
}

export type Tree = ReadonlyMap<string, Place>;

/**
 * Makes parents and children agree, whatever was saved in which order. A message's own `parentId` decides; without a
 * usable one, the oldest message that lists it adopts it. Every child is listed by exactly one parent; no cycles remain.
 */
export function toTree(links: readonly Link[]): Tree {
  const byId = new Map(links.toSorted(byAge).map((link) => [link.id, link]));
  const parents = breakCycles(chooseParents(byId), byId);
  const children = new Map<string, string[]>();
  for (const [id, parentId] of parents) {
    if (parentId === null) continue;
    const siblings = children.get(parentId);
    if (siblings) siblings.push(id);
    else children.set(parentId, [id]);
  }
  return new Map(
    [...byId].map(([id, link]) => [
      id,
      { parentId: parents.get(id) ?? null, childrenIds: inSentOrder(children.get(id) ?? [], link.childrenIds) },
    ]),
  );
}

const byAge = (a: Link, b: Link) =>
  a.timestamp - b.timestamp || a.modelIdx - b.modelIdx || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

function chooseParents(byId: ReadonlyMap<string, Link>) {
  const adopters = new Map<string, string>();
  for (const { id, childrenIds } of byId.values()) {
    for (const child of childrenIds) if (child !== id && !adopters.has(child)) adopters.set(child, id);
  }
  return new Map(
    [...byId.values()].map(({ id, parentId }) => {
      const isUsable = parentId !== null && parentId !== id && byId.has(parentId);
      return [id, isUsable ? parentId : (adopters.get(id) ?? null)] as const;
    }),
  );
}

/** Each cycle is cut at its oldest message, which becomes a root. */
function breakCycles(parents: Map<string, string | null>, byId: ReadonlyMap<string, Link>) {
  const settled = new Set<string>();
  for (const start of byId.keys()) {
    const path = new Set<string>();
    let at: string | null = start;
    while (at !== null && !settled.has(at) && !path.has(at)) {
      path.add(at);
      at = parents.get(at) ?? null;
    }
    if (at !== null && path.has(at)) parents.set(oldestOf(cycleFrom(at, parents), byId), null);
    for (const id of path) settled.add(id);
  }
  return parents;
}

function cycleFrom(start: string, parents: ReadonlyMap<string, string | null>) {
  const cycle = [start];
  for (let at = parents.get(start); at && at !== start; at = parents.get(at)) cycle.push(at);
  return cycle;
}

/** `byId` is ordered by age, so the first member met is the oldest. */
function oldestOf(cycle: readonly string[], byId: ReadonlyMap<string, Link>) {
  const members = new Set(cycle);
  for (const id of byId.keys()) if (members.has(id)) return id;
  return cycle[0] ?? '';
}

/** The order in which the parent listed them; children it does not know yet follow, oldest first. */
function inSentOrder(children: readonly string[], sent: readonly string[]) {
  if (children.length < 2) return children;
  const position = new Map(sent.map((id, i) => [id, i]));
  return children.toSorted((a, b) => (position.get(a) ?? Infinity) - (position.get(b) ?? Infinity) || 0);
}

/** The last message of the active thread: the one that was asked for, or else the newest leaf. */
export function currentOf(tree: Tree, wanted: string | null): string | null {
  if (wanted !== null && tree.has(wanted)) return wanted;
  let newest: string | null = null;
  for (const [id, { childrenIds }] of tree) if (childrenIds.length === 0) newest = id;
  return newest;
}

/** The way from the first message down to this one. */
export function threadOf(tree: Tree, id: string | null): string[] {
  const thread: string[] = [];
  for (let at = id; at !== null; at = tree.get(at)?.parentId ?? null) thread.push(at);
  return thread.reverse();
}

export interface Removal {
  readonly removed: readonly string[];
  /** Grandchildren, with the parent they move to. */
  readonly moved: readonly { readonly id: string; readonly parentId: string | null }[];
}

/** Takes out a message with its direct children; what hung below those moves up to the message's own parent. */
export function removeMessage(tree: Tree, id: string): Removal {
  const place = tree.get(id);
  if (!place) return { removed: [], moved: [] };
  const grandchildren = place.childrenIds.flatMap((child) => tree.get(child)?.childrenIds ?? []);
  return {
    removed: [id, ...place.childrenIds],
    moved: grandchildren.map((grandchild) => ({ id: grandchild, parentId: place.parentId })),
  };
}

/** Follows the newest branch down from a message to its end. */
export function leafBelow(tree: Tree, id: string | null): string | null {
  let at = id;
  for (let next = at; next; next = tree.get(next)?.childrenIds.at(-1) ?? null) at = next;
  return at;
}
