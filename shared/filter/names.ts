import { assignedNames, childrenOf } from './syntax/children.ts';
import type { Comprehension, Lambda, Node } from './syntax/node.ts';
import { targetNames } from './syntax/target-names.ts';

type Bound = ReadonlySet<string>;

/** The names an expression reads and does not bind itself. */
export function freeNames(root: Node): readonly string[] {
  const found = new Set<string>();
  collect(root, assignedNames(root), found);
  return [...found];
}

function collect(node: Node, bound: Bound, found: Set<string>): void {
  if (node.kind === 'lambda') return collectLambda(node, bound, found);
  if (node.kind === 'comprehension') return collectComprehension(node, bound, found);
  if (node.kind === 'name' && !bound.has(node.id)) found.add(node.id);
  for (const child of childrenOf(node)) collect(child, bound, found);
}

function collectLambda({ parameters, body }: Lambda, bound: Bound, found: Set<string>): void {
  for (const { default: value } of parameters) if (value) collect(value, bound, found);
  const names = parameters.map(({ name }) => name);
  collect(body, new Set([...bound, ...names, ...assignedNames(body)]), found);
}

/** Only the first iterable is evaluated outside the loops. */
function collectComprehension(node: Comprehension, bound: Bound, found: Set<string>): void {
  collect(node.first.iterable, bound, found);
  const clauses = [node.first, ...node.others];
  const inner = new Set([...bound, ...clauses.flatMap(({ target }) => targetNames(target))]);
  for (const child of childrenOf(node)) if (child !== node.first.iterable) collect(child, inner, found);
}
