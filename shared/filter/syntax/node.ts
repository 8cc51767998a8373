export type UnaryOperator = 'not' | '-' | '+' | '~';
export type BinaryOperator = '|' | '^' | '&' | '<<' | '>>' | '+' | '-' | '*' | '/' | '//' | '%' | '@' | '**';
export type OrderOperator = '<' | '>' | '<=' | '>=';
export type ComparisonOperator = OrderOperator | '==' | '!=' | 'in' | 'not in' | 'is' | 'is not';
export type Conversion = 'r' | 's' | 'a';

/** What a comprehension loop assigns to. */
export type Target =
  | { readonly kind: 'name'; readonly id: string }
  | { readonly kind: 'starred'; readonly target: Target }
  | { readonly kind: 'tuple'; readonly targets: readonly Target[] };

export interface Clause {
  readonly target: Target;
  readonly iterable: Node;
  readonly conditions: readonly Node[];
}

export interface Parameter {
  readonly name: string;
  readonly kind: 'positional' | 'any' | 'rest' | 'keyword' | 'keywords';
  readonly default?: Node;
}

export interface Keyword {
  /** Absent for `**mapping`. */
  readonly name?: string;
  readonly value: Node;
}

export interface DictEntry {
  /** Absent for `**mapping`. */
  readonly key?: Node;
  readonly value: Node;
}

export interface Starred {
  readonly kind: 'starred';
  readonly value: Node;
}

export type Item = Node | Starred;

export interface Field {
  readonly value: Node;
  readonly conversion?: Conversion;
  readonly spec?: readonly FormatPart[];
}

export type FormatPart = string | Field;

export interface Comprehension {
  readonly kind: 'comprehension';
  readonly result: 'list' | 'set' | 'dict' | 'generator';
  readonly element: Node;
  /** The value beside the key, for a dict. */
  readonly value?: Node;
  readonly first: Clause;
  readonly others: readonly Clause[];
}

export interface Lambda {
  readonly kind: 'lambda';
  readonly parameters: readonly Parameter[];
  readonly body: Node;
}

export interface Call {
  readonly kind: 'call';
  readonly callee: Node;
  readonly positional: readonly Item[];
  readonly keywords: readonly Keyword[];
}

export interface Comparison {
  readonly kind: 'comparison';
  readonly first: Node;
  readonly rest: readonly { readonly operator: ComparisonOperator; readonly operand: Node }[];
}

export interface Slice {
  readonly kind: 'slice';
  readonly start?: Node;
  readonly stop?: Node;
  readonly step?: Node;
}

export type Node =
  | { readonly kind: 'constant'; readonly value: null | boolean | bigint | number | string }
  | { readonly kind: 'ellipsis' }
  | { readonly kind: 'name'; readonly id: string }
  | { readonly kind: 'attribute'; readonly object: Node; readonly name: string }
  | { readonly kind: 'subscript'; readonly object: Node; readonly index: Node }
  | { readonly kind: 'unary'; readonly operator: UnaryOperator; readonly operand: Node }
  | { readonly kind: 'binary'; readonly operator: BinaryOperator; readonly left: Node; readonly right: Node }
  | { readonly kind: 'boolean'; readonly operator: 'and' | 'or'; readonly operands: readonly Node[] }
  | { readonly kind: 'conditional'; readonly test: Node; readonly whenTrue: Node; readonly whenFalse: Node }
  | { readonly kind: 'list' | 'tuple' | 'set'; readonly items: readonly Item[] }
  | { readonly kind: 'dict'; readonly entries: readonly DictEntry[] }
  | { readonly kind: 'fstring'; readonly parts: readonly FormatPart[] }
  | { readonly kind: 'assignment'; readonly name: string; readonly value: Node }
  | Slice
  | Call
  | Comparison
  | Comprehension
  | Lambda;
