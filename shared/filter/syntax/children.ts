import type { Clause, FormatPart, Item, Node } from './node.ts';

/** The names that `:=` binds in this node's own function scope; a lambda keeps its own. */
export function assignedNames(node: Node): Set<string> {
  const names = new Set<string>();
  const visit = (current: Node): void => {
    if (current.kind === 'assignment') names.add(current.name);
    if (current.kind !== 'lambda') childrenOf(current).forEach(visit);
  };
  visit(node);
  return names;
}

export function childrenOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case 'constant':
    case 'ellipsis':
    case 'name':
      return [];
    case 'attribute':
      return [node.object];
    case 'subscript':
      return [node.object, node.index];
    case 'slice':
      return present([node.start, node.stop, node.step]);
    case 'call':
      return [node.callee, ...node.positional.map(itemValue), ...node.keywords.map(({ value }) => value)];
    case 'unary':
      return [node.operand];
    case 'binary':
      return [node.left, node.right];
    case 'comparison':
      return [node.first, ...node.rest.map(({ operand }) => operand)];
    case 'boolean':
      return node.operands;
    case 'conditional':
      return [node.test, node.whenTrue, node.whenFalse];
    case 'list':
    case 'tuple':
    case 'set':
      return node.items.map(itemValue);
    case 'dict':
      return present(node.entries.flatMap(({ key, value }) => [key, value]));
    case 'fstring':
      return node.parts.flatMap(partNodes);
    case 'assignment':
      return [node.value];
    case 'lambda':
      return [...present(node.parameters.map((parameter) => parameter.default)), node.body];
    case 'comprehension':
      return [...[node.first, ...node.others].flatMap(clauseNodes), ...present([node.element, node.value])];
  }
}

const itemValue = (item: Item): Node => (item.kind === 'starred' ? item.value : item);

const clauseNodes = ({ iterable, conditions }: Clause): readonly Node[] => [iterable, ...conditions];

const partNodes = (part: FormatPart): readonly Node[] =>
  typeof part === 'string' ? [] : [part.value, ...(part.spec ?? []).flatMap(partNodes)];

const present = (nodes: readonly (Node | undefined)[]): readonly Node[] => nodes.filter((node) => node !== undefined);
