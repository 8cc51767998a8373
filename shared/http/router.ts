import type { Method } from './route.ts';

/** Matches like API Gateway: literal segments win over placeholders, a greedy rest comes last. */
export interface Router<T> {
  match(path: string): Match<T> | undefined;
}

export interface Match<T> {
  readonly byMethod: ReadonlyMap<Method, T>;
  readonly params: Readonly<Record<string, string>>;
}

interface Entry<T> {
  readonly method: Method;
  readonly path: string;
  readonly target: T;
}

interface Leaf<T> {
  readonly names: readonly string[];
  readonly byMethod: Map<Method, T>;
}

interface Node<T> {
  readonly literals: Map<string, Node<T>>;
  placeholder?: Node<T>;
  leaf?: Leaf<T>;
  greedy?: Leaf<T>;
}

export function createRouter<T>(entries: Iterable<Entry<T>>): Router<T> {
  const root = createNode<T>();
  for (const entry of entries) insert(root, entry);
  return {
    match(path) {
      const values: string[] = [];
      const leaf = find(root, segmentsOf(path), { at: 0, values });
      return leaf && { byMethod: leaf.byMethod, params: bind(leaf.names, values) };
    },
  };
}

const createNode = <T>(): Node<T> => ({ literals: new Map() });

/** A trailing slash is ignored everywhere, as clients disagree about it. */
const segmentsOf = (path: string) => path.replace(/\/+$/, '').split('/').slice(1);

function insert<T>(root: Node<T>, { method, path, target }: Entry<T>) {
  const names: string[] = [];
  let node = root;
  for (const segment of segmentsOf(path)) {
    const name = /^\{(.+?)(\+?)\}$/.exec(segment);
    if (name?.[1]) names.push(name[1]);
    if (name?.[2]) return addMethod((node.greedy ??= { names, byMethod: new Map() }), { method, path, target });
    node = name ? (node.placeholder ??= createNode()) : literalChild(node, segment);
  }
  addMethod((node.leaf ??= { names, byMethod: new Map() }), { method, path, target });
}

function literalChild<T>(node: Node<T>, segment: string) {
  const existing = node.literals.get(segment);
  if (existing) return existing;
  const created = createNode<T>();
  node.literals.set(segment, created);
  return created;
}

function addMethod<T>(leaf: Leaf<T>, { method, path, target }: Entry<T>) {
  if (leaf.byMethod.has(method)) throw new Error(`The route ${method} ${path} is declared twice`);
  leaf.byMethod.set(method, target);
}

interface Progress {
  readonly at: number;
  readonly values: string[];
}

function find<T>(node: Node<T>, segments: readonly string[], { at, values }: Progress): Leaf<T> | undefined {
  const segment = segments[at];
  if (segment === undefined) return node.leaf;
  const literal = node.literals.get(segment);
  const byLiteral = literal && find(literal, segments, { at: at + 1, values });
  if (byLiteral) return byLiteral;
  if (node.placeholder && segment !== '') {
    const byPlaceholder = find(node.placeholder, segments, { at: at + 1, values });
    if (byPlaceholder) {
      values.unshift(segment);
      return byPlaceholder;
    }
  }
  if (node.greedy) values.unshift(segments.slice(at).join('/'));
  return node.greedy;
}

function bind(names: readonly string[], values: readonly string[]) {
  const params: Record<string, string> = {};
  names.forEach((name, i) => (params[name] = decodeSegment(values[i] ?? '')));
  return params;
}

function decodeSegment(value: string) {
  try {
    return decodeURIComponent(value);
  } catch {
    return value; // not valid percent-encoding: the raw text cannot match any stored id
  }
}
