import { childrenOf } from '../filter/syntax/children.ts';
import type { Node } from '../filter/syntax/node.ts';

/** The nodes an expression reads by name: `nodes.fetch`, `nodes["fetch"]`, `nodes.get("fetch")`. */
export function nodeReferences(root: Node): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (node: Node): void => {
    const id = referenceOf(node);
    if (id !== undefined) found.add(id);
    childrenOf(node).forEach(visit);
  };
  visit(root);
  return found;
}

const DICT_METHODS = new Set(['get', 'keys', 'values', 'items']);

function referenceOf(node: Node): string | undefined {
  if (node.kind === 'attribute' && isNodes(node.object)) return DICT_METHODS.has(node.name) ? undefined : node.name;
  if (node.kind === 'subscript' && isNodes(node.object)) return textOf(node.index);
  if (node.kind !== 'call' || node.callee.kind !== 'attribute') return undefined;
  const [first] = node.positional;
  return node.callee.name === 'get' && isNodes(node.callee.object) && first?.kind === 'constant'
    ? textOf(first)
    : undefined;
}

const isNodes = (node: Node) => node.kind === 'name' && node.id === 'nodes';
const textOf = (node: Node) => (node.kind === 'constant' && typeof node.value === 'string' ? node.value : undefined);
